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


BODIES = """
version = 1
name = "bodies"
dataset = "bodies"
[privacy]
adjacency = "replace-one"
[columns.height]
real = ["-40", "40"]
grid = "1"
missing = "0"
[columns.weight]
real = ["-40", "60"]
grid = "1"
missing = "0"
[model]
kind = "family"
family = "multivariate-normal"
columns = ["height", "weight"]
prior = { normal-inverse-wishart = { mean = [0, 0], weight = 1, degrees = 5, scale = [[9, 0], [0, 9]] } }
"""


def test_every_kind_of_sum_has_its_name(tmp_path: Path) -> None:
    bodies = pn.Study.parse(BODIES)
    names = [block.statistic for block in pn.plan(bodies, epsilon="1").blocks]
    assert names == [
        "sum of height",
        "sum of weight",
        "sum of squares of height",
        "sum of height x weight",
        "sum of squares of weight",
    ]
    inside = study(model=FAMILY + "\ncount_inside = true")
    ledger = pn.Ledger.create(tmp_path / "v.ledger", inside, budget="100")
    release = pn.release(visits(), inside, epsilon="20", ledger=ledger)
    assert list(release.values) == ["sum of visits", "number of records inside of visits"]


def test_public_rows_are_summed_as_they_are(tmp_path: Path) -> None:
    ledger = pn.Ledger.create(tmp_path / "v.ledger", study(), budget="100")
    release = pn.release(visits(), study(), epsilon="0.001", ledger=ledger)
    public = pandas.DataFrame({"visits": [40] * 3000})
    assert pn.infer(release, public=public).summary()[0].mean == pytest.approx(40, abs=0.2)
    public.to_parquet(tmp_path / "public.parquet")
    again = pn.infer(release, public=tmp_path / "public.parquet").summary()[0]
    assert again.mean == pytest.approx(40, abs=0.2)


@pytest.mark.parametrize("prior", [0.5, {"gamma": [2, 1]}, True, [True, 1]])
def test_a_prior_of_no_known_shape_is_refused(tmp_path: Path, prior: object) -> None:
    ledger = pn.Ledger.create(tmp_path / "v.ledger", study(), budget="100")
    release = pn.release(visits(), study(), epsilon="1", ledger=ledger)
    with pytest.raises(pn.Error) as refused:
        pn.infer(release, prior=prior)  # type: ignore[arg-type]
    assert code_of(refused) == "wrong-type"


def test_quantiles_have_no_noise_and_no_posterior(tmp_path: Path) -> None:
    asked = study(model=QUANTILES)
    plan = pn.plan(asked, epsilon="1")
    assert [block.sd for block in plan.blocks] == [None, None]
    assert "quantile 0.1 of visits" in repr(plan)
    assert plan.notes == ("write the chosen values as the bounds of a study of their own",)
    ledger = pn.Ledger.create(tmp_path / "q.ledger", asked, budget="100")
    release = pn.release(visits(), asked, epsilon="10", ledger=ledger)
    assert [*release.chosen] == ["quantile 0.1 of visits", "quantile 0.9 of visits"]
    assert [release.values[what][0] for what in release.chosen] == [int(x) for x in release.chosen.values()]
    with pytest.raises(pn.Error) as refused:
        pn.infer(release)
    assert code_of(refused) == "engine-unsuitable"


def test_calibration_of_a_number() -> None:
    found = pn.calibrate(study(), epsilon="0.5", n=30, studies=100, seed=1)
    assert [quantity.name for quantity in found.quantities] == ["lambda"]
    assert found.passed
    assert sum(found.quantities[0].histogram) == 100
    assert "█" in repr(found)


ROUNDED = """
version = 1
name = "bodies"
dataset = "bodies"
[privacy]
adjacency = "replace-one"
[columns.x]
integer = [-20, 40]
[columns.y]
integer = [1, 200]
[model]
kind = "family"
{model}
"""
ROUNDED_MODELS = {
    "normal": 'column = "x"\nprior = { normal-inverse-gamma = [0, 1, 3, 4] }',
    "normal-mean": 'column = "x"\nvariance = 9\nprior = { normal = [0, 100] }',
    "log-normal": 'column = "y"\nprior = { normal-inverse-gamma = [0, 1, 3, 4] }',
    "multivariate-normal": 'columns = ["x", "y"]\nprior = { normal-inverse-wishart = '
    "{ mean = [0, 0], weight = 1, degrees = 4, scale = [[4, 0], [0, 4]] } }",
}


@pytest.mark.parametrize("family", ROUNDED_MODELS)
def test_whole_numbers_of_a_real_family_are_rounded_ones(tmp_path: Path, family: str) -> None:
    """Not cut off: then every mean would be half a unit too large."""
    draw = np.random.default_rng(5)
    x, y = draw.normal(1, 3, size=1500), np.exp(draw.normal(3, 0.4, size=1500))
    frame = pandas.DataFrame({"x": np.floor(x + 0.5).astype(int), "y": np.floor(y + 0.5).astype(int)})
    text = ROUNDED.format(model=f'family = "{family}"\n{ROUNDED_MODELS[family]}')
    ledger = pn.Ledger.create(tmp_path / "b.ledger", text_study := pn.Study.parse(text), budget="1000")
    with pytest.warns(UserWarning, match="is large"):
        release = pn.release(frame, text_study, epsilon="500", ledger=ledger)
    post = pn.infer(release, seed=1)
    truth = np.log(y).mean() if family == "log-normal" else x.mean()
    assert post.summary()[0].mean == pytest.approx(truth, abs=0.1 if family != "log-normal" else 0.01)
