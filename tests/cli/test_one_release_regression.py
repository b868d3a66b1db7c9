"""Logistic and Poisson regressions from one release through the program: from a study to predictions."""

from __future__ import annotations

import pytest

from tests.cli.desk import Desk, study_text

COLUMNS = """
[columns.age]
integer = [18, 98]
missing = "40"
[columns.smoker]
categories = ["no", "yes"]
missing = "no"
[columns.ill]
categories = ["no", "yes"]
missing = "no"
[columns.visits]
integer = [0, 12]
missing = "0"
"""
ODDS = """
[model]
kind = "logistic-regression"
target = "ill"
features = ["age", "smoker"]
"""
COUNTS = ODDS.replace("logistic", "poisson").replace('"ill"', '"visits"')


def record(i: int) -> str:
    """The older and those who smoke are ill more often, and visit more often."""
    age = 18 + i * 37 % 81
    smokes = i % 3 == 0
    ill = i * 29 % 100 < age // 2 + 30 * smokes
    return f"{age},{'yes' if smokes else 'no'},{'yes' if ill else 'no'},{i % 3 + age // 30 + smokes}"


def write(desk: Desk, model: str, adjacency: str = "replace-one", currency: str = "pure") -> None:
    desk.write("study.toml", study_text(model, adjacency, currency, COLUMNS))
    desk.write("survey.csv", "age,smoker,ill,visits\n" + "".join(record(i) + "\n" for i in range(1500)))
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")


@pytest.mark.parametrize("model", [ODDS, COUNTS], ids=["odds", "counts"])
@pytest.mark.parametrize(
    ("adjacency", "currency", "amount"),
    [("replace-one", "zcdp", "--rho"), ("add-remove", "pure", "--epsilon")],
)
def test_from_study_to_predictions(
    desk: Desk, model: str, adjacency: str, currency: str, amount: str
) -> None:
    write(desk, model, adjacency, currency)
    assert desk.release("--share", "xy=2", amount=(amount, "5")).code == 0
    checks = desk.ok("verify", "out.json", "--json").json["checks"]
    assert all(check["passed"] for check in checks), checks
    answer = desk.ok("infer", "out.json", "-o", "posterior", "--draws", "200", "--json").json
    rows = {row["name"]: row for row in answer["summary"]}
    assert ("n" in rows) == (adjacency == "add-remove")
    assert rows["beta.2"]["q05"] > 0, "the older are ill more often"
    assert any("normal together" in note for note in answer["notes"])
    desk.write("rows.csv", "age,smoker\n90,yes\n20,no\n,no\n")
    desk.ok("predict", "posterior", "rows.csv", "-o", "predictions.csv")
    old, young = (line.split(",") for line in desk.path("predictions.csv").read_text().splitlines()[1:3])
    assert old != young
    assert desk.run("predict", "posterior", "rows.csv", "--target", "age").error == "bad-option"


def test_advice_is_to_leave_out_what_would_drown(desk: Desk) -> None:
    desk.write("study.toml", study_text(ODDS, "replace-one", "pure", COLUMNS))
    for epsilon, n, drowns in (("0.1", "500", True), ("5", "3000", False)):
        out = desk.ok("plan", "study.toml", "--epsilon", epsilon, "--n", n, "--simulations", "1").out
        assert ("would drown" in out) == drowns


def test_fewer_records_than_coefficients_leave_the_prior(desk: Desk) -> None:
    write(desk, ODDS)
    desk.write("survey.csv", "age,smoker,ill,visits\n50,no,no,1\n60,yes,yes,2\n")
    assert desk.release(amount=("--epsilon", "5")).code == 0
    answer = desk.ok("infer", "out.json", "-o", "posterior", "--draws", "200", "--json").json
    assert any("this is the prior" in note for note in answer["notes"])


@pytest.mark.parametrize("model", [ODDS, COUNTS], ids=["odds", "counts"])
def test_no_records_have_an_answer(desk: Desk, model: str) -> None:
    write(desk, model, "add-remove")
    desk.write("survey.csv", "age,smoker,ill,visits\n")
    assert desk.release(amount=("--epsilon", "1")).code == 0
    answer = desk.ok("infer", "out.json", "--draws", "100", "--json").json
    rows = {row["name"]: row for row in answer["summary"]}
    assert rows["n"]["mean"] < 200
    assert all(row["sd"] > 0 for row in rows.values())


def test_other_engines_and_mechanisms_are_refused(desk: Desk) -> None:
    write(desk, COUNTS)
    assert desk.release("--mechanism", "gradient", amount=("--epsilon", "1")).code != 0
    assert desk.release(amount=("--epsilon", "1")).code == 0
    result = desk.run("infer", "out.json", "-o", "posterior", "--engine", "gibbs")
    assert result.error == "engine-unsuitable"
