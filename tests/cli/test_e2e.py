"""The session of the manual, from a CSV file to a posterior, for every family, adjacency and currency."""

from __future__ import annotations

import csv
import json
import subprocess
from typing import Any

import pytest

from tests.cli.desk import BERNOULLI, CATEGORICAL, Desk, make_key, study_text

CELLS = {
    "P(smoker = no, cancer = no)": 0.665,
    "P(smoker = no, cancer = yes)": 0.035,
    "P(smoker = yes, cancer = no)": 0.24,
    "P(smoker = yes, cancer = yes)": 0.06,
}
N = 2000


def amount(currency: str, value: str) -> tuple[str, str]:
    return ("--epsilon" if currency == "pure" else "--rho", value)


def open_desk(desk: Desk, **choices: Any) -> None:
    desk.write_study(**choices)
    desk.write_records(N)
    desk.ok("ledger", "init", "study.toml", "--budget", "100", "-o", "survey.ledger")


def rows(desk: Desk, *arguments: str) -> dict[str, Any]:
    """The summary by label. Few draws: means and quantiles of an exact engine do not come from them."""
    summary = desk.ok("infer", *arguments, "--draws", "500", "--json").json["summary"]
    return {row["label"]: row for row in summary}


@pytest.mark.parametrize("currency", ["pure", "zcdp"])
@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize("model", [BERNOULLI, CATEGORICAL], ids=["bernoulli", "categorical"])
def test_session(desk: Desk, model: str, adjacency: str, currency: str) -> None:
    open_desk(desk, model=model, adjacency=adjacency, currency=currency)
    plan = desk.ok(
        "plan", "study.toml", *amount(currency, "1"), "--n", str(N), "--simulations", "20", "--json"
    ).json
    unit = "epsilon" if currency == "pure" else "rho"
    assert plan["cost"] == {unit: "1"}
    assert plan["width_90"][0]["without_noise"] < plan["width_90"][0]["median"] < plan["width_90"][0]["prior"]
    released = desk.release("--json", amount=amount(currency, "1"))
    assert released.code == 0, released
    assert released.json["left"] == {unit: "99"}
    assert released.json["n"]["kind"] == ("public" if adjacency == "replace-one" else "private")
    assert desk.ok("verify", "out.json", "--ledger", "survey.ledger", "--json").json["passed"] is True
    found = rows(desk, "out.json", "-o", "posterior")
    truth = {"P(smoker = yes)": 0.3} if model == BERNOULLI else CELLS
    for label, value in truth.items():
        row = found[label]
        assert abs(row["mean"] - value) < 6 * row["sd"] + 1e-3, row  # 6 sd: 1e-9
        assert 0 < row["q05"] < row["q50"] < row["q95"] < 1
    if adjacency == "add-remove":
        assert abs(found["number of records"]["mean"] - N) < 6 * found["number of records"]["sd"], found[
            "number of records"
        ]
    else:
        assert "number of records" not in found
    names = {path.name for path in desk.path("posterior").iterdir()}
    assert names == {
        "chain_1.csv",
        "chain_2.csv",
        "chain_3.csv",
        "chain_4.csv",
        "summary.csv",
        "posterior.json",
        "release_1.json",
    }


def test_same_seed_same_draws_for_any_number_of_threads(desk: Desk) -> None:
    open_desk(desk, model=CATEGORICAL)
    assert desk.release().code == 0
    texts = []
    for i, threads in enumerate(["1", "2", "1"]):
        seed = "7" if i < 2 else "8"
        desk.ok("infer", "out.json", "-o", f"p{i}", "--draws", "200", "--seed", seed, "--threads", threads)
        texts.append(desk.path(f"p{i}/chain_2.csv").read_text().splitlines()[-1])
    assert texts[0] == texts[1] != texts[2]


def test_several_releases_of_one_record_set(desk: Desk) -> None:
    open_desk(desk)
    for i, epsilon in enumerate(["0.02", "0.5", "0.5"]):
        assert desk.release(output=f"r{i}.json", amount=("--epsilon", epsilon)).code == 0
    one = rows(desk, "r0.json")["P(smoker = yes)"]
    three = rows(desk, "r0.json", "r1.json", "r2.json")["P(smoker = yes)"]
    assert three["sd"] < one["sd"]
    again = desk.run("infer", "r0.json", "r0.json")
    desk.refused(again, "releases-conflict", 65)


def test_a_conflict_names_files_and_releases(desk: Desk) -> None:
    open_desk(desk)
    for name in ("first", "second"):
        assert desk.release(output=f"{name}.json").code == 0
    document = desk.path("second.json").read_text()
    desk.write("third.json", document.replace('"value":2000', '"value":2001'))
    ids = {
        name: json.loads(desk.path(f"{name}.json").read_text())["release_id"] for name in ("first", "third")
    }
    result = desk.run("infer", "first.json", "third.json")
    desk.refused(result, "releases-conflict", 65)
    assert f"'first.json' (release {ids['first']}) and 'third.json' (release {ids['third']})" in result.err


