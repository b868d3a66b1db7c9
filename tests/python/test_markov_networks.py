"""Markov networks from Python: the same words and numbers as the program."""

from __future__ import annotations

from pathlib import Path

import pandas
import postern as pn
import pytest

from tests.python.desk import code_of

STUDY = """
version = 1
name = "people"
dataset = "census"
[privacy]
adjacency = "add-remove"
n = { at_most = 5000 }
[columns.smoker]
categories = ["no", "yes"]
missing = "no"
[columns.age]
integer = [18, 99]
cuts = [40, 65]
missing = "40-64"
[columns.cancer]
categories = ["no", "yes"]
missing = "no"
[model]
kind = "markov-net"
"""
ANSWERS = ["no", "yes"] * 150
FRAME = pandas.DataFrame({"smoker": ANSWERS, "age": [20, 70] * 150, "cancer": ANSWERS})


@pytest.mark.parametrize(
    ("model", "engine"),
    [
        ('cliques = [["smoker", "age"], ["age", "cancer"]]', "exact"),
        ('pattern = "all-pairs"', "tables"),
        ('select = "tree"', "tables"),
    ],
)
def test_from_a_frame_to_answers(tmp_path: Path, model: str, engine: str) -> None:
    declared = pn.Study.parse(STUDY + model)
    ledger = pn.Ledger.create(tmp_path / "people.ledger", declared, budget="10")
    release = pn.release(FRAME, declared, epsilon="3", ledger=ledger)
    assert all(check.passed for check in pn.verify(release))
    post = pn.infer(release, draws=100, seed=1, query="P(cancer = yes | age >= 65)")
    assert post.engine == engine
    assert 0.5 < post.summary()[-1].mean <= 1
    assert len(post.synthesize(50, seed=1)) == 50
    assert 0 < post.summary()[-1].sd < 0.3
    potentials = pn.infer(release, draws=100, seed=1, engine="potentials")
    assert potentials.engine == "potentials"
    mode = pn.infer(release, engine="map")
    assert [warning.name for warning in mode.warnings] == ["no-interval"]
    assert pn.infer(release, estimator="l2").engine == "l2"
    with pytest.raises(pn.Error) as error:
        pn.infer(release, engine="map", memory_limit=1000)
    assert code_of(error) == "engine-limit"


def test_other_models_have_no_mode(tmp_path: Path) -> None:
    declared = pn.Study.parse(STUDY.replace("markov-net", "bayes-net") + "edges = []")
    ledger = pn.Ledger.create(tmp_path / "people.ledger", declared, budget="10")
    release = pn.release(FRAME, declared, epsilon="3", ledger=ledger)
    with pytest.raises(pn.Error) as error:
        pn.infer(release, engine="map")
    assert code_of(error) == "engine-unsuitable"


@pytest.mark.parametrize("select", ["tree", "adaptive"])
def test_select_on_a_study_that_only_names_columns(tmp_path: Path, select: str) -> None:
    text = STUDY.replace('[model]\nkind = "markov-net"\n', "")
    (tmp_path / "columns.toml").write_text(text)
    declared = pn.Study.load(tmp_path / "columns.toml", select=select)
    plan = pn.plan(tmp_path / "columns.toml", epsilon="3", select=select, n=300)
    assert plan.memory_bytes and any("treewidth" in note for note in plan.notes)
    ledger = pn.Ledger.create(tmp_path / "people.ledger", declared, budget="10")
    release = pn.release(FRAME, tmp_path / "columns.toml", epsilon="3", ledger=ledger, select=select)
    assert all(check.passed for check in pn.verify(release))
    made = pn.infer(release, draws=100, seed=1, engine="map").synthesize(10, seed=1)
    assert len(made) == 10


def test_select_keeps_what_a_study_says_of_its_network() -> None:
    declared = pn.Study.parse(STUDY + 'select = "adaptive"\npairs = 1\ncolumns = ["smoker", "age", "cancer"]')
    assert declared.selecting("adaptive").to_dict()["model"]["pairs"] == 1
    tree = declared.selecting("tree").to_dict()["model"]
    assert (tree["columns"], "pairs" in tree) == (["smoker", "age", "cancer"], False)
    with pytest.raises(pn.Error) as error:
        declared.selecting("forest")
    assert code_of(error) == "bad-option"


def test_several_synthetic_data_sets_of_a_loop_give_its_interval(tmp_path: Path) -> None:
    declared = pn.Study.parse(STUDY + 'pattern = "all-pairs"')
    ledger = pn.Ledger.create(tmp_path / "people.ledger", declared, budget="10")
    release = pn.release(FRAME, declared, epsilon="3", ledger=ledger)
    post = pn.infer(release, draws=100, seed=1, query="P(cancer = yes)")
    sets = post.synthesize(500, datasets=20, seed=1)
    shares = [made.to_dict()["cancer"].count("yes") / 500 for made in sets]
    centre = sum(shares) / 20
    between = sum((share - centre) ** 2 for share in shares) / 19
    within = sum(share * (1 - share) / 500 for share in shares) / 20
    answer = post.summary()[-1]
    assert abs(centre - answer.mean) < 4 * (between / 20) ** 0.5
    assert 0 < 1.05 * between - within < 9 * answer.sd**2
