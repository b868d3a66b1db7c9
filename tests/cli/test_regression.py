"""Linear regression through the program: the owner's side, from a study to a verified release."""

from __future__ import annotations

import json

import pytest

from tests.cli.desk import Desk, study_text

COLUMNS = """
[columns.age]
integer = [18, 98]
missing = "40"
[columns.work]
categories = ["none", "part", "full"]
missing = "none"
[columns.hours]
integer = [0, 80]
missing = "40"
"""
MODEL = """
[model]
kind = "linear-regression"
target = "hours"
"""
RECORDS = "hours,age,work\n80,98,full\n0,18,part\n40,58,none\n"


def write(desk: Desk, model: str = MODEL, adjacency: str = "replace-one", currency: str = "pure") -> None:
    desk.write("study.toml", study_text(model, adjacency, currency, COLUMNS))
    desk.write("survey.csv", RECORDS)


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize(("currency", "amount"), [("pure", "--epsilon"), ("zcdp", "--rho")])
def test_from_study_to_verified_release(desk: Desk, adjacency: str, currency: str, amount: str) -> None:
    write(desk, adjacency=adjacency, currency=currency)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    desk.ok("check", "study.toml", "survey.csv", "--to-file", "look.txt")
    result = desk.release("--share", "xy=2", amount=(amount, "1"))
    assert result.code == 0, result
    checks = desk.ok("verify", "out.json", "--json").json["checks"]
    assert all(check["passed"] for check in checks), checks
    assert list(desk.balance()["left"].values()) == ["9"]


@pytest.mark.parametrize("counted", [False, True])
def test_sums_are_those_of_the_records(desk: Desk, counted: bool) -> None:
    """With hardly any noise; from records and from counts of them."""
    write(desk)
    desk.write("counts.csv", "hours,age,work,count\n80,98,full,1\n0,18,part,1\n40,58,none,1\n")
    desk.ok("ledger", "init", "study.toml", "--budget", "1000", "-o", "survey.ledger")
    data, extra = ("counts.csv", ["--counts"]) if counted else ("survey.csv", [])
    assert desk.release(*extra, data=data, amount=("--epsilon", "1000")).code == 0
    blocks = json.loads(desk.path("out.json").read_text())["measurements"][0]["blocks"]
    parts = {block["statistic"]["part"]: block for block in blocks}
    steps = 1024
    exact = {  # of (age, part, full) and hours, scaled to [-1, 1]
        "x": [0, steps, steps],
        "y": [0],
        "x^2": [2 * steps**2],
        "y^2": [2 * steps**2],
        "xx": [-(steps**2), steps**2],
        "xy": [2 * steps**2, -(steps**2), steps**2],
    }
    assert list(parts) == list(exact)
    for part, values in exact.items():
        unit = steps if part in ("x", "y") else steps**2
        assert parts[part]["values"] == pytest.approx(values, abs=unit / 2)


def test_plan_tells_cost_blocks_and_whether_products_drown(desk: Desk) -> None:
    write(desk)
    plan = desk.ok("plan", "study.toml", "--epsilon", "1", "--json").json
    assert [block["statistic"] for block in plan["blocks"]] == [
        "sums of x",
        "sum of y",
        "sums of x^2",
        "sum of y^2",
        "sums of xx",
        "sums of xy",
    ]
    assert plan["cost_is"] == "bound"
    assert any("give n to hear" in note for note in plan["notes"])
    few = ("--n", "50", "--simulations", "1", "--json")
    drowned = desk.ok("plan", "study.toml", "--epsilon", "1", *few).json
    assert any("feature_products = false" in note for note in drowned["notes"])
    write(desk, MODEL + "feature_products = false\n")
    lean = desk.ok("plan", "study.toml", "--epsilon", "1", "--json").json
    assert "sums of xx" not in [block["statistic"] for block in lean["blocks"]]


@pytest.mark.parametrize(
    ("model", "name", "says"),
    [
        (MODEL + 'features = ["age", "hours"]\n', "bad-value", "leave it out of `features`"),
        (MODEL.replace("hours", "work"), "bad-value", "naive-bayes"),
        (MODEL.replace("hours", "hour"), "unknown-column", "did you mean 'hours'"),
        (MODEL + "steps = 7\n", "bad-value", "even number"),
        (MODEL + "intercept = false\n", "unknown-key", "kind"),
    ],
)
def test_bad_studies_are_refused_with_what_to_do(desk: Desk, model: str, name: str, says: str) -> None:
    write(desk, model)
    refused = desk.run("plan", "study.toml", "--epsilon", "1")
    assert refused.error == name, refused
    assert says in refused.err or name == "unknown-key"
