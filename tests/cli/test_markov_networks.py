"""Markov networks through the program: from a study to answers, predictions and synthetic records."""

from __future__ import annotations

import json

import pytest

from tests.cli.desk import Desk, study_text

TREE = """
[model]
kind = "markov-net"
cliques = [["age", "smoker"], ["cancer", "age"]]
"""
WITHIN = """
[model]
kind = "markov-net"
cliques = [["smoker", "age", "cancer"], ["age"], ["cancer", "smoker"]]
prior = { hyper-dirichlet = 1 }
"""


@pytest.mark.parametrize("model", [TREE, WITHIN])
@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize(("currency", "amount"), [("pure", "--epsilon"), ("zcdp", "--rho")])
def test_from_study_to_answers(desk: Desk, model: str, adjacency: str, currency: str, amount: str) -> None:
    desk.write_study(model=model, adjacency=adjacency, currency=currency)
    desk.write_records(1000)
    cliques = 2 if model == TREE else 3
    plan = desk.ok("plan", "study.toml", amount, "1", "--n", "1000", "--simulations", "1", "--json").json
    assert len(plan["blocks"]) == cliques
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release(amount=(amount, "1")).code == 0
    checks = desk.ok("verify", "out.json", "--json").json["checks"]
    assert all(check["passed"] for check in checks), checks
    document = json.loads(desk.path("out.json").read_text())
    wanted = cliques * (2 if adjacency == "replace-one" else 1)
    assert list(document["measurements"][0]["sensitivity"].values()) == [str(wanted)]
    query = "P(cancer = yes | smoker = yes)"
    found = desk.ok("infer", "out.json", "-o", "post", "--draws", "100", "--query", query)
    assert query in found.out
    desk.ok("synth", "post", "-n", "50", "-o", "made.csv")
    assert len(desk.path("made.csv").read_text().splitlines()) == 51
    desk.path("rows.csv").write_text("smoker,age\nyes,70\nno,20\n")
    desk.ok("predict", "post", "rows.csv", "--target", "cancer", "-o", "predicted.csv")
    assert len(desk.path("predicted.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize(("epsilon", "engine"), [("0.1", "potentials"), ("3", "tables")])
def test_a_network_that_is_not_decomposable_has_intervals(
    desk: Desk, adjacency: str, epsilon: str, engine: str
) -> None:
    desk.write_study(model='\n[model]\nkind = "markov-net"\npattern = "all-pairs"\n', adjacency=adjacency)
    desk.write_records(1000)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release(amount=("--epsilon", epsilon)).code == 0
    how = ("--draws", "200", "--query", "P(cancer = yes | smoker = yes)", "--json")
    found = desk.ok("infer", "out.json", "-o", "post", *how).json
    assert found["engine"] == engine
    answer = found["summary"][-1]
    assert answer["sd"] > 0
    assert answer["q05"] < answer["q50"] < answer["q95"]
    desk.ok("synth", "post", "-n", "20", "-o", "made.csv")
    desk.path("rows.csv").write_text("smoker,age\nyes,70\nno,20\n")
    desk.ok("predict", "post", "rows.csv", "--target", "cancer", "-o", "predicted.csv")
    mode = desk.ok("infer", "out.json", "-o", "mode", "--engine", "map", "--json").json
    assert [warning["name"] for warning in mode["warnings"]] == ["no-interval"]
    assert desk.run("infer", "out.json", "-o", "other", "--engine", "exact").error == "engine-unsuitable"


def test_every_estimator_answers_and_says_that_it_is_a_point(desk: Desk) -> None:
    desk.write_study(model='\n[model]\nkind = "markov-net"\npattern = "all-pairs"\n')
    desk.write_records(1000)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release(amount=("--epsilon", "3")).code == 0
    query = ("--query", "P(cancer = yes | smoker = yes)", "--json")
    found = {}
    for name in ("na-map", "naive", "em", "nlbp", "l2", "l1", "pgm", "uniform", "random"):
        told = desk.ok("infer", "out.json", "-o", name, "--estimator", name, *query).json
        assert told["engine"] == name
        assert [warning["name"] for warning in told["warnings"]] == ["no-interval"]
        found[name] = told["summary"][-1]["mean"]
        desk.ok("synth", name, "-n", "20", "-o", f"{name}.csv")
    assert found["uniform"] == pytest.approx(0.5)
    assert found["l2"] == pytest.approx(found["l1"], abs=0.1)
    assert (
        found["na-map"] == desk.ok("infer", "out.json", "--engine", "map", *query).json["summary"][-1]["mean"]
    )
    made = desk.ok("synth", "l2", "-n", "20", "--datasets", "2", "-o", "several.csv", "--json").json
    assert made["from"] == "one point"
    varied = desk.run("infer", "out.json", "--estimator", "em", "--sensitivity")
    assert varied.error == "bad-option"
    assert "nan" not in desk.ok("infer", "out.json", "--engine", "map", "--sensitivity").out
    slip = desk.run("infer", "out.json", "--estimator", "12")
    assert slip.error == "bad-option"
    nothing = desk.run("infer", "out.json", "--query", 'P(cancer = "")')
    assert nothing.error == "bad-option"
    point = desk.run("calibrate", "study.toml", "--epsilon", "3", "--n", "100", "--engine", "map")
    assert point.error == "bad-option"
    assert "did you mean" in slip.err
    assert desk.run("infer", "out.json", "--estimator", "l2", "--engine", "tables").error == "bad-option"


def test_other_models_have_no_estimator(ready: Desk) -> None:
    assert ready.release().code == 0
    refused = ready.run("infer", "out.json", "--estimator", "l2")
    assert refused.error == "bad-option"
    assert "Markov network" in refused.err


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize(("currency", "amount"), [("pure", "--epsilon"), ("zcdp", "--rho")])
def test_a_tree_is_chosen_under_one_charge(desk: Desk, adjacency: str, currency: str, amount: str) -> None:
    desk.write_study(
        model='\n[model]\nkind = "markov-net"\nselect = "tree"\n', adjacency=adjacency, currency=currency
    )
    desk.write_records(1000)
    desk.ok("plan", "study.toml", amount, "1", "--n", "1000")
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release(amount=(amount, "1")).code == 0
    assert list(desk.balance()["left"].values()) == ["9"]
    checks = desk.ok("verify", "out.json", "--json").json["checks"]
    assert all(check["passed"] for check in checks), checks
    document = json.loads(desk.path("out.json").read_text())
    assert len(document["measurements"]) == 4
    for engine in ("auto", "map"):
        how = ("--draws", "100", "--engine", engine)
        found = desk.ok("infer", "out.json", "-o", engine, *how, "--json").json
        assert len(found["summary"]) >= 12
        text = " ".join(desk.ok("infer", "out.json", *how).out.split())
        assert "3 columns, 5 cliques, " in text
        assert "(largest clique " in text
        assert "to be chosen" not in text
        assert ", chosen by the release" in text
        assert {"network.bif", "network.uai", "network.json"} <= {
            one.name for one in desk.path(engine).iterdir()
        }
        desk.ok("synth", engine, "-n", "20", "-o", f"{engine}.csv")
    margin = json.loads(json.dumps(document))
    margin["measurements"][0]["blocks"][0]["values"][0] += 700
    desk.path("margin.json").write_text(json.dumps(margin, sort_keys=True, separators=(",", ":")) + "\n")
    refused = desk.run("verify", "margin.json")
    assert refused.code != 0
    assert "block 4, one of 3 pairs of columns" in " ".join(refused.out.split())
    choice = document["measurements"][1]["blocks"][0]
    choice["values"] = [(choice["values"][0] + 1) % 3]
    desk.path("edited.json").write_text(json.dumps(document))
    assert desk.run("verify", "edited.json").code != 0


NORMAL = """
[model]
kind = "markov-net"
pattern = "all-pairs"
prior = { normal = 1 }
"""


def test_a_declared_normal_prior_can_be_calibrated_and_replaced(desk: Desk) -> None:
    desk.write_study(model=NORMAL)
    desk.write_records(500)
    assert desk.ok("calibrate", "study.toml", "--epsilon", "1", "--n", "500", "--studies", "20").code == 0
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release(amount=("--epsilon", "0.5")).code == 0
    found = desk.ok("infer", "out.json", "-o", "post", "--draws", "100", "--json").json
    assert found["engine"] == "potentials"
    desk.ok("infer", "out.json", "-o", "other", "--draws", "100", "--prior", "normal(0.5)")
    public = ("--public", "survey.csv", "--draws", "100", "--json")
    more = desk.ok("infer", "out.json", "-o", "more", *public).json
    assert more["summary"][0]["sd"] < found["summary"][0]["sd"]


def test_an_estimated_prior_cannot_be_simulated_from(desk: Desk) -> None:
    desk.write_study(model=NORMAL.replace("prior = { normal = 1 }", ""))
    refused = desk.run("calibrate", "study.toml", "--epsilon", "1", "--n", "500")
    assert refused.error == "unsupported"
    assert "prior = { normal" in refused.err


def test_the_number_of_records_has_a_share_of_its_own(desk: Desk) -> None:
    desk.write_study(model=NORMAL + 'total = "noisy"\n', adjacency="add-remove")
    desk.write_records(500)
    plan = desk.ok("plan", "study.toml", "--epsilon", "1", "--json").json
    assert len(plan["blocks"]) == 4
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release(amount=("--epsilon", "1")).code == 0
    checks = desk.ok("verify", "out.json", "--json").json["checks"]
    assert all(check["passed"] for check in checks), checks
    found = desk.ok("infer", "out.json", "-o", "post", "--draws", "100", "--json").json
    assert found["summary"][-1]["name"] == "n"
    desk.write_study(model=NORMAL + 'total = "noisy"\n')
    assert desk.run("plan", "study.toml", "--epsilon", "1").error == "bad-value"


PAIRS = '\n[model]\nkind = "markov-net"\npattern = "all-pairs"\n'


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("cliques = []", "between 1 and"),
        ('cliques = [["age", "smoker"], ["smoker", "age"]]', "is there twice"),
        ('pattern = "all-pairs"\nprior = { hyper-dirichlet = 1 }', 'prior = { normal = "1" }'),
        ('select = "adaptive"\nprior = { hyper-dirichlet = 1 }', 'prior = { normal = "1" }'),
    ],
)
def test_plan_refuses_a_network_that_cannot_be(desk: Desk, model: str, says: str) -> None:
    desk.write_study(model=f'\n[model]\nkind = "markov-net"\n{model}\n')
    refused = desk.run("plan", "study.toml", "--epsilon", "1")
    assert refused.error in ("bad-value", "bad-prior")
    assert says in " ".join(refused.err.split())


