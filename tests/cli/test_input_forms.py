"""Forms in which records, counts and names of columns come in."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from tests.cli.desk import Desk, study_text

CANARY = "canary4711"


def exact(desk: Desk, data: str, *more: str) -> Any:
    """What is released where the noise is zero but for a chance of less than e^-100."""
    number = len(list(desk.folder.glob("*.ledger")))
    desk.write_study("exact.toml", dataset=f"set-{number}")
    desk.ok("ledger", "init", "exact.toml", "--budget", "1000", "-o", f"{number}.ledger")
    result = desk.release(
        *more,
        study="exact.toml",
        data=data,
        ledger=f"{number}.ledger",
        output=f"{number}.json",
        amount=("--epsilon", "1000"),
    )
    assert result.code == 0, result
    document = json.loads(desk.path(f"{number}.json").read_text())
    return document["n"], document["measurements"] if "measurements" in document else document["blocks"]


def test_every_form_means_the_same(ready: Desk) -> None:
    plain = ready.path("survey.csv").read_bytes()
    ready.write("a.csv.gz", gzip.compress(plain))
    ready.write("b.csv", plain.replace(b",", b";"))
    ready.write("c.tsv", plain.replace(b",", b"\t"))
    ready.write(
        "d.csv.gz",
        gzip.compress(plain[:900].replace(b",", b"|")) + gzip.compress(plain[900:].replace(b",", b"|")),
    )
    truth = exact(ready, "survey.csv")
    assert exact(ready, "a.csv.gz") == truth
    assert exact(ready, "b.csv", "--delimiter", ";") == truth
    assert exact(ready, "c.tsv", "--delimiter", "tab") == truth
    assert exact(ready, "d.csv.gz", "--delimiter", "|") == truth
    ready.write("counts.csv", 'smoker;count\nyes;"60"\nno;1.4e2\n')
    assert exact(ready, "counts.csv", "--counts", "--delimiter", ";") == truth


def test_a_packed_file_that_breaks_off_is_paid_for_and_tells_nothing(ready: Desk) -> None:
    text = "smoker,age,cancer\n" + "".join(f"yes,{i % 80},{CANARY}{i * 7919}\n" for i in range(200_000))
    packed = gzip.compress(text.encode())
    ready.write("survey.csv.gz", packed[: len(packed) - 100])
    result = ready.release(data="survey.csv.gz")
    ready.refused(result, "input-unreadable", 66)
    assert CANARY not in result.err
    assert "the charge stands" in result.err
    assert ready.balance()["spent"] == {"epsilon": "1"}


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        (b"PK\x03\x04\x14\x00", "input-unreadable", "save the table as CSV"),
        ("smoker,age,cancer\n".encode("utf-16"), "input-unreadable", "UTF-16"),
        (b"smoker;age;cancer\nyes;20;no\n", "no-header", "--delimiter ;"),
        (b"Smoker,Age,Cancer\nyes,20,no\n", "column-absent", "capitals"),
        (b"PAR1\x15\x04", "input-unreadable", "--format"),
    ],
)
def test_other_files_are_recognised_before_the_charge(
    ready: Desk, content: bytes, name: str, says: str
) -> None:
    ready.write("survey.csv", content)
    result = ready.release()
    assert result.error == name, result
    assert says in result.err
    assert ready.balance()["spent"] == {"epsilon": "0"}


@pytest.mark.parametrize("delimiter", ["", "x", ";;", '"'])
def test_delimiters_that_are_none(ready: Desk, delimiter: str) -> None:
    ready.refused(ready.release("--delimiter", delimiter), "bad-option", 64)


def test_a_folder_has_no_delimiter(ready: Desk) -> None:
    ready.path("tables").mkdir()
    ready.refused(ready.release("--delimiter", ";", data="tables"), "bad-option", 64)


@pytest.mark.parametrize(
    "line", [f"{CANARY},41,no", f"{CANARY},", f"{CANARY},{CANARY}", f"2020-01-02,{CANARY}"]
)
def test_init_takes_no_record_for_a_header(desk: Desk, line: str) -> None:
    desk.write("survey.csv", f"{line}\nx,2,yes\n")
    result = desk.run("init", "survey.csv", "-o", "study.toml")
    desk.refused(result, "no-header", 65)
    assert CANARY not in result.err
    assert "--columns" in result.err
    assert not desk.path("study.toml").exists()
    desk.ok("init", "survey.csv", "--columns", "name,age,smoker", "-o", "study.toml")
    text = desk.path("study.toml").read_text()
    assert CANARY not in text
    assert "[columns.smoker]" in text
    for names in ("", ",", "a,,b", "a,"):
        bad = desk.run("init", "survey.csv", "--columns", names, "-o", "other.toml")
        desk.refused(bad, "bad-option", 64)


def test_init_of_packed_and_separated_files(desk: Desk) -> None:
    desk.write("survey.csv.gz", gzip.compress(b"smoker;age\nyes;20\n"))
    desk.refused(desk.run("init", "survey.csv.gz", "-o", "study.toml"), "no-header", 65)
    done = desk.ok("init", "survey.csv.gz", "--delimiter", ";", "-o", "study.toml", "--json")
    assert done.json["columns"] == ["smoker", "age"]
    assert 'name    = "survey"' in desk.path("study.toml").read_text()


def test_amounts_as_people_write_them(ready: Desk) -> None:
    assert ready.release(amount=("--epsilon", ".5"), output="a.json").code == 0
    assert ready.release(amount=("--epsilon", "5e-1"), output="b.json").code == 0
    assert ready.balance()["spent"] == {"epsilon": "1"}
    ready.write("other.toml", study_text(dataset="other"))
    ready.ok("ledger", "init", "other.toml", "--budget", "1e-3", "-o", "other.ledger")
    assert ready.balance("other.ledger")["budget"] == {"epsilon": "0.001"}


@pytest.mark.parametrize("prior", ["beta .5 2e0", "beta 5e-1 2", ".5, .2e1"])
def test_priors_as_people_write_them(ready: Desk, prior: str) -> None:
    assert ready.release().code == 0
    usual = ready.ok("infer", "out.json", "--prior", "beta 0.5 2", "--json").json
    said = ready.ok("infer", "out.json", "--prior", prior, "--json").json
    assert said["summary"] == usual["summary"]
    ready.refused(ready.run("infer", "out.json", "--prior", "beta 1e-7 1"), "bad-prior", 65)
