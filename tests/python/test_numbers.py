"""Families of numbers from Python: frames in, posteriors out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import postern as pn
import pytest

from tests.python.desk import code_of

POISSON = """
version = 1
name = "visits"
dataset = "clinic"
[privacy]
adjacency = "{adjacency}"
{n}
[columns.visits]
integer = [0, 20]
missing = "0"
[model]
{model}
"""
FAMILY = 'kind = "family"\nfamily = "poisson"\ncolumn = "visits"\nprior = { gamma = [2, 1] }'
QUANTILES = 'kind = "quantiles"\ncolumn = "visits"\nat = ["0.1", "0.9"]'


def study(adjacency: str = "replace-one", model: str = FAMILY) -> pn.Study:
    n = "n = { at_most = 5000 }" if adjacency == "add-remove" else ""
    return pn.Study.parse(POISSON.format(adjacency=adjacency, n=n, model=model))


def visits() -> pandas.DataFrame:
    return pandas.DataFrame({"visits": np.random.default_rng(3).poisson(3.2, size=1000)})


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
def test_a_rate_is_found_again(tmp_path: Path, adjacency: str) -> None:
    ledger = pn.Ledger.create(tmp_path / "v.ledger", study(adjacency), budget="100")
    release = pn.release(visits(), study(adjacency), epsilon="20", ledger=ledger)
    post = pn.infer(release, seed=1)
    assert post.engine == "exact"
    row = post.summary()[0]
    assert (row.name, row.label) == ("lambda", "mean of visits")
    assert row.mean == pytest.approx(3.2, abs=0.35)
    assert post.to_pandas()["lambda"].mean() == pytest.approx(row.mean, abs=0.01)


def test_plan_words_and_another_prior(tmp_path: Path) -> None:
    plan = pn.plan(study("add-remove"), epsilon="1", n=500, simulations=5)
    assert [block.statistic for block in plan.blocks] == ["sum of visits", "number of records"]
    assert [row.label for row in plan.widths] == ["mean of visits", "number of records"]
    ledger = pn.Ledger.create(tmp_path / "v.ledger", study(), budget="100")
    release = pn.release(visits(), study(), epsilon="1", ledger=ledger)
    firm = pn.infer(release, prior="gamma 100000 10000").summary()[0]
    # So far from the noisy sum its Laplace noise pulls with a constant force, n/20 against the prior's 1000.
    assert firm.mean == pytest.approx(10 - 0.05, abs=0.01)
    with pytest.raises(pn.Error) as refused:
        pn.infer(release, prior="beta 1 1")
    assert code_of(refused) == "bad-prior"


def test_quantiles_have_no_noise_and_no_posterior(tmp_path: Path) -> None:
    asked = study(model=QUANTILES)
    plan = pn.plan(asked, epsilon="1")
    assert [block.sd for block in plan.blocks] == [None, None]
    assert "quantile 1/10 of visits" in repr(plan)
    ledger = pn.Ledger.create(tmp_path / "q.ledger", asked, budget="100")
    release = pn.release(visits(), asked, epsilon="10", ledger=ledger)
    with pytest.raises(pn.Error) as refused:
        pn.infer(release)
    assert code_of(refused) == "engine-unsuitable"


def test_calibration_of_a_number() -> None:
    found = pn.calibrate(study(), epsilon="0.5", n=30, studies=100, seed=1)
    assert [quantity.name for quantity in found.quantities] == ["lambda"]
    assert found.passed
