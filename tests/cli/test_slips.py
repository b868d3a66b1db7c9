"""Slips at the command line, and the way on that they are told."""

from __future__ import annotations

import gzip
import re

import pytest

from tests.cli.desk import Desk


def test_npy_without_a_folder(ready: Desk) -> None:
    assert ready.release().code == 0
    result = ready.run("infer", "out.json", "--format", "npy")
    ready.refused(result, "bad-option", 64)
    assert "-o" in result.err
    ready.ok("infer", "out.json", "--format", "npy", "-o", "posterior")


@pytest.mark.parametrize("place", ["absent/posterior", "study.toml/posterior"])
def test_a_folder_that_cannot_be_made_is_told_first(ready: Desk, place: str) -> None:
    """Before a release is looked at, let alone inferred from."""
    ready.refused(ready.run("infer", "absent.json", "-o", place), "output-unwritable", 73)


@pytest.mark.parametrize("path", ["posterior", "posterior/", "posterior/posterior.json"])
def test_a_posterior_is_no_release(ready: Desk, path: str) -> None:
    assert ready.release().code == 0
    ready.ok("infer", "out.json", "-o", "posterior")
    result = ready.run("infer", path)
    ready.refused(result, "release-malformed", 65)
    assert "is a posterior already" in result.err


def test_public_rows_come_in_the_forms_that_records_do(ready: Desk) -> None:
    assert ready.release().code == 0
    plain = b"age,smoker\n" + b"20,yes\n" * 90 + b"30,no\n" * 10
    ready.write("rows.csv", b"\xef\xbb\xbf" + plain)
    ready.write("rows.csv.gz", gzip.compress(plain))
    ready.write("other.csv", plain.replace(b",", b";"))
    usual = ready.ok("infer", "out.json", "--public", "rows.csv", "--json").json
    assert usual["public_rows"] == 100
    for rows in (("rows.csv.gz",), ("other.csv", "--delimiter", ";")):
        said = ready.ok("infer", "out.json", "--public", *rows, "--json").json
        assert said["summary"] == usual["summary"]
    ready.refused(ready.run("infer", "out.json", "--delimiter", ";"), "bad-option", 64)


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        (b"PK\x03\x04\x14\x00", "input-unreadable", "save the table as CSV"),
        ("age,smoker\n".encode("utf-16"), "input-unreadable", "UTF-16"),
        (b"age;smoker\n20;yes\n", "no-header", "--delimiter ;"),
        (b"Age,Smoker\n20,yes\n", "column-absent", "capitals"),
        (b"age,smokes\n20,yes\n", "no-header", "none of the study's columns"),
        (b"", "no-header", "no header"),
    ],
)
def test_other_public_rows_are_recognised(ready: Desk, content: bytes, name: str, says: str) -> None:
    assert ready.release().code == 0
    ready.write("rows.csv", content)
    result = ready.run("infer", "out.json", "--public", "rows.csv")
    assert result.error == name, result
    assert says in result.err


def test_names_of_columns_may_have_blanks_around_them(desk: Desk) -> None:
    done = desk.ok("init", "absent.csv", "--columns", " a, b c,d ", "-o", "study.toml", "--json")
    assert done.json["columns"] == ["a", "b c", "d"]
    desk.refused(desk.run("init", "absent.csv", "--columns", "a, ,b", "-o", "other.toml"), "bad-option", 64)


def test_a_value_with_a_comma_goes_in_quotes(desk: Desk) -> None:
    columns = '\n[columns.town]\ncategories = ["Bern", "Berne, BE"]\nmissing = "Bern"\n'
    model = '[model]\nkind = "family"\nfamily = "bernoulli"\ncolumn = "town"\n'
    desk.write_study(columns=columns, model=model)
    plan = ("plan", "study.toml", "--epsilon", "1", "--n", "500", "--at")
    result = desk.run(*plan, "P(town = Berne, BE) 0.2")
    desk.refused(result, "bad-option", 64)
    assert "in double quotes" in result.err
    desk.ok(*plan, 'P(town = "Berne, BE") 0.2')


def test_the_year_nought_is_no_year(ready: Desk) -> None:
    assert ready.release().code == 0
    text = ready.path("out.json").read_text()
    ready.write("old.json", re.sub(r'("created": ?)"[0-9-]*"', r'\1"0000-01-01"', text))
    result = ready.run("verify", "old.json")
    ready.refused(result, "release-malformed", 65)
    assert "'created'" in result.err


def test_a_key_that_a_stopped_copy_left(ready: Desk) -> None:
    ready.write("copy.ledger.key", "")
    copied = ready.run("ledger", "backup", "survey.ledger", "-o", "copy.ledger")
    ready.refused(copied, "ledger-exists", 73)
    assert "`postern ledger init` or `backup` was stopped" in copied.err
    opened = ready.run("ledger", "balance", "copy.ledger")
    assert "`postern ledger init` or `postern ledger backup` was stopped" in opened.err


def test_nobody_is_told_to_remove_records(ready: Desk) -> None:
    result = ready.run("check", "study.toml", "survey.csv", "--to-file", "survey.csv")
    ready.refused(result, "output-exists", 73)
    assert "remove" not in result.err
