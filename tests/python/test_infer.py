"""Posteriors: the program's numbers, and what Python makes of them."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import arviz
import numpy as np
import pandas
import polars
import postern as pn
import pytest

from tests.python.desk import bernoulli, code_of

QUERY = "P(cancer = yes | smoker = yes)"


def same_as_program(post: pn.Posterior, report: dict[str, Any]) -> None:
    assert [vars(row) for row in post.summary()] == report["summary"]
    assert post.log_evidence == report["log_evidence"]
    assert (post.engine, post.reason, list(post.notes)) == (
        report["engine"],
        report["reason"],
        report["notes"],
    )


@pytest.mark.parametrize("seed", [1, 99])
def test_the_same_numbers_as_the_program(desk: Path, program: Callable[..., str], seed: int) -> None:
    report = json.loads(
        program(
            "infer", "--json", "survey.release.json", "--seed", str(seed), "--query", QUERY, "-o", "theirs"
        )
    )
    post = pn.infer("survey.release.json", seed=seed, query=QUERY)
    same_as_program(post, report)
    post.save("ours")
    names = sorted(path.name for path in Path("theirs").iterdir())
    assert names == [
        "chain_1.csv",
        "chain_2.csv",
        "chain_3.csv",
        "chain_4.csv",
        "posterior.json",
        "release_1.json",
        "summary.csv",
    ]
    for name in names:
        assert Path("ours", name).read_bytes() == Path("theirs", name).read_bytes()


def test_the_same_numbers_with_prior_public_rows_and_private_n(
    desk: Path, program: Callable[..., str]
) -> None:
    study = pn.Study.parse(bernoulli("add-remove"))
    ledger = pn.Ledger.create("private.ledger", study, budget="1", another_ledger=True)
    pn.release("survey.csv", study, epsilon="0.5", ledger=ledger).save("private.json")
    Path("public.csv").write_text("smoker\nyes\nno\nyes\n\nbroken,line\n")
    report = json.loads(
        program(
            "infer",
            "--json",
            "private.json",
            "--prior",
            "beta 2 3",
            "--public",
            "public.csv",
            "--draws",
            "50",
        )
    )
    post = pn.infer("private.json", prior="beta 2 3", public="public.csv", draws=50)
    same_as_program(post, report)
    assert post.names == ("theta", "n")
    rows = {"smoker": ["yes", "no", "yes", None, "?"]}
    booleans = {"smoker": [True, False, True, None, None]}
    for public in (rows, pandas.DataFrame(rows), polars.DataFrame(rows), polars.DataFrame(booleans)):
        again = pn.infer("private.json", prior=[2, 3], public=public, draws=50, threads=1)
        assert np.array_equal(np.stack(again.draws), np.stack(post.draws))


def test_releases_combine(desk: Path) -> None:
    vague = pn.release("survey.csv", "study.toml", epsilon="0.01", ledger="survey.ledger")
    both = pn.infer(["survey.release.json", vague])
    one = pn.infer(vague)
    assert both.summary()["p.1"].sd < 0.5 * one.summary()["p.1"].sd
    with pytest.raises(pn.Error) as error:
        pn.infer([vague, vague])
    assert code_of(error) == "releases-conflict"
    assert f"release {vague.id} and release {vague.id} cannot" in error.value.message
    with pytest.raises(pn.Error) as error:
        pn.infer(["survey.release.json", "survey.release.json"])
    assert "'survey.release.json' (release " in error.value.message


def test_answers_are_shown_however_many_rows_there_are(desk: Path) -> None:
    wide = bernoulli().replace('categories = ["no", "yes"]', "integer = [1, 40]").replace('"no"', '"1"')
    wide = wide.replace('family = "bernoulli"', 'family = "categorical"').replace(
        "beta = [1, 1]", "dirichlet = 1"
    )
    ledger = pn.Ledger.create("wide.ledger", pn.Study.parse(wide), budget="9", another_ledger=True)
    frame = pandas.DataFrame({"smoker": ["7"] * 9})
    release = pn.release(frame, pn.Study.parse(wide), epsilon="9", ledger=ledger)
    lines = repr(pn.infer(release, draws=20, query="P(smoker = 7)").summary()).splitlines()
    assert lines[-2].startswith("P(smoker = 7) ")
    assert lines[-1] == "... and 11 more rows, in summary()"
    assert len(lines) == 1 + 30 + 1


def test_draws_are_the_librarys_own_memory(desk: Path) -> None:
    post = pn.infer("survey.release.json", chains=2, draws=30)
    first = post.draws[0]
    assert [chain.shape for chain in post.draws] == [(30, 4)] * 2
    assert first.__array_interface__["data"] == post.draws[0].__array_interface__["data"]  # no copy
    assert not first.flags.writeable
    kept = first.copy()
    del post
    gc.collect()
    assert np.array_equal(first, kept)  # the array keeps its memory alive


def test_quantities_by_name_and_label(desk: Path) -> None:
    post = pn.infer("survey.release.json", query=[QUERY, "P(smoker = yes)"])
    assert post.names == ("p.1", "p.2", "p.3", "p.4", "query.1", "query.2")
    assert list(post) == list(post.names)
    assert np.array_equal(post["query.1"], post[QUERY])
    assert np.allclose(post["query.2"], post["p.3"] + post["p.4"])
    assert post["p.1"].shape == (4, 1000)
    with pytest.raises(KeyError, match=r"p\.1"):
        _ = post["p.5"]
    summary = post.summary()
    assert summary[QUERY] == summary["query.1"] == summary[4]
    with pytest.raises(KeyError):
        _ = summary["p.9"]
    table = repr(post)
    assert table.splitlines()[1].split() == ["quantity", "mean", "sd", "5%", "50%", "95%"]
    assert QUERY in table


def test_quantiles(desk: Path) -> None:
    post = pn.infer("survey.release.json")
    for name, value in post.quantile(0.05).items():
        row = post.summary()[name]
        assert abs(value - row.q05) < row.sd / 4  # 4000 draws; the summary is exact
    with pytest.raises(pn.Error) as error:
        post.quantile(90)
    assert code_of(error) == "bad-option"


def test_pandas_takes_the_draws(desk: Path) -> None:
    post = pn.infer("survey.release.json", draws=25)
    frame = post.to_pandas()
    assert list(frame.columns) == list(post.names)
    assert frame.index.names == ["chain", "draw"]
    assert np.array_equal(frame.loc[2].to_numpy(), post.draws[2])
    table = post.summary().to_pandas()
    assert table.loc["p.2", "mean"] == post.summary()["p.2"].mean


def test_arviz_takes_the_draws(desk: Path) -> None:
    study = pn.Study.parse(bernoulli("add-remove"))
    ledger = pn.Ledger.create("n.ledger", study, 1, another_ledger=True)
    release = pn.release("survey.csv", study, epsilon="1", ledger=ledger)
    post = pn.infer(release, query="P(smoker = no)")
    posterior = post.to_arviz().posterior
    assert posterior["theta"].dims == ("chain", "draw")
    assert np.array_equal(posterior["n"].to_numpy(), post["n"])
    assert list(posterior["query"].coords["query_label"].values) == ["P(smoker = no)"]
    table = arviz.summary(pn.infer("survey.release.json").to_arviz())
    assert len(table) == 4


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"engine": "exakt"}, "bad-option"),
        ({"chains": 0}, "bad-option"),
        ({"draws": 1.5}, "bad-option"),
        ({"seed": -1}, "bad-option"),
        ({"prior": "gamma 1 1"}, "bad-prior"),
        ({"prior": [1, 0.5]}, "bare-float"),
        ({"query": "P(cancer = maybe)"}, "bad-option"),
        ({"public": {"smoker": ["yes"]}}, "column-absent"),
        ({"public": "none.csv"}, "input-missing"),
        ({"memory_limit": 1}, "engine-limit"),
    ],
)
def test_what_cannot_be_inferred(desk: Path, options: Any, code: str) -> None:
    with pytest.raises(pn.Error) as error:
        pn.infer("survey.release.json", **options)
    assert code_of(error) == code


def test_nothing_to_infer_from(desk: Path) -> None:
    with pytest.raises(pn.Error) as error:
        pn.infer([])
    assert code_of(error) == "usage"


def test_a_folder_is_not_replaced(desk: Path) -> None:
    post = pn.infer("survey.release.json", draws=10)
    post.save("posterior")
    with pytest.raises(pn.Error) as error:
        post.save("posterior")
    assert code_of(error) == "output-exists"
    post.save("posterior", force=True)


def test_a_posterior_in_the_place_of_a_release(desk: Path) -> None:
    post = pn.infer("survey.release.json", draws=10)
    with pytest.raises(pn.Error, match=r"is the answer already.*infer\(\"survey\.release\.json\"\)") as error:
        pn.infer(post)
    assert code_of(error) == "wrong-type"


def test_a_query_that_was_not_asked_says_how_to_ask_it(desk: Path) -> None:
    post = pn.infer("survey.release.json", draws=10)
    with pytest.raises(KeyError, match=r"query='P\(cancer = yes \| smoker = yes\)'"):
        post["P(cancer = yes | smoker = yes)"]
    with pytest.raises(KeyError, match=r"there are p\.1, p\.2"):
        post["p.9"]
