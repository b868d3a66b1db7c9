"""Bayesian networks from Python: the owner's side, frames in, verified releases out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas
import polars
import postern as pn
import pyarrow
import pytest

from tests.python.desk import code_of

STUDY = """
version = 1
name = "lung"
dataset = "clinic"
[privacy]
adjacency = "{adjacency}"
{n}
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
{model}
"""
NETWORK = 'kind = "bayes-net"\nedges = [["smoker", "cancer"], ["age", "cancer"]]'
NAIVE = 'kind = "naive-bayes"\nclass = "cancer"'
BIF = """network lung { }
variable smoker { type discrete [ 2 ] { no, yes }; }
variable cancer { type discrete [ 2 ] { no, yes }; }
probability ( smoker ) { table 0.7, 0.3; }
probability ( cancer | smoker ) { (no) 0.95, 0.05; (yes) 0.8, 0.2; }
"""
FRAME = pandas.DataFrame({"smoker": ["no", "yes"] * 50, "age": [20, 70] * 50, "cancer": ["no", "yes"] * 50})


def study(model: str = NETWORK, adjacency: str = "replace-one") -> pn.Study:
    n = "n = { at_most = 5000 }" if adjacency == "add-remove" else ""
    return pn.Study.parse(STUDY.format(adjacency=adjacency, n=n, model=model))


@pytest.mark.parametrize("make", [lambda frame: frame, pyarrow.table, polars.from_pandas])
@pytest.mark.parametrize("model", [NETWORK, NAIVE])
@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
def test_frames_are_released_and_verified(tmp_path: Path, make: Any, model: str, adjacency: str) -> None:
    declared = study(model, adjacency)
    ledger = pn.Ledger.create(tmp_path / "lung.ledger", declared, budget="10")
    release = pn.release(make(FRAME), declared, epsilon="1", ledger=ledger)
    assert all(check.passed for check in pn.verify(release))


def test_a_plan_tells_cost_and_noise() -> None:
    plan = pn.plan(study(), epsilon="1", n=500, shares={"cancer": "2"}, simulations=1)
    assert [block.cells for block in plan.blocks] == [1, 3, 12]
    assert len(plan.widths) == 17
    with pytest.raises(pn.Error) as error:
        pn.plan(study(), epsilon="1", shares={"lung": "2"})
    assert code_of(error) == "bad-option"


def test_a_plan_compares_the_mechanisms() -> None:
    plan = pn.plan(study(), epsilon="1", n=500, simulations=1)
    assert plan.mechanisms is not None
    assert [row.mechanism for row in plan.mechanisms.rows] == ["laplace", "fourier", "posterior-draw", "map"]
    assert f"recommended: {plan.mechanisms.recommended}; " in repr(plan)
    assert pn.plan(study(), epsilon="1").mechanisms is None


def test_an_audit_finds_nothing() -> None:
    assert pn.audit(study(), epsilon="2", runs=300).passed


def test_a_network_is_drafted_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lung.bif").write_text(BIF)
    pn.init("lung.bif", "study.toml", network=True)
    assert len(pn.plan("study.toml", epsilon="1").blocks) == 2
    with pytest.raises(pn.Error) as error:
        pn.init(FRAME, network=True)
    assert code_of(error) == "bad-option"


def test_a_circle_is_refused_by_name() -> None:
    with pytest.raises(pn.Error, match=r"'smoker' -> 'cancer'|'cancer' -> 'smoker'") as error:
        study('kind = "bayes-net"\nedges = [["smoker", "cancer"], ["cancer", "smoker"]]')
    assert code_of(error) == "bad-value"
