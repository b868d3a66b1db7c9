"""Markov chains through the program: people's sequences in long form, from a study to the matrix."""

from __future__ import annotations

import json
import random

import pytest

from tests.cli.desk import Desk

STUDY = """
version = 1
name = "days"
dataset = "building"
[privacy]
currency = "{currency}"
adjacency = "add-remove"
unit = {{ column = "person", at_most = 5 }}
n = {{ at_most = 5000 }}
[columns.slot]
integer = [0, 20]
missing = "drop"
outside = "drop"
[columns.place]
categories = ["away", "hall", "lab"]
missing = "drop"
outside = "drop"
[model]
kind = "markov-chain"
state = "place"
time = "slot"
{more}
"""


def write(desk: Desk, currency: str = "pure", more: str = "") -> None:
    desk.path("study.toml").write_text(STUDY.format(currency=currency, more=more))
    draw = random.Random(1)
    rows = [f"p{person},{slot},{draw.choice(['away', 'hall', 'hall', 'lab'])}"
            for person in range(150) for slot in range(draw.randrange(1, 20))]
    draw.shuffle(rows)
    lines = ["person,slot,place", *rows, "p1,99,hall", ",3,lab", "bad"]
    desk.path("days.csv").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(("currency", "amount", "sensitivity"), [
    ("pure", "--epsilon", "6000"), ("zcdp", "--rho", "26000000")])
@pytest.mark.parametrize("more", ["", 'idle = "away"\nprior = { dirichlet = 1 }'])
def test_from_sequences_to_a_matrix(
    desk: Desk, currency: str, amount: str, sensitivity: str, more: str
) -> None:
    write(desk, currency, more)
    plan = desk.ok("plan", "study.toml", amount, "4", "--json").json
    assert [block["cells"] for block in plan["blocks"]] == [3, 9]
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "days.ledger")
    desk.ok("release", "study.toml", "days.csv", amount, "4", "--ledger", "days.ledger", "-o", "out.json")
    checks = desk.ok("verify", "out.json", "--json").json["checks"]
    assert all(check["passed"] for check in checks), checks
    document = json.loads(desk.path("out.json").read_text())
    assert list(document["measurements"][0]["sensitivity"].values()) == [sensitivity]
    found = desk.ok("infer", "out.json", "-o", "post", "--draws", "100", "--json").json
    mean = {row["name"]: row["mean"] for row in found["summary"]}
    assert sum(mean[f"transition.2.{to}"] for to in (1, 2, 3)) == pytest.approx(1, abs=1e-9)
    assert mean["transition.2.2"] == pytest.approx(0.5, abs=0.15)
    assert (mean["transition.1.1"] == 0) == bool(more)


def test_a_chain_needs_people(desk: Desk) -> None:
    write(desk)
    people = 'unit = { column = "person", at_most = 5 }'
    study = desk.path("study.toml")
    study.write_text(study.read_text().replace(people, 'unit = "record"'))
    refused = desk.run("plan", "study.toml", "--epsilon", "1")
    assert refused.error == "bad-value"
    assert "sequences" in refused.err


def test_counts_are_no_sequences(desk: Desk) -> None:
    write(desk)
    desk.path("counts.csv").write_text("slot,place,count\n0,hall,3\n")
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "days.ledger")
    where = ("--ledger", "days.ledger", "-o", "out.json")
    refused = desk.run("release", "study.toml", "counts.csv", "--counts", "--epsilon", "1", *where)
    assert refused.code != 0
    assert desk.ok("ledger", "balance", "days.ledger", "--json").json["charges"] == 0


def test_an_audit_sees_sequences(desk: Desk) -> None:
    write(desk)
    rows = desk.ok("audit", "study.toml", "--epsilon", "4", "--runs", "2000", "--json").json["pairs"]
    assert max(row["bound"] for row in rows) > 0.5
    assert all(row["bound"] <= 4 for row in rows)
