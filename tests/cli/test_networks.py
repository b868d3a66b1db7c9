"""Bayesian networks and naive Bayes through the program: from a draft to a verified release."""

from __future__ import annotations

import json

import pytest

from tests.cli.desk import COLUMNS, Desk

NETWORK = """
[model]
kind = "bayes-net"
edges = [["smoker", "cancer"], ["age", "cancer"]]
"""
NAIVE = """
[model]
kind = "naive-bayes"
class = "cancer"
"""
STRUCTURE = """
[model]
kind = "bayes-net"
structure = "lung.bif"
"""
BIF = """network lung { }
variable smoker { type discrete [ 2 ] { no, yes }; }
variable age { type discrete [ 3 ] { young, middle, old }; }
variable cancer { type discrete [ 2 ] { no, yes }; }
probability ( smoker ) { table 0.7, 0.3; }
probability ( age ) { table 0.2, 0.5, 0.3; }
probability ( cancer | smoker ) { (no) 0.95, 0.05; (yes) 0.8, 0.2; }
"""


@pytest.mark.parametrize("model", [NETWORK, NAIVE])
@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize(("currency", "amount"), [("pure", "--epsilon"), ("zcdp", "--rho")])
def test_from_study_to_verified_release(
    desk: Desk, model: str, adjacency: str, currency: str, amount: str
) -> None:
    desk.write_study(model=model, adjacency=adjacency, currency=currency)
    desk.write_records(1000)
    plan = desk.ok("plan", "study.toml", amount, "1", "--n", "1000", "--simulations", "1", "--json").json
    assert len(plan["blocks"]) == 3
    assert len(plan["width_90"]) >= 14
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    desk.ok("check", "study.toml", "survey.csv", "--to-file", "look.txt")
    result = desk.release(amount=(amount, "1"))
    assert result.code == 0, result
    checks = desk.ok("verify", "out.json", "--json").json["checks"]
    assert all(check["passed"] for check in checks), checks
    document = json.loads(desk.path("out.json").read_text())
    sensitivity = document["measurements"][0]["sensitivity"]
    binary_roots = 1 if adjacency == "replace-one" else 0
    wanted = (6 if adjacency == "replace-one" else 3) - binary_roots
    assert list(sensitivity.values()) == [str(wanted)]
    assert list(desk.balance()["left"].values()) == ["9"]


def test_a_plan_compares_the_mechanisms_and_recommends_one(desk: Desk) -> None:
    desk.write_study(model=NETWORK)
    call = ("plan", "study.toml", "--epsilon", "1", "--n", "1000", "--simulations", "1")
    found = desk.ok(*call, "--json").json["mechanisms"]
    names = [row["mechanism"] for row in found["rows"]]
    assert names == ["laplace", "fourier", "posterior-draw", "map"]
    assert found["recommended"] == "laplace"
    assert all(row["loss"] > found["rows"][0]["loss"] for row in found["rows"][2:])
    text = desk.ok(*call).out
    assert "recommended: laplace; " in text
    # The budget is one and the same, whatever mechanism is planned for.
    other = desk.ok(*call, "--mechanism", "map", "--json").json["mechanisms"]
    assert other == found
    assert "mechanisms" not in desk.ok("plan", "study.toml", "--epsilon", "1", "--json").json


def test_several_draws_are_one_release(desk: Desk) -> None:
    desk.write_study(model=NAIVE)
    desk.write_records(300)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    asked = ("--mechanism", "posterior-draw", "--share", "draws=2", "--share", "omega=0.1")
    result = desk.release(*asked, amount=("--epsilon", "4"))
    assert result.code == 0, result
    assert all(check["passed"] for check in desk.ok("verify", "out.json", "--json").json["checks"])
    assert list(desk.balance()["left"].values()) == ["6"]
    blocks = json.loads(desk.path("out.json").read_text())["measurements"][0]["blocks"]
    assert len(blocks) % 2 == 0
    assert "no-interval" in desk.ok("infer", "out.json", "--engine", "naive").out
    assert desk.run("plan", "study.toml", "--epsilon", "4", *asked[:2], "--share", "draws=0").code != 0


def test_counts_make_the_same_release_as_records(desk: Desk) -> None:
    desk.write_study(model=NETWORK)
    desk.write("counts.csv", "smoker,age,cancer,count\nyes,20,no,500\nno,70,yes,300\n")
    desk.ok("ledger", "init", "study.toml", "--budget", "1000", "-o", "survey.ledger")
    result = desk.release("--counts", data="counts.csv", amount=("--epsilon", "1000"))
    assert result.code == 0, result
    blocks = json.loads(desk.path("out.json").read_text())["measurements"][0]["blocks"]
    assert [block["shape"] for block in blocks] == [[1], [4], [2, 4, 2]]
    assert blocks[0]["values"] == [500]
    assert blocks[2]["values"][8] == 500
    assert blocks[2]["values"][7] == 300


