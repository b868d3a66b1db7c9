"""Markov networks from Python: the same words and numbers as the program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy
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
    assert "engine-approximate" in [warning.name for warning in potentials.warnings]  # noise of scale 1 or 2
    for query in (None, 5, b"P(cancer = yes)", ["P(cancer = yes)", None]):
        with pytest.raises(pn.Error) as error:
            pn.infer(release, query=query)  # type: ignore[arg-type]
        assert code_of(error) == "wrong-type"
    assert declared.model_columns == release.model_columns == ("smoker", "age", "cancer")
    rows = pandas.DataFrame({"smoker": ["yes", "no"], "age": ["70", "20"]})
    assert len(post.predict_proba(rows, target="cancer", draws=50)) == 2
    public = pandas.concat([FRAME.astype(str)] * 30)  # so many that noise cannot hide what they say
    told = pn.infer(release, draws=100, seed=1, public=public, query="P(cancer = yes | age >= 65)")
    assert told.summary()[-1].mean > 0.99
    assert declared.selecting("adaptive").model_columns == declared.model_columns
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


def multiplied(post: pn.Posterior) -> tuple[list[str], numpy.ndarray, list[dict[str, Any]]]:
    """Names of the columns, their joint table as the UAI file has it, and the cliques of the JSON file."""
    network = json.loads(post.to_json())
    names = [column["column"] for column in network["columns"]]
    sizes = [len(column["levels"]) for column in network["columns"]]
    words = post.to_uai().split()
    assert words[: 3 + len(sizes)] == [
        "MARKOV",
        str(len(sizes)),
        *map(str, sizes),
        str(len(network["cliques"])),
    ]
    numbers = iter(words[3 + len(sizes) :])
    scopes = [[int(next(numbers)) for _ in range(int(next(numbers)))] for _ in network["cliques"]]
    joint = numpy.ones(sizes)
    for scope, clique in zip(scopes, network["cliques"], strict=True):
        table = [float(next(numbers)) for _ in range(int(next(numbers)))]
        assert ([names[v] for v in scope], table) == (clique["columns"], clique["factor"])
        joint = joint * numpy.reshape(table, [k if v in scope else 1 for v, k in enumerate(sizes)])
    return names, joint, network["cliques"]


@pytest.mark.parametrize("engine", ["auto", "map"])
@pytest.mark.parametrize(
    "model",
    ['cliques = [["smoker", "age"], ["age", "cancer"], ["age"]]', 'pattern = "all-pairs"', 'select = "tree"'],
)
def test_its_files_multiply_to_one_law(tmp_path: Path, model: str, engine: str) -> None:
    declared = pn.Study.parse(STUDY + model)
    ledger = pn.Ledger.create(tmp_path / "people.ledger", declared, budget="10")
    post = pn.infer(pn.release(FRAME, declared, epsilon="3", ledger=ledger), draws=100, seed=1, engine=engine)
    names, joint, cliques = multiplied(post)
    assert abs(joint.sum() - 1) < 1e-12
    for clique in cliques:
        rest = tuple(v for v, name in enumerate(names) if name not in clique["columns"])
        assert numpy.abs(joint.sum(axis=rest).ravel() - clique["probabilities"]).max() < 1e-10
    (tmp_path / "network.bif").write_text(post.to_bif())
    alone = pn.read_bif(tmp_path / "network.bif").posteriors()
    for v, name in enumerate(names):
        found = joint.sum(axis=tuple(w for w in range(len(names)) if w != v))
        assert numpy.abs(found - list(alone[name].values())).max() < 1e-10
    post.save(tmp_path / "post")
    assert (tmp_path / "post" / "network.uai").read_text() == post.to_uai()
    assert (tmp_path / "post" / "network.json").read_text() == post.to_json()
    assert pn.Posterior.load(tmp_path / "post").to_json() == post.to_json()


def test_a_bayesian_network_makes_no_uai(tmp_path: Path) -> None:
    declared = pn.Study.parse(STUDY.replace("markov-net", "bayes-net") + "edges = []")
    ledger = pn.Ledger.create(tmp_path / "people.ledger", declared, budget="10")
    post = pn.infer(pn.release(FRAME, declared, epsilon="3", ledger=ledger), draws=100)
    assert post.to_bif().startswith("network")
    for text in (post.to_uai, post.to_json):
        with pytest.raises(pn.Error) as error:
            text()
        assert code_of(error) == "unsupported"
