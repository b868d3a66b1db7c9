"""A choice among candidates, from Python: engines, bounds, releases together, odd records."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas
import postern as pn
import pytest

from tests.python.desk import code_of

COIN = {"family": "bernoulli", "column": "smoker", "candidates": ["0.1", "0.3", "0.5", "0.7", "0.9"]}
MEAN = {
    "family": "normal-mean",
    "column": "age",
    "variance": "100",
    "prior": {"normal": ["50", "100"]},
    "candidates": ["30", "40", "50", "60"],
    "power": "0.05",
}
FRAME = pandas.DataFrame({"smoker": ["yes", "no", "no"] * 40, "age": [45, 50, 55] * 40})


def study(model: dict[str, Any], dataset: str = "survey", adjacency: str = "replace-one") -> pn.Study:
    privacy: dict[str, Any] = {"adjacency": adjacency}
    if adjacency == "add-remove":
        privacy["n"] = {"at_most": 1000}
    return pn.Study.from_dict(
        {
            "version": 1,
            "name": "choice",
            "dataset": dataset,
            "privacy": privacy,
            "columns": {
                "smoker": {"categories": ["no", "yes"], "missing": "no"},
                "age": {"integer": [20, 80], "missing": "50"},
            },
            "model": {"kind": "choice", **model},
        }
    )


def ledger_of(declared: pn.Study, folder: Path) -> pn.Ledger:
    return pn.Ledger.create(folder / f"{declared.dataset}.ledger", declared, budget="100")


@pytest.mark.parametrize("model", [COIN, MEAN])
def test_bounds_can_be_asked_for_and_tell_their_gap(model: dict[str, Any], tmp_path: Path) -> None:
    declared = study(model)
    release = pn.release(FRAME, declared, epsilon="0.5", ledger=ledger_of(declared, tmp_path))
    post = pn.infer(release, engine="bounds")
    assert post.engine == "bounds"
    assert any("nats apart within four standard deviations" in note for note in post.notes)
    assert any("lies between" in note for note in post.notes)
    best = pn.infer(release)
    assert post.summary()[0].mean == pytest.approx(best.summary()[0].mean, abs=0.6 * best.summary()[0].sd)


def test_bounds_that_are_far_apart_are_told(tmp_path: Path) -> None:
    declared = study(COIN)
    release = pn.release(FRAME, declared, epsilon="20", ledger=ledger_of(declared, tmp_path))
    with pytest.warns(UserWarning, match="bounds-far-apart"):
        narrow = pn.infer(release, engine="bounds")
    assert narrow.summary()[0].sd < pn.infer(release).summary()[0].sd


def test_bounds_are_for_one_parameter_and_public_n(tmp_path: Path) -> None:
    declared = study(COIN, adjacency="add-remove")
    release = pn.release(FRAME, declared, epsilon="1", ledger=ledger_of(declared, tmp_path))
    with pytest.raises(pn.Error) as error:
        pn.infer(release, engine="bounds")
    assert code_of(error) == "engine-unsuitable"


def test_releases_of_one_record_set_are_combined_and_of_several_are_not(tmp_path: Path) -> None:
    declared = study(COIN)
    ledger = ledger_of(declared, tmp_path)
    releases = [pn.release(FRAME, declared, epsilon="2", ledger=ledger) for _ in range(3)]
    assert pn.infer(releases).summary()[0].sd < pn.infer(releases[0]).summary()[0].sd
    other = study(COIN, dataset="elsewhere")
    foreign = pn.release(FRAME, other, epsilon="2", ledger=ledger_of(other, tmp_path))
    with pytest.raises(pn.Error, match="infer from each dataset alone"):
        pn.infer([releases[0], foreign])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", [COIN, MEAN])
def test_odd_records_give_an_honest_posterior(model: dict[str, Any], tmp_path: Path) -> None:
    odd = pandas.DataFrame({"smoker": [None, "?"] * 50, "age": [float("nan"), float("inf")] * 50})
    declared = study(model)
    post = pn.infer(pn.release(odd, declared, epsilon="1", ledger=ledger_of(declared, tmp_path)), draws=200)
    assert math.isfinite(post.summary()[0].mean) and post.summary()[0].sd > 0
