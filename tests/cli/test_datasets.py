"""Releases of different datasets, combined."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from tests.cli.desk import BERNOULLI, CATEGORICAL, Desk, study_text


def release_two(desk: Desk, **choices: Any) -> None:
    """a.json and b.json, of two datasets with the same 2000 records in each."""
    desk.write_records(2000)
    for name, dataset in (("a", "survey-2026"), ("b", "census")):
        desk.write(f"{name}.toml", study_text(dataset=dataset, **choices))
        desk.ok("ledger", "init", f"{name}.toml", "--budget", "10", "-o", f"{name}.ledger")
        done = desk.release(output=f"{name}.json", study=f"{name}.toml", ledger=f"{name}.ledger")
        assert done.code == 0, done


def test_tables_are_combined_by_chains(desk: Desk) -> None:
    release_two(desk, model=CATEGORICAL)
    answer = desk.ok("infer", "a.json", "b.json", "--query", "P(smoker = yes)", "--json").json
    assert answer["engine"] == "gibbs"
    assert "4 cells behind 2 datasets" in answer["reason"]
    assert any("disjoint" in note for note in answer["notes"])
    summary = {row["name"]: row for row in answer["summary"]}
    assert list(summary) == ["p.1", "p.2", "p.3", "p.4", "query.1"]
    for row in summary.values():
        assert row["ess"] > 400 and row["rhat"] < 1.02
    assert abs(summary["query.1"]["mean"] - 0.3) < 0.05
    # Twice the records: narrower than either dataset alone.
    alone = desk.ok("infer", "a.json", "--json").json["summary"][0]
    assert summary["p.1"]["sd"] < 0.85 * alone["sd"]


def test_sensitivity_varies_the_prior_that_was_used(desk: Desk) -> None:
    """Several datasets do not learn the scale, and have another prior that may be worth more or less."""
    release_two(desk, model=CATEGORICAL.replace("prior = { dirichlet = 1 }", 'prior = "learned"'))
    for files in (("a.json",), ("a.json", "b.json")):
        told = desk.ok("infer", *files, "--sensitivity", "--draws", "100", "--json").json
        means = [[row["mean"] for row in one["summary"]] for one in (told, *told["sensitivity"])]
        assert means[0] != means[1] != means[2] != means[0]
        noted = any("the scale of the prior was not learned here" in note for note in told["notes"])
        assert noted == (len(files) > 1)


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
def test_networks_are_combined(desk: Desk, adjacency: str) -> None:
    model = '[model]\nkind = "bayes-net"\nedges = [["smoker", "cancer"]]\n'
    release_two(desk, model=model, adjacency=adjacency)
    asked = ("--query", "P(cancer = yes | smoker = yes)", "--json")
    answer = desk.ok("infer", "a.json", "b.json", "-o", "posterior", *asked).json
    assert answer["engine"] == "tables"
    assert "a network behind 2 datasets" in answer["reason"]
    names = [row["label"] for row in answer["summary"] if row["name"].startswith("n.")]
    private = adjacency == "add-remove"
    assert names == (["number of records in survey-2026", "number of records in census"] if private else [])
    # Twice the records: narrower than either dataset alone.
    alone = desk.ok("infer", "a.json", *asked).json["summary"][-1]
    assert answer["summary"][-1]["sd"] < 0.85 * alone["sd"]
    assert abs(answer["summary"][-1]["mean"] - alone["mean"]) < 3 * alone["sd"]
    desk.write("rows.csv", "smoker\nyes\n")
    desk.ok("predict", "posterior", "rows.csv", "--target", "cancer")


def test_private_totals_are_named(desk: Desk) -> None:
    release_two(desk, model=BERNOULLI, adjacency="add-remove")
    answer = desk.ok("infer", "a.json", "b.json", "-o", "posterior", "--json").json
    assert [row["name"] for row in answer["summary"]] == ["theta", "n.1", "n.2"]
    assert answer["summary"][2]["label"] == "number of records in census"
    assert abs(answer["summary"][1]["mean"] - 2000) < 30
    with desk.path("posterior/chain_1.csv").open() as lines:
        header = next(row for row in csv.reader(lines) if not row[0].startswith("#"))
    assert header == ["theta", "n.1", "n.2"]


@pytest.mark.parametrize("engine", ["auto", "gibbs", "exact"])
def test_one_proportion_has_every_engine(desk: Desk, engine: str) -> None:
    release_two(desk, model=BERNOULLI)
    answer = desk.ok("infer", "a.json", "b.json", "--engine", engine, "--json").json
    assert answer["engine"] == ("exact" if engine == "auto" else engine)
    assert abs(answer["summary"][0]["mean"] - 0.3) < 0.05


def test_tables_have_no_latent_records(desk: Desk) -> None:
    release_two(desk, model=CATEGORICAL)
    refused = desk.run("infer", "a.json", "b.json", "--engine", "augment")
    assert refused.error == "engine-unsuitable"
    assert "take --engine auto, gibbs or naive" in " ".join(refused.err.split())


def test_exact_says_why_not(desk: Desk) -> None:
    release_two(desk, model=CATEGORICAL)
    result = desk.run("infer", "a.json", "b.json", "--engine", "exact")
    desk.refused(result, "engine-unsuitable", 64)
    assert "one table of 4 cells behind 2 datasets" in result.err


def test_same_seed_same_chains_for_any_number_of_threads(desk: Desk) -> None:
    release_two(desk, model=CATEGORICAL, adjacency="add-remove")
    for threads in ("1", "2"):
        desk.ok("infer", "a.json", "b.json", "--draws", "100", "--threads", threads, "-o", f"p{threads}")
    for chain in range(1, 5):
        name = f"chain_{chain}.csv"
        assert desk.path(f"p1/{name}").read_bytes() == desk.path(f"p2/{name}").read_bytes()
