"""No owner-side command shows which of two neighbouring files it was given.

Each case has a study and two files that differ in one record. Every command runs on both, in folders of their
own: what it prints, its exit status and what its ledger holds are the same, but for what is drawn afresh each
time (ids, MACs, hashes, the time) and the noisy values of the document itself.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.cli.desk import PERSON, Desk, Result, record, study_text

VARIES = re.compile(r"[0-9a-f]{16,}|\d{4}-\d\d-\d\d(T[\d:]+Z?| [\d:]+)?")
HEADER = "smoker,age,cancer\n"


@dataclass(frozen=True)
class Pair:
    name: str
    files: tuple[bytes, bytes]
    choices: dict[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] = ()


def rows(count: int, *more: bytes) -> bytes:
    lines = [record(i).encode() for i in range(count)]
    return HEADER.encode() + b"".join(line + b"\n" for line in [*lines, *more])


PRIVATE = {"adjacency": "add-remove"}
ODD = {
    "empty-line": b"",
    "empty-fields": b",,",
    "undeclared": b"sometimes,forty,maybe",
    "out-of-range": b"yes,100000000000000000000000000,no",
    "too-few-fields": b"yes",
    "too-many-fields": b"yes,40,no,1,2,3",
    "open-quote": b'"yes,40,no',
    "nul": b"y\0s,40,no",
    "latin-1": b"y\xe9s,40,no",
    "long-line": b"yes," + b"4" * (1 << 21) + b",no",
}
PAIRS = [
    *(Pair(f"one-more-{name}", (rows(50), rows(50, odd)), PRIVATE) for name, odd in ODD.items()),
    *(
        Pair(f"replaced-by-{name}", (rows(50, b"yes,40,no"), rows(50, odd)))
        for name, odd in ODD.items()
        if name != "empty-line"  # which is no record: n is public here
    ),
    Pair("none-and-one", (rows(0), rows(1)), PRIVATE),
    Pair("none-and-one-unreadable", (rows(0), rows(0, b"\xff\xff")), PRIVATE),
    Pair(
        "people",
        (
            b"person_id,smoker,age,cancer\n" + b"7,yes,40,no\n" * 9,
            b"person_id,smoker,age,cancer\n" + b"7,yes,40,no\n" * 9 + b"8,no,40,no\n" * 5,
        ),
        PRIVATE | {"unit": PERSON},
    ),
    Pair(
        "counts",
        (b"smoker,count\nno,140\nyes,60\n", b"smoker,count\nno,140\nyes,61\n"),
        PRIVATE,
        ("--counts",),
    ),
    Pair("counts-none-and-one", (b"smoker,count\nno,0\n", b"smoker,count\nno,1\n"), PRIVATE, ("--counts",)),
    Pair("counts-no-row-and-one", (b"smoker,count\n", b"smoker,count\nno,1\n"), PRIVATE, ("--counts",)),
]


def same_shape(told: Any) -> Any:
    """A release without what noise decides: its values."""
    if isinstance(told, dict):
        return {key: "drawn" if key == "values" else same_shape(one) for key, one in told.items()}
    return [same_shape(one) for one in told] if isinstance(told, list) else told


def seen(result: Result) -> tuple[int, str, str]:
    return result.code, VARIES.sub("#", result.out), VARIES.sub("#", result.err)


def work(desk: Desk, pair: Pair, data: bytes) -> list[tuple[str, Any]]:
    """All that an owner sees of a file, from the first draft to the last look into the ledger."""
    desk.write("study.toml", study_text(**pair.choices))
    desk.write("survey.csv", data)
    ledger = "survey.ledger"
    release = ("release", "study.toml", "survey.csv", "--epsilon", "1", "--ledger", ledger, *pair.options)
    commands = [
        ("init", "survey.csv", "-o", "draft.toml"),
        ("init", "survey.csv", "-o", "draft.toml", "--force", "--json"),
        ("plan", "study.toml", "--epsilon", "1"),
        ("ledger", "init", "study.toml", "--budget", "2.5", "-o", ledger),
        ("check", "study.toml", "survey.csv"),
        ("check", "study.toml", "survey.csv", "-o", "look.txt"),
        ("check", "study.toml", "survey.csv", "-o", "look.json", "--json"),
        (*release, "-o", "a.json"),
        (*release, "-o", "b.json", "--json"),
        (*release, "-o", "c.json"),  # more than is left
        ("ledger", "balance", ledger, "--charges"),
        ("ledger", "balance", ledger, "--charges", "--json"),
        ("ledger", "verify", ledger, "--releases", "a.json", "b.json"),
        ("ledger", "verify", ledger, "--releases", "a.json", "--json"),
        ("ledger", "reconcile", ledger, "--releases", "a.json"),
        ("ledger", "export", ledger),
        ("ledger", "backup", ledger, "-o", "copy.ledger"),
        ("ledger", "new-records", ledger),
        ("verify", "a.json", "--ledger", ledger),
    ]
    told = [(" ".join(command[:2]), seen(desk.run(*command))) for command in commands]
    documents = [same_shape(json.loads(desk.path(name).read_text())) for name in ("a.json", "b.json")]
    shapes = [VARIES.sub("#", json.dumps(document, sort_keys=True)) for document in documents]
    files = sorted(path.name for path in desk.folder.iterdir())
    return [*told, ("documents", shapes), ("files", files), ("draft", desk.path("draft.toml").read_text())]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_every_command_shows_the_same(tmp_path: Path, pair: Pair) -> None:
    told = []
    for name, data in zip(("one", "two"), pair.files, strict=True):
        (tmp_path / name).mkdir()
        told.append(work(Desk(tmp_path / name), pair, data))
    here = [
        [(what, repr(one).replace(str(tmp_path / name), "DESK")) for what, one in all_of_it]
        for name, all_of_it in zip(("one", "two"), told, strict=True)
    ]
    assert here[0] == here[1]
    codes = dict(
        zip(range(len(told[0])), (one[0] for _, one in told[0] if isinstance(one, tuple)), strict=False)
    )
    assert codes[7] == codes[8] == 0  # released, whatever the records are
    assert codes[9] != 0


def test_the_test_sees_what_a_command_tells() -> None:
    """Numbers of records are not among what varies."""
    assert seen(Result(0, "read 200 records", ""))[1] != seen(Result(0, "read 201 records", ""))[1]


@pytest.mark.parametrize("data", [HEADER, HEADER.rstrip("\n"), HEADER.replace("\n", "\r\n")])
def test_no_record_is_refused_where_n_is_public(ready: Desk, data: str) -> None:
    ready.write("survey.csv", data)
    result = ready.release()
    ready.refused(result, "input-unreadable", 66)
    assert "has no records, so there is nothing to release; nothing was charged" in result.err
    assert ready.balance()["spent"] == {"epsilon": "0"}
    piped = ready.run(
        *("release", "study.toml", "-", "--epsilon", "1", "--ledger", "survey.ledger", "-o", "out.json"),
        stdin=data.encode(),
    )
    ready.refused(piped, "input-unreadable", 66)


def test_an_empty_line_is_not_read_before_the_charge(ready: Desk) -> None:
    """Any byte after the header may be a record, and records are read after the charge."""
    ready.write("survey.csv", HEADER + "\n")
    assert ready.release().code == 0
    assert ready.balance()["spent"] == {"epsilon": "1"}