def test_releases_of_changed_records_do_not_mix(desk: Desk) -> None:
    open_desk(desk)
    assert desk.release(output="before.json").code == 0
    old = desk.balance()["record_set"]
    desk.ok("ledger", "new-records", "survey.ledger")
    assert desk.balance()["record_set"] != old
    assert desk.release(output="after.json").code == 0
    desk.refused(desk.run("infer", "before.json", "after.json"), "releases-conflict", 65)


def test_other_datasets_are_assumed_disjoint(desk: Desk) -> None:
    open_desk(desk)
    desk.write("other.toml", study_text(dataset="census"))
    desk.ok("ledger", "init", "other.toml", "--budget", "1", "-o", "census.ledger")
    assert desk.release(output="a.json").code == 0
    assert desk.release(output="b.json", study="other.toml", ledger="census.ledger").code == 0
    answer = desk.ok("infer", "a.json", "b.json", "--json").json
    assert any("disjoint" in note for note in answer["notes"])


def test_counts_give_what_records_give(desk: Desk) -> None:
    open_desk(desk, model=CATEGORICAL)
    desk.write("counts.csv", "smoker,cancer,count\nno,no,1330\nno,yes,70\nyes,no,480\nyes,yes,120\n")
    released = desk.release("--counts", data="counts.csv")
    assert released.code == 0, released
    assert "2,000 (public)" in released.out
    assert json.loads(desk.path("out.json").read_text())["counted_by"] != "postern"
    for label, row in rows(desk, "out.json").items():
        assert abs(row["mean"] - CELLS[label]) < 6 * row["sd"] + 1e-3


def test_signature(desk: Desk) -> None:
    open_desk(desk)
    make_key(desk.folder)
    released = desk.release("--sign", "key.pem", "--json")
    assert released.code == 0, released
    assert desk.ok("verify", "out.json", "--json").json["key_id"] == released.json["key_id"]
    raw = subprocess.run(
        ["openssl", "pkey", "-in", "key.pem", "-pubout", "-outform", "DER"],
        cwd=desk.folder,
        capture_output=True,
        check=True,
    ).stdout[-32:]
    assert json.loads(desk.path("out.json").read_text())["signature"]["public_key"] == raw.hex()


def test_queries(desk: Desk) -> None:
    open_desk(desk, model=CATEGORICAL)
    assert desk.release(amount=("--epsilon", "50")).code == 0
    questions = {
        "P(smoker = yes)": 0.3,
        "P(cancer = yes | smoker = yes)": 0.2,
        "P(smoker = yes, cancer = yes)": 0.06,
        'P( "cancer"="yes"|smoker=no )': 0.05,
    }
    arguments = [part for question in questions for part in ("--query", question)]
    answers = desk.ok("infer", "out.json", "-o", "posterior", *arguments, "--json").json["summary"][-4:]
    for answer, (question, value) in zip(answers, questions.items(), strict=True):
        assert answer["label"] == question
        assert abs(answer["mean"] - value) < 6 * answer["sd"] + 1e-3
        assert answer["q05"] < answer["q50"] < answer["q95"]
    # A cell asked for by a query has the draws of the cell itself.
    with open(desk.path("posterior/chain_1.csv"), newline="") as file:
        draws = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert all(float(d["query.3"]) == pytest.approx(float(d["p.4"]), abs=1e-12) for d in draws)
    assert all(
        float(d["query.2"]) == pytest.approx(float(d["p.4"]) / (float(d["p.3"]) + float(d["p.4"])), rel=1e-6)
        for d in draws
    )


def test_a_prior_of_the_wrong_length_is_told_its_numbers(desk: Desk) -> None:
    open_desk(desk, model=CATEGORICAL)
    assert desk.release().code == 0
    refused = desk.run("infer", "out.json", "--prior", "dirichlet 1 2")
    desk.refused(refused, "bad-prior", 65)
    assert "has 2 numbers and the model needs 4: one a cell, or one for all" in refused.err


def test_answers_say_that_they_come_from_draws(desk: Desk) -> None:
    open_desk(desk, model=CATEGORICAL)
    assert desk.release().code == 0
    size = ("--chains", "2", "--draws", "250")
    asked = desk.ok("infer", "out.json", "--query", "P(smoker = yes)", *size)
    assert "note: rows of queries are computed from the 500 draws" in asked.out
    # Where nothing was asked, no row comes from draws; where chains draw, every one does.
    assert "queries" not in desk.ok("infer", "out.json", *size).out
    chains = desk.ok("infer", "out.json", "--engine", "gibbs", "--query", "P(smoker = yes)", *size)
    assert "queries" not in chains.out


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("P(smoke = yes)", "'smoker'"),
        ("P(smoker = yess)", "'yes'"),
        ("smoker = yes", "P("),
        ("P(smoker)", "P("),
        ("P(smoker = yes", "P("),
        ("P(cancer = yes | smoker = yes, smoker = no)", "two values"),
        ("P(age = 18-29)", "smoker"),
    ],
)
def test_queries_that_are_none(desk: Desk, query: str, says: str) -> None:
    open_desk(desk, model=CATEGORICAL)
    assert desk.release().code == 0
    result = desk.run("infer", "out.json", "--query", query)
    desk.refused(result, "bad-option", 64)
    assert says in result.err


