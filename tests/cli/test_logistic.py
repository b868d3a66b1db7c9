"""A logistic regression through the program: from a study to predictions."""

from __future__ import annotations

import pytest

from tests.cli.desk import Desk

MODEL = """
[model]
kind = "logistic-regression"
target = "cancer"
features = ["smoker", "age"]
expected_records = 800
covariates = "uniform"
rounds = 2
"""


@pytest.mark.parametrize(
    ("adjacency", "currency", "amount"),
    [("replace-one", "pure", "--epsilon"), ("add-remove", "zcdp", "--rho")],
)
def test_from_study_to_predictions(desk: Desk, adjacency: str, currency: str, amount: str) -> None:
    desk.write_study(model=MODEL, adjacency=adjacency, currency=currency)
    desk.write_records(800)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release(amount=(amount, "2")).code == 0
    checks = desk.ok("verify", "out.json").out
    assert "2 rounds by rule gradient-ascent, as recomputed" in checks
    answer = desk.ok("infer", "out.json", "-o", "posterior", "--draws", "200", "--json").json
    names = [row["name"] for row in answer["summary"]]
    assert names[:5] == ["beta.1", "beta.2", "beta.3", "beta.4", "beta.5"]
    assert ("n" in names) == (adjacency == "add-remove")
    desk.write("rows.csv", "smoker,age\nyes,44\nno,\n")
    assert "cancer" in desk.ok("predict", "posterior", "rows.csv").out
    assert desk.run("predict", "posterior", "rows.csv", "--target", "age").error == "unsupported"


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ('target = "cancer"', 'target = "age"', "bad-value"),
        ('covariates = "uniform"', 'covariates = "normal"', "unsupported"),
        ("expected_records = 800", "", "missing-key"),
        ("rounds = 2", 'rounds = 2\nsplit = ["1"]', "bad-value"),
        ('["smoker", "age"]', '["smoker", "cancer"]', "bad-value"),
    ],
)
def test_studies_that_cannot_be_are_refused(desk: Desk, old: str, new: str, name: str) -> None:
    desk.write_study(model=MODEL.replace(old, new))
    result = desk.run("plan", "study.toml", "--epsilon", "1", "--n", "10")
    assert result.error == name, result
