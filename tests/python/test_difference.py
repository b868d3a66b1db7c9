"""Differences between posteriors of different records."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import postern as pn
import pytest

from tests.python.desk import bernoulli, code_of


def two(desk: Path) -> tuple[pn.Posterior, pn.Posterior]:
    """The desk's survey, as two datasets with ledgers of their own."""
    found = []
    for name in ("first", "second"):
        text = bernoulli("replace-one").replace('dataset = "survey-2026"', f'dataset = "{name}"')
        study = pn.Study.parse(text)
        ledger = pn.Ledger.create(f"{name}.ledger", study, budget="10")
        found.append(pn.infer(pn.release("survey.csv", study, epsilon="5", ledger=ledger), seed=1))
    return found[0], found[1]


def test_draws_of_two_datasets_are_independent_under_one_seed(desk: Path) -> None:
    a, b = two(desk)
    change = pn.difference(a, b, "theta")
    assert np.isclose(change.sd, np.hypot(a["theta"].std(), b["theta"].std()), rtol=0.1)
    apart = np.corrcoef(a["theta"].ravel(), b["theta"].ravel())[0, 1]
    assert abs(apart) < 4.9 / np.sqrt(4000)
    assert change.q05 < change.q50 < change.q95
    assert np.isclose(change.draws.mean(), change.mean)


def test_labels_and_queries_can_be_asked_for(desk: Path) -> None:
    a, b = two(desk)
    label = a.labels[0]
    assert pn.difference(a, b, label).mean == pn.difference(a, b, "theta").mean
    query = pn.difference(a, pickle.loads(pickle.dumps(b)), "1 - " + label)
    assert np.isclose(query.mean, -pn.difference(a, b, "theta").mean)
    assert "90 % interval" in repr(query)


def test_shared_releases_and_records_are_refused(desk: Path) -> None:
    study = pn.Study.parse(bernoulli("replace-one"))
    ledger = pn.Ledger.create("own.ledger", study, budget="10", another_ledger=True)
    first = pn.release("survey.csv", study, epsilon="1", ledger=ledger)
    second = pn.release("survey.csv", study, epsilon="1", ledger=ledger)
    posts = pn.infer(first), pn.infer(second)
    for a, b in ((posts[0], posts[0]), posts):
        with pytest.raises(pn.Error, match="infer them together") as refusal:
            pn.difference(a, b, "theta")
        assert code_of(refusal) == "releases-conflict"


def test_what_is_not_in_both_is_refused(desk: Path) -> None:
    a, b = two(desk)
    with pytest.raises(pn.Error):
        pn.difference(a, b, "P(nobody = yes)")
    with pytest.raises(TypeError, match="pass a Posterior"):
        pn.difference(a, "second.release.json", "theta")  # type: ignore[arg-type]


def test_the_implied_noise_is_kept(desk: Path) -> None:
    post = pn.infer("survey.release.json", seed=1)
    implied = post.implied_noise
    assert implied is not None
    assert not implied.implausible
    assert [block.values for block in implied.blocks] == [4]
    post.save("kept")
    assert pn.Posterior.load("kept").implied_noise == implied
    assert pickle.loads(pickle.dumps(post)).implied_noise == implied