def test_prior_and_public_rows(desk: Desk) -> None:
    open_desk(desk)
    assert desk.release(amount=("--epsilon", "0.01")).code == 0
    plain = rows(desk, "out.json")["P(smoker = yes)"]
    strong = rows(desk, "out.json", "--prior", "beta 900 100")["P(smoker = yes)"]
    assert strong["mean"] > 0.7 > plain["mean"]
    assert rows(desk, "out.json", "--prior", "1, 1")["P(smoker = yes)"]["mean"] == plain["mean"]
    desk.write("public.csv", "smoker\n" + "yes\n" * 900 + "no\n" * 100)
    public = rows(desk, "out.json", "--public", "public.csv")["P(smoker = yes)"]
    # Public rows are conjugate: they only add to the prior.
    same = rows(desk, "out.json", "--prior", "beta 901 101")["P(smoker = yes)"]
    assert public["mean"] == pytest.approx(same["mean"], rel=1e-9)
    for prior in ("beta 1", "gamma 1 2", "beta -1 1", "beta 0 1", "1 2 3", ""):
        desk.refused(desk.run("infer", "out.json", "--prior", prior), "bad-prior", 65)


def test_naive_engine_is_labelled(desk: Desk) -> None:
    open_desk(desk)
    assert desk.release(amount=("--epsilon", "0.05")).code == 0
    exact = desk.ok("infer", "out.json", "--json").json
    naive = desk.ok("infer", "out.json", "--engine", "naive", "--json").json
    assert exact["engine"] == "exact"
    assert naive["engine"] == "naive"
    assert naive["summary"][0]["sd"] < exact["summary"][0]["sd"]
    assert next(one["name"] for one in naive["warnings"]) == "naive-ignores-noise"
    desk.refused(desk.run("infer", "out.json", "--engine", "gibs"), "bad-option", 64)


def test_table_for_people(desk: Desk) -> None:
    open_desk(desk, model=CATEGORICAL)
    assert desk.release().code == 0
    result = desk.ok("infer", "out.json", "-o", "posterior")
    lines = result.out.splitlines()
    assert any(line.startswith("engine") and "exact" in line for line in lines)
    assert any(line.split() == ["quantity", "mean", "sd", "5%", "50%", "95%"] for line in lines)
    assert max(len(line) for line in lines) <= 100
    desk.refused(desk.run("infer", "out.json", "-o", "posterior"), "output-exists", 73)
    desk.ok("infer", "out.json", "-o", "posterior", "--force", "--quiet")


def test_long_tables_say_where_the_rest_is(desk: Desk) -> None:
    columns = '[columns.age]\ninteger = [1, 60]\nmissing = "1"\n'
    model = '[model]\nkind = "family"\nfamily = "categorical"\ncolumn = "age"\n'
    desk.write("study.toml", study_text(columns=columns, model=model))
    desk.write("survey.csv", "age\n" + "".join(f"{1 + i % 60}\n" for i in range(600)))
    desk.ok("ledger", "init", "study.toml", "--budget", "5", "-o", "survey.ledger")
    assert desk.release().code == 0
    out = desk.ok("infer", "out.json", "-o", "posterior", "--query", "P(age = 60)").out
    assert out.count("P(age = ") == 30
    assert "31 more rows" in out
    assert "posterior/summary.csv" in out
    assert "P(age = 60)" in out


def test_reconcile_and_verify_find_what_a_crash_and_a_rollback_leave(desk: Desk) -> None:
    open_desk(desk)
    backup = desk.path("survey.ledger").read_bytes()
    assert desk.release(output="r1.json").code == 0
    answer = desk.ok("ledger", "reconcile", "survey.ledger", "--releases", "r1.json", "--json").json
    assert answer["added"] == 0
    assert desk.ok("ledger", "verify", "survey.ledger", "--releases", "r1.json").out.startswith("intact")
    desk.path("survey.ledger").write_bytes(backup)
    desk.refused(
        desk.run("ledger", "verify", "survey.ledger", "--releases", "r1.json"), "ledger-tampered", 65
    )


def test_plan_says_when_the_posterior_is_the_prior(desk: Desk) -> None:
    desk.write_study()
    vague = desk.ok(
        "plan", "study.toml", "--epsilon", "0.001", "--n", "50", "--simulations", "20", "--json"
    ).json
    assert vague["close_to_prior"] is True
    assert any("close to the prior" in note for note in vague["notes"])
    sharp = desk.ok(
        "plan", "study.toml", "--epsilon", "1", "--n", "5000", "--simulations", "20", "--json"
    ).json
    assert sharp["close_to_prior"] is False


def test_padding_waits(desk: Desk) -> None:
    open_desk(desk)
    assert desk.release("--pad-to", "1").code == 0
