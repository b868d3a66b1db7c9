"""Markov chains through the program: people's sequences in long form, from a study to the matrix."""

from __future__ import annotations

import csv
import json
import math
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
    rows = [
        f"p{person},{slot},{draw.choice(['away', 'hall', 'hall', 'lab'])}"
        for person in range(150)
        for slot in range(draw.randrange(1, 20))
    ]
    draw.shuffle(rows)
    lines = ["person,slot,place", *rows, "p1,99,hall", ",3,lab", "bad"]
    desk.path("days.csv").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("currency", "amount", "sensitivity"), [("pure", "--epsilon", "6000"), ("zcdp", "--rho", "26000000")]
)
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


def infer(desk: Desk, more: str = "", *options: str) -> dict[str, float]:
    """A posterior in the folder post; the means of its rows by their names."""
    write(desk, more=more)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "days.ledger")
    where = ("--ledger", "days.ledger", "-o", "out.json")
    desk.ok("release", "study.toml", "days.csv", "--epsilon", "4", *where)
    found = desk.ok("infer", "out.json", "-o", "post", "--draws", "50", "--json", *options).json
    return {row["name"]: row["mean"] for row in found["summary"]}


def test_a_plan_speaks_of_people_and_transitions(desk: Desk) -> None:
    write(desk)
    out = desk.ok("plan", "study.toml", "--epsilon", "4", "--n", "600", "--simulations", "3").out
    words = " ".join(out.split())
    assert "at most 5 transitions each" in words
    assert "for everything that one person did" in words
    assert "of one record" not in words
    assert "P(next place = lab | place = hall)" in out
    assert "n = 600 is 100 of them" in words
    assert "noise-outweighs-counts" not in out
    few = desk.ok("plan", "study.toml", "--epsilon", "0.1", "--n", "100", "--simulations", "3", "--json").json
    assert [warning["name"] for warning in few["warnings"]] == ["noise-outweighs-counts"]
    assert "transitions" in few["warnings"][0]["text"]
    assumed = ("--at", "P(next place = lab | place = hall) 0.9", "--n", "600", "--simulations", "3")
    assert len(desk.ok("plan", "study.toml", "--epsilon", "4", *assumed, "--json").json["width_90"]) == 12


def test_questions_about_steps(desk: Desk) -> None:
    mean = infer(
        desk,
        "",
        "--query",
        "P(next place = lab | place = hall)",
        "--query",
        "P(long-run place != hall) + P(long-run place = hall)",
        "--query",
        "E(steps to place = lab | place = lab)",
    )
    assert mean["query.1"] == pytest.approx(mean["transition.2.3"], abs=0.03)  # of 200 draws, and exactly
    assert mean["query.2"] == pytest.approx(1, abs=1e-12)
    assert mean["query.3"] == 0
    refused = desk.run("infer", "out.json", "--query", "P(nxt place = lab)")
    assert refused.error == "bad-option"
    assert "'next place'" in refused.err


def test_sequences_are_predicted_and_judged(desk: Desk) -> None:
    mean = infer(desk)
    desk.path("seen.csv").write_text("slot,person,place\n4,a,lab\n3,a,hall\n5,a,\n9,b,hall\n")
    found = desk.ok("predict", "post", "seen.csv", "--json").json
    assert found["target"] == "place"
    rows = [
        [mean[f"transition.2.{to}"] for to in (1, 2, 3)],
        [mean[f"initial.{to}"] for to in (1, 2, 3)],
        [mean[f"transition.3.{to}"] for to in (1, 2, 3)],
        [mean[f"initial.{to}"] for to in (1, 2, 3)],
    ]
    for row, wanted in zip(found["predictions"], rows, strict=True):
        assert row["probability"] == pytest.approx(wanted, abs=1e-9)
    likelihood = rows[0][2] * rows[1][1] * rows[3][1]
    assert found["judged"] == 3
    assert found["log_loss"] == pytest.approx(-math.log(likelihood) / 3, abs=1e-9)
    desk.path("nobody.csv").write_text("slot,place\n4,lab\n3,hall\n")
    refused = desk.run("predict", "post", "nobody.csv")
    assert refused.error == "bad-option"
    assert "'person'" in refused.err


def test_synthetic_people_can_be_released_again(desk: Desk) -> None:
    infer(desk, 'idle = "away"')
    desk.ok("synth", "post", "-n", "50", "--length", "4", "-o", "people.csv")
    rows = list(csv.DictReader(desk.path("people.csv").open()))
    assert list(rows[0]) == ["person", "slot", "place"]
    assert [row["slot"] for row in rows[:5]] == ["0", "1", "2", "3", "0"]
    assert rows[-1]["person"] == "13"
    again = ("--epsilon", "1", "--ledger", "days.ledger", "-o", "again.json")
    desk.ok("release", "study.toml", "people.csv", *again)
    assert desk.run("synth", "post", "--length", "22").error == "bad-option"


def test_a_calibration_simulates_people(desk: Desk) -> None:
    write(desk)
    found = desk.ok("calibrate", "study.toml", "--epsilon", "4", "--studies", "20", "--json").json
    assert found["calibrated"]
    assert len(found["quantities"]) == 12
