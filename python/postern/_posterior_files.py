"""Reads a folder that `Posterior.save` or ``postern infer -o`` wrote."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from . import _analyst
from ._files import PathLike, read_bytes, read_text
from ._given import path_text
from .errors import Error

_MOST = 8 << 30
_LONGEST_HEADER = 1 << 16
_SUMMARY = ["name", "label", "mean", "sd", "q05", "q50", "q95", "ess", "rhat"]
_SENSITIVITY = ["prior_times", *_SUMMARY[:-2]]

SummaryCells = tuple[str, str, float, float, float, float, float, float | None, float | None]
AlternativeCells = tuple[float, list[SummaryCells]]


def read_posterior(folder: PathLike) -> _analyst.Posterior:
    """The posterior of that folder; what is no such folder, or not whole, is refused."""
    place = Path(path_text(folder, "folder", "the path of a folder that `save` or `infer -o` made"))
    facts = _read_facts(place)
    try:
        _check_facts(facts)
        names, draws = facts["names"], facts["draws"]
        summary = _read_summary(place / "summary.csv", names)
        sensitivity = _read_sensitivity(place / "sensitivity.csv", names)
        read = _read_npy if any(place.glob("chain_*.npy")) else _read_csv
        chains = [read(place / f"chain_{chain}", names, draws) for chain in range(1, facts["chains"] + 1)]
        return _analyst.Posterior.restore(facts, summary, sensitivity, chains)
    except (KeyError, TypeError, ValueError, OverflowError, IndexError, StopIteration, csv.Error):
        raise _fault(place, "its files do not belong together") from None


def _fault(place: Path, what: str) -> Error:
    return Error("input-unreadable", f"'{place}' is no posterior that can be read: {what}")


def _read_facts(place: Path) -> dict[str, Any]:
    if place.exists() and not place.is_dir():
        raise _fault(place, "give the folder that `infer -o` or `save` made")
    try:
        facts = json.loads(read_text(place / "posterior.json", _MOST, regular=True))
    except (ValueError, RecursionError):
        raise _fault(place, "posterior.json is not JSON that `save` writes") from None
    if not isinstance(facts, dict) or facts.get("format") != "postern-posterior":
        raise _fault(place, "posterior.json does not say that it is one")
    if facts.get("version") != 1:
        raise _fault(place, "it is of another version, and this package reads version 1")
    return facts


def _check_facts(facts: dict[str, Any]) -> None:
    """Raises where a fact is not what the writer writes."""
    table, warnings = facts.get("table", []), facts.get("warnings", [])
    lists = [*(facts[key] for key in ("names", "labels", "notes", "releases")), table, warnings]
    lists += [column["levels"] for column in table]
    texts = [facts["engine"], facts["reason"], facts.get("prior") or "", *itertools.chain(*lists[:4])]
    texts += [text for column in table for text in (column["column"], *column["levels"])]
    texts += [text for warning in warnings for text in (warning["name"], warning["text"])]
    counts = [facts["chains"], facts["draws"], facts["seed"], facts.get("public_rows", 0)]
    if not all(isinstance(one, list) for one in lists) or len(facts["labels"]) != len(facts["names"]):
        raise ValueError
    if not all(isinstance(text, str) and text.encode() is not None for text in texts):  # no lone surrogates
        raise ValueError
    if not all(type(count) is int and 0 <= count < 2**63 for count in counts) or 0 in counts[:2]:
        raise ValueError
    if not isinstance(facts.get("log_evidence", 0.0), float | int):
        raise ValueError
    float(facts.get("log_evidence", 0))


def _read_table(path: Path, titles: list[str]) -> list[list[str]]:
    header, *rows = csv.reader(io.StringIO(read_text(path, _MOST, regular=True)))
    if header != titles:
        raise ValueError
    return rows


def _read_summary(path: Path, names: list[str]) -> list[SummaryCells]:
    return _summary(_read_table(path, _SUMMARY), names)


def _read_sensitivity(path: Path, names: list[str]) -> list[AlternativeCells]:
    """The summaries under other priors, where they were asked for; their files have no ess and rhat."""
    if not os.path.lexists(path):
        return []
    by_prior = itertools.groupby(_read_table(path, _SENSITIVITY), lambda row: float(row[0]))
    found = [(times, _summary([[*row[1:], "", ""] for row in rows], names)) for times, rows in by_prior]
    if len({times for times, _ in found}) != len(found):
        raise ValueError
    return found


def _summary(rows: list[list[str]], names: list[str]) -> list[SummaryCells]:
    if [row[0] for row in rows] != names:
        raise ValueError
    return [_summary_row(row) for row in rows]


def _summary_row(cells: list[str]) -> SummaryCells:
    name, label, *figures = cells
    mean, sd, q05, q50, q95 = map(float, figures[:5])
    ess, rhat = (float(cell) if cell else None for cell in figures[5:])
    return name, label, mean, sd, q05, q50, q95, ess, rhat


def _read_npy(path: Path, names: list[str], draws: int) -> npt.NDArray[np.float64]:
    """The draws of one chain, a row a quantity, from an array of the shape and size that the facts say."""
    size = 8 * draws * len(names)
    if size > _MOST:
        raise ValueError
    file = io.BytesIO(read_bytes(path.with_suffix(".npy"), size + _LONGEST_HEADER, regular=True))
    try:
        npy.read_magic(file)
        shape, by_column, kind = npy.read_array_header_1_0(file)
    except Exception:  # a header is parsed as Python's words, in which much can be wrong
        raise ValueError from None
    numbers = file.read()
    if shape != (draws, len(names)) or kind != np.float64 or len(numbers) != size:
        raise ValueError
    table = np.frombuffer(numbers, np.float64).reshape(shape, order="F" if by_column else "C")
    return np.ascontiguousarray(table.T)


def _read_csv(path: Path, names: list[str], draws: int) -> npt.NDArray[np.float64]:
    """As _read_npy, from a file in CmdStan's form."""
    lines = read_text(path.with_suffix(".csv"), _MOST, regular=True).split("\n")
    begin = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    rows = lines[begin + 1 : -1]
    if lines[begin].split(",") != names or len(rows) != draws:
        raise ValueError
    table = np.loadtxt(rows, delimiter=",", ndmin=2)
    if table.shape != (draws, len(names)):
        raise ValueError
    return np.ascontiguousarray(table.T)
