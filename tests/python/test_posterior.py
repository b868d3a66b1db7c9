"""What is done with a posterior: kept, sent, handed on."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import postern as pn
import pytest

from tests.python.desk import bernoulli, code_of


@pytest.fixture
def post(desk: Path) -> pn.Posterior:
    return pn.infer("survey.release.json", query="P(cancer = yes | smoker = yes)", chains=2, draws=50, seed=3)


def assert_same(one: pn.Posterior, other: pn.Posterior) -> None:
    for name in ("names", "labels", "engine", "reason", "notes", "log_evidence", "seed", "table", "warnings"):
        assert getattr(one, name) == getattr(other, name), name
    assert one.summary() == other.summary()
    assert all(np.array_equal(a, b) for a, b in zip(one.draws, other.draws, strict=True))


def test_a_saved_posterior_is_read_back_whole(post: pn.Posterior) -> None:
    post.save("kept")
    again = pn.Posterior.load("kept")
    assert_same(post, again)
    again.save("kept-again")
    for file in Path("kept").iterdir():
        assert file.read_bytes() == (Path("kept-again") / file.name).read_bytes()


def test_draws_saved_as_arrays_are_read_back(post: pn.Posterior) -> None:
    post.save("arrays", format="npy")
    assert_same(post, pn.Posterior.load("arrays"))


def test_what_the_program_wrote_is_read(desk: Path, program: Callable[..., str]) -> None:
    program("infer", "survey.release.json", "-o", "folder", "--seed", "3", "--draws", "50", "--chains", "2")
    ours = pn.infer("survey.release.json", chains=2, draws=50, seed=3)
    assert_same(pn.Posterior.load("folder"), ours)


def test_the_answers_under_other_priors_are_kept(desk: Path) -> None:
    post = pn.infer("survey.release.json", chains=2, draws=50, sensitivity=True)
    assert sorted(post.sensitivity) == [0.5, 2.0]
    post.save("kept")
    for again in (pn.Posterior.load("kept"), pickle.loads(pickle.dumps(post))):
        assert_same(post, again)
        assert again.sensitivity == post.sensitivity
        again.save("kept-again", force=True)
        for file in Path("kept").iterdir():
            assert file.read_bytes() == (Path("kept-again") / file.name).read_bytes()


def test_chains_keep_ess_and_rhat(desk: Path) -> None:
    post = pn.infer("survey.release.json", engine="gibbs", chains=2, draws=100)
    post.save("kept")
    assert post.summary()[0].ess is not None
    assert_same(pn.Posterior.load("kept"), post)


def test_what_is_no_posterior_is_refused(post: pn.Posterior) -> None:
    def code(folder: str) -> str:
        with pytest.raises(pn.Error) as error:
            pn.Posterior.load(folder)
        return code_of(error)

    assert code("nowhere") == "input-missing"
    assert code("study.toml") == "input-unreadable"
    post.save("kept")
    whole = {file.name: file.read_text() for file in Path("kept").iterdir()}
    facts = json.loads(whole["posterior.json"])
    broken = {
        "chain_1.csv": [
            whole["chain_1.csv"].rsplit("\n", 2)[0] + "\n",
            whole["chain_1.csv"].replace("p.1,", "q.1,"),
            "# nothing",
            "",
        ],
        "summary.csv": [whole["summary.csv"].rsplit("\n", 2)[0], "name\n", ""],
        "posterior.json": [
            "{",
            "[]",
            json.dumps(facts | {"version": 2}),
            json.dumps(facts | {"chains": 0}),
            json.dumps(facts | {"names": 7}),
            json.dumps(facts | {"engine": 7}),
            json.dumps(facts | {"labels": facts["labels"][1:]}),
            json.dumps(facts | {"table": [{"column": "smoker"}]}),
        ],
    }
    for name, texts in broken.items():
        for text in texts:
            (Path("kept") / name).write_text(text)
            assert code("kept") == "input-unreadable", (name, text[:40])
        (Path("kept") / name).write_text(whole[name])
    pn.Posterior.load("kept")


def test_what_the_analyst_has_can_be_pickled(post: pn.Posterior) -> None:
    assert_same(pickle.loads(pickle.dumps(post)), post)
    study, release = pn.Study.load("study.toml"), pn.Release.load("survey.release.json")
    plan = pn.plan(study, epsilon="1", n=100, simulations=2)
    for thing in (study, release, plan, post.summary(), post.quantile([0.1, 0.9]), pn.verify(release)):
        again = pickle.loads(pickle.dumps(thing))
        assert again == thing
        assert repr(again) == repr(thing)
    assert pickle.loads(pickle.dumps(release)).source == release.source
    result = pn.calibrate(study, epsilon="1", n=50, studies=20, draws=9)
    again = pickle.loads(pickle.dumps(result))
    assert repr(again) == repr(result)
    assert np.array_equal(again.quantities[0].ranks, result.quantities[0].ranks)


def test_a_ledger_cannot_be_pickled(desk: Path) -> None:
    with pytest.raises(TypeError):
        pickle.dumps(pn.Ledger.open("survey.ledger"))


def test_quantiles_of_several_probabilities_are_a_table(post: pn.Posterior) -> None:
    table = post.quantile([0.05, 0.5, 0.95])
    assert table.probabilities == (0.05, 0.5, 0.95)
    assert [row.name for row in table] == list(post.names)
    for place, p in enumerate(table.probabilities):
        assert {row.name: row.values[place] for row in table} == post.quantile(p)
    assert table["p.1"] == table["P(smoker = no, cancer = no)"] == table[0]
    assert repr(table).splitlines()[0].split() == ["quantity", "5%", "50%", "95%"]
    assert list(table.to_pandas().columns) == [0.05, 0.5, 0.95]
    assert post.quantile(np.array([0.5])).probabilities == (0.5,)
    with pytest.raises(KeyError):
        table["p.9"]
    with pytest.raises(pn.Error) as error:
        post.quantile([0.5, 1.5])
    assert code_of(error) == "bad-option"


def test_draws_as_a_polars_frame(post: pn.Posterior) -> None:
    frame = post.to_polars()
    assert frame.columns == ["chain", "draw", *post.names]
    assert np.array_equal(frame["p.2"].to_numpy().reshape(2, 50), post["p.2"])
    assert frame["chain"].to_list() == [0] * 50 + [1] * 50


def test_a_table_has_one_dimension_a_column_in_arviz(post: pn.Posterior) -> None:
    posterior = post.to_arviz().posterior
    p = posterior["p"]
    assert p.dims == ("chain", "draw", "smoker", "cancer")
    assert list(p.coords["smoker"].values) == ["no", "yes"]
    for label in post.labels[:4]:
        smoker, cancer = (part.split(" = ")[1] for part in label[2:-1].split(", "))
        assert np.array_equal(p.sel(smoker=smoker, cancer=cancer).values, post[label])
    assert posterior["query"].dims == ("chain", "draw", "query_label")


def test_a_column_named_like_a_variable_is_told_apart(desk: Path) -> None:
    table = bernoulli("add-remove").replace("smoker", "n").split('family = "bernoulli"')[0]
    study = pn.Study.parse(table + 'family = "categorical"\ncolumns = ["n"]\nprior = { dirichlet = 1 }\n')
    ledger = pn.Ledger.create("n.ledger", study, budget="1", another_ledger=True)
    release = pn.release(
        {"n": ["yes", "no"], "count": ["30", "70"]}, study, epsilon="1", ledger=ledger, counts=True
    )
    posterior = pn.infer(release, draws=20).to_arviz().posterior
    assert posterior["p"].dims == ("chain", "draw", "n_level")
    assert posterior["n"].dims == ("chain", "draw")
