"""Reads a folder that `Posterior.save` or ``postern infer -o`` wrote."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _analyst
from ._files import PathLike, read_text
from .errors import Error

_MOST = 8 << 30
_SUMMARY = ["name", "label", "mean", "sd", "q05", "q50", "q95", "ess", "rhat"]

SummaryCells = tuple[str, str, float, float, float, float, float, float | None, float | None]


def read_posterior(folder: PathLike) -> _analyst.Posterior:
    """The posterior of that folder; what is no such folder, or not whole, is refused."""
    place = Path(os.fspath(folder))
    facts = _read_facts(place)
    try:
        _check_facts(facts)
        summary = _read_summary(place / "summary.csv", facts["names"])
        draws = [
            _read_chain(place / f"chain_{chain}", facts["names"], facts["draws"])
            for chain in range(1, facts["chains"] + 1)
        ]
        return _analyst.Posterior.restore(facts, summary, draws)
    except (KeyError, TypeError, ValueError, IndexError, StopIteration):
        raise _fault(place, "its files do not belong together") from None


def _fault(place: Path, what: str) -> Error:
    return Error("input-unreadable", f"'{place}' is no posterior that can be read: {what}")


def _read_facts(place: Path) -> dict[str, Any]:
    if place.exists() and not place.is_dir():
        raise _fault(place, "give the folder that `infer -o` or `save` made")
    try:
        facts = json.loads(read_text(place / "posterior.json", _MOST))
    except json.JSONDecodeError:
        raise _fault(place, "posterior.json is not JSON") from None
    if not isinstance(facts, dict) or facts.get("format") != "postern-posterior":
        raise _fault(place, "posterior.json does not say that it is one")
    if facts.get("version") != 1:
        raise _fault(place, f"it is of version {facts.get('version')!r}, and this package reads 1")
    return facts


def _check_facts(facts: dict[str, Any]) -> None:
    """Raises where a fact is not what the writer writes."""
    texts = [facts["engine"], facts["reason"], *facts["names"], *facts["labels"], *facts["notes"]]
    texts += facts["releases"] + [facts.get("prior") or ""]
    for column in facts.get("table", []):
        texts += [column["column"], *column["levels"]]
    counts = [facts["chains"] - 1, facts["draws"] - 1, facts["seed"], facts.get("public_rows") or 0]
    if not all(isinstance(text, str) for text in texts) or len(facts["labels"]) != len(facts["names"]):
        raise ValueError
    if not all(isinstance(count, int) and 0 <= count < 2**63 for count in counts):
        raise ValueError
    float(facts.get("log_evidence") or 0)


def _read_summary(path: Path, names: list[str]) -> list[SummaryCells]:
    header, *rows = csv.reader(io.StringIO(read_text(path, _MOST)))
    if header != _SUMMARY or [row[0] for row in rows] != names:
        raise ValueError
    return [_summary_row(row) for row in rows]


def _summary_row(cells: list[str]) -> SummaryCells:
    name, label, *figures = cells
    mean, sd, q05, q50, q95 = map(float, figures[:5])
    ess, rhat = (float(cell) if cell else None for cell in figures[5:])
    return name, label, mean, sd, q05, q50, q95, ess, rhat


def _read_chain(path: Path, names: list[str], draws: int) -> npt.NDArray[np.float64]:
    """The draws of one chain, a row a quantity, from the form that they were saved in."""
    if path.with_suffix(".npy").exists():
        table = np.load(path.with_suffix(".npy"), allow_pickle=False)
        if table.shape != (draws, len(names)) or table.dtype != np.float64:
            raise ValueError
        return np.ascontiguousarray(table.T)
    lines = read_text(path.with_suffix(".csv"), _MOST).split("\n")
    begin = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    rows = lines[begin + 1 : -1]
    if lines[begin].split(",") != names or len(rows) != draws:
        raise ValueError
    table = np.loadtxt(rows, delimiter=",", ndmin=2)
    if table.shape != (draws, len(names)):
        raise ValueError
    return np.ascontiguousarray(table.T)