def test_a_prior_that_an_adaptive_choice_cannot_have_is_refused(desk: Desk) -> None:
    desk.write_study(model=WITHIN, adjacency="add-remove")
    refused = desk.run("plan", "study.toml", "--epsilon", "1", "--select", "adaptive")
    assert refused.error == "bad-prior"
    assert desk.run("plan", "study.toml", "--epsilon", "1", "--select", "tree").code == 0


@pytest.mark.parametrize(
    ("first", "error", "warning"),
    [
        ("60", "", ""),
        ("460", "", "tables-disagree"),
        ("nan", "wrong-type", ""),
        ("inf", "wrong-type", ""),
        ("1e300", "wrong-type", ""),
        ("1e15", "engine-limit", ""),
    ],
)
def test_margins_made_elsewhere_of_a_loop(desk: Desk, first: str, error: str, warning: str) -> None:
    head = '[foreign]\nmade_by = "mbi"\nn = 480\n'
    tables = [
        ('["smoker", "age"]', f"[{first}, 60.0, 60.0, 60.0, 60.0, 60.0, 60.0, 60.0]"),
        ('["age", "cancer"]', str([60.0] * 8)),
        ('["smoker", "cancer"]', "[120.0, 120.0, 120.0, 120.0]"),
    ]
    for columns, values in tables:
        head += (
            f'[[foreign.measured]]\nwhat = "table"\ncolumns = {columns}\nnoise = "gaussian"\n'
            f"scale = 5.0\nvalues = {values}\n"
        )
    desk.write("mbi.toml", study_text(PAIRS) + head)
    found = desk.run("infer", "--foreign", "mbi.toml", "--draws", "50")
    assert found.error == error
    assert ("warning [tables-disagree]" in found.out + found.err) == (warning != "")
