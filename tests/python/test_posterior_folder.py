"""Folders of posteriors that come from strangers: refused by name, or shown as what they are."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import postern as pn
import pytest
from numpy.lib import format as npy

from tests.python.desk import code_of

ESCAPE = "\x1b]0;owned\x07\u202e\n"


@pytest.fixture
def folder(desk: Path) -> Path:
    """A posterior saved as arrays."""
    pn.infer("survey.release.json", chains=2, draws=50, seed=3, sensitivity=True).save("kept", format="npy")
    return desk / "kept"


def refusal(folder: Path) -> pn.Error:
    with pytest.raises(pn.Error) as error:
        pn.Posterior.load(folder)
    assert error.value.__cause__ is None
    return error.value


def change_facts(folder: Path, **changed: Any) -> None:
    file = folder / "posterior.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changed))


def array_bytes(shape: tuple[int, ...], descr: str = "<f8", numbers: bytes = b"") -> bytes:
    file = io.BytesIO()
    npy.write_array_header_1_0(file, {"descr": descr, "fortran_order": True, "shape": shape})
    return file.getvalue() + numbers


def test_what_would_command_a_terminal_is_shown(folder: Path) -> None:
    texts = {key: f"{key}{ESCAPE}" for key in ("engine", "reason", "note", "warning", "name")}
    change_facts(
        folder,
        engine=texts["engine"],
        reason=texts["reason"],
        notes=[texts["note"]],
        warnings=[{"name": texts["name"], "text": texts["warning"]}],
    )
    post = pn.Posterior.load(folder)
    for shown in (repr(post), str(post), str(post.warnings[0])):
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    assert len(str(post.warnings[0]).splitlines()) == 1
    for key in texts:
        assert key + r"\u001b]0;owned\u0007\u202e\u000a" in repr(post), key
    assert post.engine == texts["engine"]


@pytest.mark.parametrize(
    "data",
    [
        array_bytes((10**15, 4)),
        array_bytes((50, 4)),
        array_bytes((50, 4), numbers=bytes(50 * 4 * 8 + 8)),
        array_bytes((50, 4), descr="|O", numbers=bytes(50 * 4 * 8)),
        array_bytes((50, 4), descr=">f8", numbers=bytes(50 * 4 * 8)),
        array_bytes((4, 50), numbers=bytes(50 * 4 * 8)),
        b"\x93NUMPY\x01\x00\x10\x27" + b"(" * 10_000,
        b"PK\x03\x04" + bytes(100),
        b"",
    ],
)
def test_an_array_that_is_not_what_the_facts_say(folder: Path, data: bytes) -> None:
    (folder / "chain_2.npy").write_bytes(data)
    assert refusal(folder).code == "input-unreadable"


def test_a_huge_shape_takes_no_memory(folder: Path) -> None:
    change_facts(folder, draws=10**15)
    (folder / "chain_1.npy").write_bytes(array_bytes((10**15, 4)))
    assert refusal(folder).code == "input-unreadable"
    change_facts(folder, draws=10**7)
    (folder / "chain_1.npy").write_bytes(array_bytes((10**7, 4)))
    assert refusal(folder).code == "input-unreadable"


def test_arrays_in_the_order_of_numpy_are_read(folder: Path) -> None:
    before = pn.Posterior.load(folder)
    for chain in (1, 2):
        np.save(folder / f"chain_{chain}.npy", np.ascontiguousarray(before.draws[chain - 1]))
    assert np.array_equal(pn.Posterior.load(folder).draws, before.draws)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"format": "postern-posterior", "version": ' + "[" * 100_000,
        '{"format": "postern-posterior", "version": ' + "9" * 5000 + "}",
        '{"format": "postern-posterior", "version": [1]}',
    ],
)
def test_json_that_nobody_writes(folder: Path, text: str) -> None:
    (folder / "posterior.json").write_text(text)
    assert refusal(folder).code == "input-unreadable"


@pytest.mark.parametrize(
    "changed",
    [
        {"warnings": [{"name": 1, "text": "x"}]},
        {"warnings": ["x"]},
        {"warnings": {}},
        {"notes": "note"},
        {"notes": {"a": 1}},
        {"reason": "\ud800"},
        {"seed": True},
        {"seed": -1},
        {"public_rows": "1"},
        {"log_evidence": "1"},
        {"log_evidence": 10**400},
        {"prior": 7},
    ],
)
def test_facts_of_other_types(folder: Path, changed: dict[str, Any]) -> None:
    change_facts(folder, **changed)
    assert refusal(folder).code == "input-unreadable"


@pytest.mark.parametrize("name", ["posterior.json", "summary.csv", "sensitivity.csv", "chain_1.npy"])
def test_only_regular_files_are_opened(folder: Path, name: str) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)
    for _ in ("a pipe", "a device"):
        error = refusal(folder)
        assert error.code == "input-unreadable"
        assert f"{name}' is not a regular file" in error.message
        (folder / name).unlink()
        (folder / name).symlink_to("/dev/zero")


@pytest.mark.parametrize("format", ["csv", "npy"])
@pytest.mark.parametrize("chain", [1, 2])
def test_a_missing_chain_is_named_by_its_form(folder: Path, format: str, chain: int) -> None:
    pn.Posterior.load(folder).save("other", format=format)
    (Path("other") / f"chain_{chain}.{format}").unlink()
    error = refusal(Path("other"))
    assert error.code == "input-missing"
    assert f"chain_{chain}.{format}" in error.message


def test_summaries_under_other_priors_belong_to_the_posterior(folder: Path) -> None:
    file = folder / "sensitivity.csv"
    whole = file.read_text()
    header, *rows = whole.splitlines(keepends=True)
    for broken in ("", "x\n", header + rows[0], whole + "".join(rows[:4]), whole.replace("p.1", "p.9"), "\0"):
        file.write_text(broken)
        assert refusal(folder).code == "input-unreadable", broken[:20]
    with pytest.raises(pn.Error) as error:
        pn.Posterior.load(folder / "summary.csv")
    assert code_of(error) == "input-unreadable"
