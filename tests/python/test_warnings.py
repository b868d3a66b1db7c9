"""Warnings of a posterior: by name, in its repr, and said as Python says warnings."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import postern as pn
import pytest

from tests.python.desk import bernoulli, code_of


def release_of(study: pn.Study, frame: dict[str, list[str]], name: str = "w.ledger") -> pn.Release:
    import pandas

    ledger = pn.Ledger.create(name, study, budget="100", another_ledger=True)
    return pn.release(pandas.DataFrame(frame, dtype="string"), study, epsilon="1", ledger=ledger)


SMOKERS = {"smoker": ["no"] * 700 + ["yes"] * 300}


def test_a_bound_below_the_number_of_records_is_told(desk: Path) -> None:
    study = pn.Study.parse(bernoulli("add-remove").replace("2000", "40"))
    release = release_of(study, SMOKERS)
    with pytest.warns(UserWarning, match="n-above-bound"):
        post = pn.infer(release)
    assert [warning.name for warning in post.warnings] == ["n-above-bound"]
    assert "\nwarning [n-above-bound]: " in repr(post)


def test_a_generous_bound_is_silent(desk: Path) -> None:
    release = release_of(pn.Study.parse(bernoulli("add-remove")), SMOKERS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        post = pn.infer(release)
    assert post.warnings == ()
    assert "warning" not in repr(post)
    assert post.sensitivity == {}


def test_sensitivity(desk: Path) -> None:
    post = pn.infer("survey.release.json", sensitivity=True, prior="dirichlet 1")
    assert sorted(post.sensitivity) == [0.5, 2.0]
    half = pn.infer("survey.release.json", prior="dirichlet 0.5").summary()
    assert list(post.sensitivity[0.5]) == list(half)


def test_public_rows(desk: Path) -> None:
    release = release_of(pn.Study.parse(bernoulli()), SMOKERS)
    with pytest.warns(UserWarning, match="'Yes' \\(2\\)"):
        post = pn.infer(release, public={"smoker": ["Yes", "no", "Yes"]})
    assert [warning.name for warning in post.warnings] == ["public-rows-undeclared"]
    with pytest.raises(pn.Error) as error:
        pn.infer(release, public={"smoker": ["Yes"]})
    assert code_of(error) == "bad-option"


def test_texts_do_not_command_the_terminal(desk: Path) -> None:
    hostile = "\x1b]0;owned\x07\u202e"
    text = bernoulli().replace('"yes"]', '"\\u001b]0;owned\\u0007\\u202e"]')
    release = release_of(pn.Study.parse(text), {"smoker": ["no", hostile] * 20})
    post = pn.infer(release)
    shown = repr(post) + repr(post.summary()) + repr(pn.plan(pn.Study.parse(text), epsilon="1", n=40))
    assert not [c for c in shown if c != "\n" and not c.isprintable()]
    assert "\\u001b]0;owned\\u0007\\u202e" in repr(post)


def test_what_was_given_instead_of_a_release_is_named(desk: Path) -> None:
    import pandas

    frame = pandas.DataFrame(SMOKERS)
    for given, word in (
        (pn.Study.load("study.toml"), "a study"),
        (frame, "a table of records"),
        (SMOKERS, "a table of records"),
        ([frame], "a table of records"),
        (7, "no release"),
        (b"x", "no release"),
    ):
        with pytest.raises(pn.Error, match=word) as error:
            pn.infer(given)  # type: ignore[arg-type]
        assert code_of(error) == "wrong-type"


def test_an_engine_that_does_not_suit_names_those_that_do(desk: Path) -> None:
    other = Path("study.toml").read_text().replace("survey-2026", "census")
    study = pn.Study.parse(other)
    release = pn.release(
        "survey.csv", study, epsilon="1", ledger=pn.Ledger.create("c.ledger", study, budget="1")
    )
    with pytest.raises(pn.Error, match='engine="auto", "gibbs" or "naive"') as error:
        pn.infer(["survey.release.json", release], engine="exact")
    assert code_of(error) == "engine-unsuitable"


def test_draws_are_saved_for_numpy(desk: Path, program: Callable[..., str]) -> None:
    query = "P(cancer = yes | smoker = yes)"
    post = pn.infer("survey.release.json", query=query, draws=77)
    post.save("ours", format="npy")
    program(
        "infer", "survey.release.json", "--query", query, "--draws", "77", "-o", "theirs", "--format", "npy"
    )
    for chain, draws in enumerate(post.draws, start=1):
        for folder in ("ours", "theirs"):
            assert np.array_equal(np.load(f"{folder}/chain_{chain}.npy", allow_pickle=False), draws)
    assert not Path("ours/chain_1.csv").exists()
    with pytest.raises(pn.Error, match="csv and npy") as error:
        post.save("other", format="parquet")
    assert code_of(error) == "bad-option"


def test_a_plan_out_of_proportion_says_so(desk: Path) -> None:
    fixed = Path("study.toml").read_text().replace("version = 2", "version = 1")
    plan = pn.plan(pn.Study.parse(fixed), epsilon="0.01", n=3, simulations=1)
    assert [warning.name for warning in plan.warnings] == ["prior-outweighs-data", "noise-outweighs-counts"]
    assert "\nwarning [prior-outweighs-data]: " in repr(plan)
    learned = pn.plan("study.toml", epsilon="0.01", n=3, simulations=1)
    assert [warning.name for warning in learned.warnings] == ["noise-outweighs-counts"]
    assert pn.plan("study.toml", epsilon="1", n=500, simulations=1).warnings == ()
