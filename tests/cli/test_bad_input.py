"""Whole-file and option faults: a class, a stable name, what to do, nothing charged, nothing half-written."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.cli.desk import BERNOULLI, CATEGORICAL, COLUMNS, PERSON, Desk, Result, study_text

STUDY = study_text()


def refuses(
    desk: Desk,
    name: str,
    code: int,
    *says: str,
    data: str = "survey.csv",
    study: str = "study.toml",
    more: tuple[str, ...] = (),
    amount: tuple[str, str] = ("--epsilon", "1"),
    output: str = "out.json",
    ledger: str = "survey.ledger",
) -> Result:
    """Releases, and expects to be refused without a trace."""
    before = desk.snapshot()
    spent = desk.balance()["spent"]
    result = desk.release(*more, data=data, study=study, amount=amount, output=output, ledger=ledger)
    desk.refused(result, name, code)
    for words in says:
        assert words in result.err, result
    assert desk.snapshot() == before
    assert desk.balance()["spent"] == spent
    return result


@pytest.mark.parametrize(
    ("edit", "name", "says"),
    [
        (('dataset = "survey-2026"', 'datasset = "survey-2026"'), "unknown-key", "did you mean 'dataset'"),
        (('column = "smoker"', 'column = "smokr"'), "unknown-column", "did you mean 'smoker'"),
        (("version = 1", 'version = "1"'), "wrong-type", "whole number"),
        (("prior = { beta = [1, 1] }", "prior = { beta = [0.5, 1] }"), "bare-float", '"0.5"'),
        (
            (
                'categories = ["no", "yes"]\nmissing = "no"\n[columns.age]',
                'categories = ["no", "yes", "no"]\n[columns.age]',
            ),
            "duplicate-category",
            "twice",
        ),
        (("cuts = [30, 45, 60]", "cuts = [30, 60, 45]"), "overlapping-cuts", "rise"),
        (("prior = { beta = [1, 1] }", "prior = { beta = [0, 1] }"), "bad-prior", "prior"),
        (('adjacency = "replace-one"', 'adjacency = "bounded"'), "bad-value", "add-remove"),
        (('adjacency = "replace-one"\n', ""), "missing-key", "adjacency"),
        (("[privacy]", "[privacy"), "study-syntax", "study.toml:4"),
    ],
)
def test_study_faults(ready: Desk, edit: tuple[str, str], name: str, says: str) -> None:
    assert edit[0] in STUDY
    ready.write("study.toml", STUDY.replace(*edit))
    refuses(ready, name, 65, says, "study.toml:")


def test_study_is_missing(ready: Desk) -> None:
    refuses(ready, "input-missing", 66, "postern init", study="absent.toml")


def test_the_column_of_ids_is_missing(ready: Desk) -> None:
    ready.write("study.toml", study_text(unit=PERSON, adjacency="add-remove"))
    ready.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "people.ledger", "--another-ledger")
    refuses(ready, "column-absent", 65, "'person_id'", ledger="people.ledger")


@pytest.mark.parametrize(
    ("records", "name", "code", "says"),
    [
        (b"", "no-header", 65, "header"),
        (b"\n1,2,3\n", "no-header", 65, "header"),
        (b"smoker,age\nyes,20\n", "column-absent", 65, "'cancer'"),
        (b"smokers,age,cancer\nyes,20,no\n", "column-absent", 65, "did you mean 'smokers'"),
        (b"smoker,age,cancer,smoker\nyes,20,no,yes\n", "column-repeated", 65, "'smoker'"),
    ],
)
def test_header_faults(ready: Desk, records: bytes, name: str, code: int, says: str) -> None:
    ready.write("survey.csv", records)
    refuses(ready, name, code, says)


def test_output_is_a_dash(ready: Desk) -> None:
    refuses(ready, "bad-option", 64, "name a file", output="-")


def test_data_is_missing(ready: Desk) -> None:
    refuses(ready, "input-missing", 66, "absent.csv", data="absent.csv")


def test_data_is_a_folder(ready: Desk) -> None:
    ready.path("folder.csv").mkdir()
    refuses(ready, "input-unreadable", 66, "folder.csv", data="folder.csv")


@pytest.mark.parametrize("name", ["survey.parquet", "survey.arrow", "survey.feather"])
def test_tables_need_their_plugin(ready: Desk, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSTERN_ARROW_PLUGIN", "/nowhere/libpostern_arrow.so")
    ready.write(name, b"PAR1")
    refuses(ready, "unsupported", 69, "POSTERN_ARROW_PLUGIN", data=name)


def test_unknown_format(ready: Desk) -> None:
    refuses(ready, "bad-option", 64, "csv", more=("--format", "xls"))


@pytest.mark.parametrize(
    "epsilon", ["0", "-1", "1e-10", "1e", "one", "", "0.0000000001", "1234567890123", "1001", "0.0"]
)
def test_budgets_that_are_none(ready: Desk, epsilon: str) -> None:
    refuses(ready, "bad-budget", 64, amount=("--epsilon", epsilon))


def test_currency_mismatch(ready: Desk) -> None:
    refuses(ready, "currency-mismatch", 64, "give epsilon", amount=("--rho", "1"))
    refuses(ready, "currency-mismatch", 64, "gaussian", more=("--mechanism", "gaussian"))


def test_mechanism_that_is_none(ready: Desk) -> None:
    refuses(ready, "bad-option", 64, "did you mean laplace", more=("--mechanism", "laplac"))
    refuses(ready, "bad-option", 64, "and map (networks)\n", more=("--mechanism", "factored"))
    refuses(ready, "currency-mismatch", 64, "networks also fourier", more=("--mechanism", "fourier"))


def test_both_currencies(ready: Desk) -> None:
    refuses(ready, "usage", 64, "exactly one", more=("--rho", "1"))


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (("--seed", "1"), "--seed"),
        (("--ledgr", "x"), "did you mean --ledger"),
        (("--idealised",), "--idealised"),
        (("extra",), "'extra'"),
    ],
)
def test_options_that_are_none(ready: Desk, option: tuple[str, ...], says: str) -> None:
    refuses(ready, "usage", 64, says, more=option)


def test_option_that_takes_a_number(ready: Desk) -> None:
    refuses(ready, "bad-option", 64, "--threads", "'many'", more=("--threads", "many"))


def test_exhausted_ledger(ready: Desk) -> None:
    refuses(ready, "budget-exhausted", 77, amount=("--epsilon", "2.000000001"))
    assert ready.release(amount=("--epsilon", "2")).code == 0
    refuses(ready, "budget-exhausted", 77, amount=("--epsilon", "0.000000001"), output="more.json")


def test_missing_ledger(ready: Desk) -> None:
    refuses(ready, "ledger-missing", 66, "ledger init", ledger="absent.ledger")


def test_foreign_ledger(ready: Desk) -> None:
    ready.write("notes.ledger", b"this is not a ledger at all\n" * 200)
    ready.path("notes.ledger").chmod(0o600)
    refuses(ready, "ledger-missing", 66, "key", ledger="notes.ledger")
    shutil.copy(ready.path("survey.ledger.key"), ready.path("notes.ledger.key"))
    refuses(ready, "ledger-foreign", 65, ledger="notes.ledger")


def test_key_of_another_ledger(ready: Desk) -> None:
    ready.ok("ledger", "init", "study.toml", "--budget", "2", "-o", "other.ledger", "--another-ledger")
    shutil.copy(ready.path("other.ledger.key"), ready.path("survey.ledger.key"))
    result = ready.release()
    ready.refused(result, "ledger-tampered", 65)
    assert not ready.path("out.json").exists()


def test_ledger_of_another_dataset(ready: Desk) -> None:
    ready.write("other.toml", study_text(dataset="census-2026"))
    refuses(ready, "ledger-mismatch", 65, study="other.toml")
    for change in ({"adjacency": "add-remove"}, {"currency": "zcdp"}):
        ready.write_study("other.toml", **change)
        amount = ("--rho", "1") if "currency" in change else ("--epsilon", "1")
        refuses(ready, "ledger-mismatch", 65, study="other.toml", amount=amount)


def test_tampered_ledger(ready: Desk) -> None:
    assert ready.release().code == 0
    with sqlite3.connect(ready.path("survey.ledger")) as book:
        for (trigger,) in book.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            book.execute(f'drop trigger "{trigger}"')
        book.execute("update charge set cost_nano = 1")
    book.close()
    ready.refused(ready.release(output="more.json"), "ledger-tampered", 65)
    ready.refused(ready.run("ledger", "balance", "survey.ledger"), "ledger-tampered", 65)
    assert not ready.path("more.json").exists()


@pytest.mark.parametrize("name", ["survey.ledger", "survey.ledger.key"])
def test_world_readable_ledger(ready: Desk, name: str) -> None:
    ready.path(name).chmod(0o644)
    ready.refused(ready.release(), "ledger-exposed", 77)
    assert not ready.path("out.json").exists()
    ready.path(name).chmod(0o600)
    assert ready.balance()["spent"] == {"epsilon": "0"}


def test_ledger_exists(ready: Desk) -> None:
    before = ready.snapshot()
    ready.refused(
        ready.run("ledger", "init", "study.toml", "--budget", "1", "-o", "survey.ledger"), "ledger-exists", 73
    )
    assert ready.snapshot() == before


@pytest.mark.parametrize("budget", ["0", "-1", "abc", "1e9", "100000"])
def test_ledger_with_no_budget(ready: Desk, budget: str) -> None:
    before = ready.snapshot()
    ready.refused(
        ready.run("ledger", "init", "study.toml", "--budget", budget, "-o", "new.ledger"), "bad-budget", 64
    )
    assert ready.snapshot() == before


@pytest.mark.parametrize("output", ["absent/out.json", "/proc/out.json", ""])
def test_output_that_cannot_be_written(ready: Desk, output: str) -> None:
    refuses(ready, "output-unwritable", 73, output=output)


def test_read_only_folder(ready: Desk) -> None:
    folder = ready.path("closed")
    folder.mkdir(mode=0o555)
    try:
        (folder / "probe").touch()
        pytest.skip("this user may write anywhere")
    except PermissionError:
        refuses(ready, "output-unwritable", 73, output="closed/out.json")


def test_existing_output(ready: Desk) -> None:
    ready.write("out.json", "precious")
    refuses(ready, "output-exists", 73, "--force")
    assert ready.release("--force").code == 0
    assert ready.path("out.json").read_text() != "precious"


@pytest.mark.parametrize("output", ["survey.csv", "study.toml", "survey.ledger", "survey.ledger.key"])
def test_output_is_an_input(ready: Desk, output: str) -> None:
    refuses(ready, "bad-option", 64, output=output, more=("--force",))


@pytest.mark.parametrize(
    "key", ["not a key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_key_that_is_none(ready: Desk, key: str) -> None:
    ready.write("key.pem", key)
    before = ready.snapshot()
    result = ready.release("--sign", "key.pem")
    assert result.code in (64, 65, 66), result
    assert "key" in result.err
    assert ready.snapshot() == before
    assert ready.balance()["spent"] == {"epsilon": "0"}


def test_key_that_is_missing(ready: Desk) -> None:
    refuses(ready, "input-missing", 66, more=("--sign", "absent.pem"))


def test_counts_without_count_column(ready: Desk) -> None:
    ready.write("counts.csv", "smoker,n\nyes,10\nno,20\n")
    refuses(ready, "column-absent", 65, "count", data="counts.csv", more=("--counts",))


def test_counts_are_not_taken_for_records(ready: Desk) -> None:
    """By the header alone, and so before the charge."""
    ready.write("counts.csv", "smoker,age,cancer,count\nyes,20,no,10\nno,20,no,20\n")
    refuses(ready, "bad-option", 64, "--counts", data="counts.csv")
    look = ready.run("check", "study.toml", "counts.csv", "--to-file", "look.txt")
    ready.refused(look, "bad-option", 64)
    assert "rename that column" in look.err
    assert ready.release("--counts", data="counts.csv").code == 0


def test_a_declared_count_is_a_column_of_records(ready: Desk) -> None:
    ready.write_study(columns=COLUMNS + '[columns.count]\ninteger = [0, 9]\nmissing = "0"\n')
    ready.write("records.csv", "smoker,age,cancer,count\nyes,20,no,1\nno,20,no,2\n")
    assert ready.release(data="records.csv").code == 0
    ready.ok("check", "study.toml", "records.csv", "--to-file", "look.txt")
    ready.write_study()  # and anywhere but last it is like any other
    ready.write("records.csv", "count,smoker,age,cancer\n1,yes,20,no\n2,no,20,no\n")
    assert ready.release(data="records.csv", output="other.json").code == 0


@pytest.mark.parametrize("count", ["ten", "-1", "1.5", "", "NA", "1000000000001", "10,20"])
def test_counts_that_are_none(ready: Desk, count: str) -> None:
    ready.write("counts.csv", f"smoker,count\nyes,10\nno,{count}\n")
    refuses(ready, "input-unreadable", 66, "counts.csv", data="counts.csv", more=("--counts",))


def test_init_replaces_nothing(ready: Desk) -> None:
    before = ready.snapshot()
    ready.refused(ready.run("init", "survey.csv", "-o", "study.toml"), "output-exists", 73)
    ready.refused(ready.run("init", "survey.csv", "-o", "survey.csv", "--force"), "bad-option", 64)
    ready.refused(ready.run("init", "absent.csv", "-o", "new.toml"), "input-missing", 66)
    assert ready.snapshot() == before


def test_audit_takes_no_data(ready: Desk) -> None:
    ready.refused(ready.run("audit", "survey.csv", "--epsilon", "1"), "usage", 64)
    ready.refused(ready.run("audit", "study.toml", "survey.csv", "--epsilon", "1"), "usage", 64)


def test_records_in_place_of_a_study_are_not_looked_at(ready: Desk) -> None:
    """What a parser says about records would depend on one of them."""
    said = set()
    for first in ("yes,20,no", '"7731" = yes\n', "[canary", ""):
        ready.write("records.csv", first + "\nno,30,no\n")
        swapped = ready.release(study="records.csv", data="study.toml")
        ready.refused(swapped, "input-unreadable", 66)
        twice = ready.release(study="records.csv", data="survey.csv")
        ready.refused(twice, "input-unreadable", 66)
        plan = ready.run("plan", "records.csv", "--epsilon", "1")
        ready.refused(plan, "input-unreadable", 66)
        said |= {swapped.err, twice.err, plan.err}
    assert said == {
        "postern: error [input-unreadable]: 'study.toml' is a study by its name, where the records belong; "
        "the study comes first: postern release STUDY DATA\n",
        "postern: error [input-unreadable]: 'records.csv' is no study by its name, and is not read as one; "
        "a study is a .toml file\n",
    }


def test_a_study_or_records_in_place_of_a_release(ready: Desk) -> None:
    for name in ("study.toml", "survey.csv"):
        for command in ("verify", "infer"):
            result = ready.run(command, name)
            ready.refused(result, "release-malformed", 65)
            assert "is not read as a release" in result.err


def test_errors_as_json(ready: Desk) -> None:
    result = ready.release("--json", amount=("--epsilon", "5"))
    assert result.code == 77
    assert result.json["error"]["name"] == "budget-exhausted"
    assert result.json["error"]["exit"] == 77
    assert result.json["error"]["message"]
    assert result.err == ""
    usage = ready.run("plan", "study.toml", "--epsilonn", "1", "--json")
    assert (usage.code, usage.json["error"]["name"]) == (64, "usage")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("relase",), "did you mean release"),
        (("ledger",), "ledger --help"),
        (("ledger", "balanc"), "did you mean balance"),
        (("ledger", "spend"), "see postern ledger --help"),
        (("release",), "STUDY"),
        (("plan", "study.toml"), "one of epsilon and rho"),
        (("release", "study.toml", "survey.csv", "--epsilon", "1", "-o", "x.json"), "--ledger"),
    ],
)
def test_calls_that_say_too_little(ready: Desk, arguments: tuple[str, ...], says: str) -> None:
    result = ready.run(*arguments)
    ready.refused(result, "usage", 64)
    assert says in result.err


def test_columns_the_model_does_not_use_may_be_anything(ready: Desk, tmp_path: Path) -> None:
    ready.write("study.toml", study_text(model=CATEGORICAL, columns=COLUMNS))
    assert ready.release().code == 0
    shutil.copy(ready.path("out.json"), tmp_path / "copy.json")
    ready.write("study.toml", study_text(model=BERNOULLI))
    assert ready.release(output="second.json").code == 0