def test_a_network_file_gives_columns_and_edges(desk: Desk) -> None:
    desk.write_study(model=STRUCTURE)
    desk.write("lung.bif", BIF)
    desk.write_records(200)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release().code == 0
    text = desk.path("out.json").read_text()
    assert json.loads(text)["study"]["model"]["edges"] == [["smoker", "cancer"]]
    assert "bif" not in text


def test_a_draft_of_a_network_is_a_whole_study(desk: Desk) -> None:
    desk.write("lung.bif", BIF)
    drafted = desk.ok("init", "--network", "lung.bif", "-o", "study.toml", "--json").json
    assert drafted["columns"] == ["smoker", "age", "cancer"]
    plan = desk.ok("plan", "study.toml", "--epsilon", "1", "--json").json
    assert [block["cells"] for block in plan["blocks"]] == [1, 3, 4]
    desk.refused(desk.run("init", "--network", "lung.bif", "--columns", "a", "-o", "b.toml"), "usage", 64)


@pytest.mark.parametrize(
    ("model", "name", "says"),
    [
        ('kind = "bayes-net"\nedges = [["smoker", "cancer"], ["cancer", "smoker"]]', "bad-value", "-> "),
        ('kind = "bayes-net"\nedges = [["smoker", "cancers"]]', "unknown-column", "did you mean 'cancer'"),
        ('kind = "bayes-net"\nstructure = "other.bif"', "input-missing", "other.bif"),
        ('kind = "bayes-net"\nstructure = "bad.bif"', "study-syntax", "bad.bif:1:"),
        ('kind = "bayes-net"\nstructure = "lung.bif"\nedges = []', "bad-value", "leave `edges` out"),
        ('kind = "bayes-net"', "missing-key", "structure"),
        ('kind = "naive-bayes"\nclass = "cancer"\nfeatures = ["cancer"]', "bad-value", "leave it out"),
    ],
)
def test_a_network_that_cannot_be_is_refused(desk: Desk, model: str, name: str, says: str) -> None:
    desk.write_study(model=f"\n[model]\n{model}\n")
    desk.write("lung.bif", BIF)
    desk.write("bad.bif", "netwerk lung { }\n")
    result = desk.run("plan", "study.toml", "--epsilon", "1")
    assert result.error == name, result
    assert says in result.err, result.err
    assert "study.toml:" in result.err


def test_an_audit_finds_nothing(desk: Desk) -> None:
    desk.write_study(model=NETWORK)
    audit = desk.ok("audit", "study.toml", "--epsilon", "2", "--runs", "500", "--json").json
    assert audit["passed"]
    assert len(audit["pairs"]) >= 3


def test_a_cycle_is_told_where_it_is(desk: Desk) -> None:
    ring = BIF.replace("probability ( smoker ) { table", "probability ( smoker | cancer ) { default")
    desk.write("ring.bif", ring)
    result = desk.run("init", "--network", "ring.bif", "-o", "study.toml")
    desk.refused(result, "bad-value", 65)
    assert "ring.bif:7:15: the network has a cycle" in result.err


def test_a_plan_does_not_speak_of_records_that_are_not_outside(desk: Desk) -> None:
    desk.write_study(model=NETWORK)
    plan = desk.ok("plan", "study.toml", "--epsilon", "1", "--n", "100000", "--simulations", "6").out
    assert "the prior is vague" in plan
    assert "0 % of their records" not in plan


def test_odd_levels_are_quoted_in_a_truth_as_in_a_query(desk: Desk) -> None:
    desk.write_study(model=NETWORK, columns=COLUMNS.replace('"yes"', '"yes, often"', 1))
    for label in ("P(smoker = yes, often)", 'P(smoker = "yes, often")'):
        at = ("--n", "500", "--at", f"{label} 0.3", "--simulations", "2")
        desk.ok("plan", "study.toml", "--epsilon", "1", *at)


def test_priors_in_words(desk: Desk) -> None:
    desk.write_study(model=NETWORK)
    desk.write_records(500)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release().code == 0
    few = ("--draws", "20", "-o")
    desk.ok("infer", "out.json", "--prior", "bdeu 10", *few, "posterior")
    result = desk.run("infer", "out.json", "--prior", "k2 1", *few, "other")
    desk.refused(result, "bad-prior", 65)
    assert '"bdeu 10"' in result.err
