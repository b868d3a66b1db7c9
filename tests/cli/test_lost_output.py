"""A result that cannot be printed: what was done stands all the same, and the program says so."""

from __future__ import annotations

import subprocess

import pytest

from tests.cli.desk import PROGRAM, Desk, Result

LOST = pytest.mark.parametrize("lost", [">/dev/full", ">&-", "--json >/dev/full", "--json >&-"])


def in_shell(desk: Desk, command: str) -> Result:
    done = subprocess.run(
        ["bash", "-c", f"'{PROGRAM}' {command}"], cwd=desk.folder, capture_output=True, check=False
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


@LOST
def test_a_release_that_cannot_be_told_of_stands(ready: Desk, lost: str) -> None:
    result = in_shell(
        ready, f"release study.toml survey.csv --epsilon 1 --ledger survey.ledger -o out.json {lost}"
    )
    ready.refused(result, "output-unwritable", 73)
    assert "the charge stands; the release is whole, in 'out.json'" in result.err
    ready.ok("verify", "out.json", "--ledger", "survey.ledger")
    assert ready.balance()["published"] == 1


@LOST
def test_a_copy_that_cannot_be_told_of_stands(ready: Desk, lost: str) -> None:
    result = in_shell(ready, f"ledger backup survey.ledger -o copy.ledger {lost}")
    ready.refused(result, "output-unwritable", 73)
    assert "the copy is whole, in 'copy.ledger' and 'copy.ledger.key'" in result.err
    ready.ok("ledger", "verify", "copy.ledger")


def test_a_reader_who_leaves_is_told_nothing(ready: Desk) -> None:
    result = in_shell(
        ready, "release study.toml survey.csv --epsilon 1 --ledger survey.ledger -o out.json | true"
    )
    assert (result.code, result.err) == (0, "")
    assert ready.path("out.json").exists()
