"""Markov chains from Python: a frame in long form, and how well the matrix tells held-out moves."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pandas
import postern as pn
import pytest

PLACES = ["away", "hall", "lab"]
MATRIX = {"away": [0.7, 0.3, 0.0], "hall": [0.2, 0.5, 0.3], "lab": [0.0, 0.3, 0.7]}
STUDY = """
version = 1
name = "days"
dataset = "building"
[privacy]
adjacency = "add-remove"
unit = { column = "person", at_most = 6 }
n = { at_most = 5000 }
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
"""


def people(numbers: range) -> pandas.DataFrame:
    draw = random.Random(numbers.start)
    rows = []
    for person in numbers:
        place = "hall"
        for slot in range(draw.randrange(2, 12)):
            rows.append((person, slot, place))
            place = draw.choices(PLACES, MATRIX[place])[0]
    return pandas.DataFrame(rows, columns=["person", "slot", "place"]).sample(frac=1, random_state=1)


def moves(frame: pandas.DataFrame) -> list[tuple[int, int]]:
    frame = frame.sort_values(["person", "slot"])
    following = frame.shift(-1)
    same = (following.person == frame.person) & (following.slot == frame.slot + 1)
    pairs = zip(frame.place[same], following.place[same], strict=True)
    return [(PLACES.index(a), PLACES.index(b)) for a, b in pairs]


def test_from_a_frame_to_held_out_moves(tmp_path: Path) -> None:
    study = pn.Study.parse(STUDY)
    ledger = pn.Ledger.create(tmp_path / "building.ledger", study, budget="10")
    release = pn.release(people(range(300)), study, epsilon="3", ledger=ledger)
    assert all(check.passed for check in pn.verify(release))
    post = pn.infer(release, draws=100, seed=1)
    mean = {row.name: row.mean for row in post.summary()}
    held_out = moves(people(range(300, 400)))
    score = sum(math.log(mean[f"transition.{a + 1}.{b + 1}"]) for a, b in held_out) / len(held_out)
    best = sum(math.log(MATRIX[PLACES[a]][b]) for a, b in held_out) / len(held_out)
    assert best - 0.1 < score < best + 0.02
    assert score > -math.log(3) + 0.1
    found = post.predict_proba(people(range(300, 400)))
    first = [mean[f"initial.{1 + PLACES.index('hall')}"]] * 100  # where everybody begins
    total = sum(map(math.log, first)) + score * len(held_out)
    assert found.log_loss == pytest.approx(-total / (100 + len(held_out)), abs=1e-9)


def test_questions_and_people_made_up(tmp_path: Path) -> None:
    study = pn.Study.parse(STUDY)
    ledger = pn.Ledger.create(tmp_path / "building.ledger", study, budget="10")
    release = pn.release(people(range(100)), study, epsilon="3", ledger=ledger)
    post = pn.infer(release, draws=100, seed=1, query=["P(place after 2 = lab | place = away)"])
    draws = post.to_pandas()
    paths = sum(draws[f"transition.1.{via}"] * draws[f"transition.{via}.3"] for via in (1, 2, 3))
    assert (paths - draws["query.1"]).abs().max() < 1e-14
    gap = {"person": ["a", "a"], "slot": [1, 3], "place": ["away", None]}
    assert post.predict_proba(gap).probabilities[1, 2] == pytest.approx(paths.mean(), abs=1e-12)
    made = post.synthesize(40, length=8, seed=2).to_pandas()
    assert list(made.columns) == ["person", "slot", "place"]
    assert made.groupby("person").size().tolist() == [8] * 5
    with pytest.raises(pn.Error, match="1 to 21 records"):
        post.synthesize(40, length=22)


def test_a_plan_of_a_chain() -> None:
    plan = pn.plan(pn.Study.parse(STUDY), epsilon="0.01", n=100, simulations=2)
    assert len(plan.widths) == 12
    assert [warning.name for warning in plan.warnings] == ["noise-outweighs-counts"]
