"""A logistic regression through the program: from a study to predictions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.desk import Desk, draws

MODEL = """
[model]
kind = "logistic-regression"
target = "cancer"
features = ["smoker", "age"]
expected_records = 800
covariates = "uniform"
rounds = 2
"""


@draws(60, 200)
@pytest.mark.parametrize(
    ("adjacency", "currency", "amount"),
    [("replace-one", "pure", "--epsilon"), ("add-remove", "zcdp", "--rho")],
)
def test_from_study_to_predictions(
    desk: Desk, adjacency: str, currency: str, amount: str, draws: str
) -> None:
    desk.write_study(model=MODEL, adjacency=adjacency, currency=currency)
    desk.write_records(800)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release(amount=(amount, "2")).code == 0
    checks = desk.ok("verify", "out.json").out
    assert "2 rounds by rule gradient-ascent, as recomputed" in checks
    answer = desk.ok("infer", "out.json", "-o", "posterior", "--draws", draws, "--json").json
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
        ('covariates = "uniform"', 'covariates = { smoker = "uniform" }', "missing-key"),
        ('= "uniform"', '= { smoker = { normal = [0, 1] }, age = "uniform" }', "bad-value"),
        ('= "uniform"', '= { smoker = { weights = [1] }, age = "uniform" }', "bad-value"),
        ('= "uniform"', '= { smoker = { weights = [0, 0] }, age = "uniform" }', "bad-value"),
        ('covariates = "uniform"', 'covariates = { smoker = "beta", age = "uniform" }', "bad-value"),
        ('covariates = "uniform"', 'covariates_from = "absent.csv"', "input-missing"),
        ('covariates = "uniform"', 'covariates = "uniform"\ncovariates_from = "absent.csv"', "bad-value"),
        ('covariates = "uniform"', 'covariates = "rows"', "unsupported"),
        ("expected_records = 800", "", "missing-key"),
        ("rounds = 2", 'rounds = 2\nsplit = ["1"]', "bad-value"),
        ("rounds = 2", 'rounds = 2\nsplit = ["1", "0"]', "bad-value"),
        ('["smoker", "age"]', '["smoker", "cancer"]', "bad-value"),
    ],
)
def test_studies_that_cannot_be_are_refused(desk: Desk, old: str, new: str, name: str) -> None:
    desk.write_study(model=MODEL.replace(old, new))
    result = desk.run("plan", "study.toml", "--epsilon", "1", "--n", "10")
    assert result.error == name, result


LAWS = 'covariates = { smoker = { weights = ["0.7", "0.3"] }, age = { weights = [1, 2, 2, 1] } }'


def released(desk: Desk, covariates: str) -> None:
    desk.write_study(model=MODEL.replace('covariates = "uniform"', covariates))
    desk.write_records(800)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release(amount=("--epsilon", "2")).code == 0


@draws(40, 100)
def test_laws_of_features_are_the_study_s(desk: Desk, draws: str) -> None:
    released(desk, LAWS)
    assert '"smoker":{"weights":["7/10","3/10"]}' in (desk.folder / "out.json").read_text()
    answer = desk.ok("infer", "out.json", "-o", "posterior", "--draws", draws, "--json").json
    assert any("the laws that the study states" in note for note in answer["notes"])
    desk.write("rows.csv", "age\n44\n")
    assert "cancer" in desk.ok("predict", "posterior", "rows.csv").out
    desk.ok("plan", "study.toml", "--epsilon", "2", "--n", "300")


@draws(40, 100)
def test_public_rows_stand_for_the_features(desk: Desk, draws: str) -> None:
    rows = "".join(f'{"yes" if i % 3 else "no"},"{20 + i}",unused\n' for i in range(60))
    desk.write("public.csv", f"smoker, age ,other\n{rows}")
    released(desk, 'covariates_from = "public.csv"')
    desk.write("public.csv", "moved on")  # the document has them
    desk.ok("verify", "out.json")
    answer = desk.ok("infer", "out.json", "--draws", draws, "--json").json
    assert any("60 public rows stand for the features" in note for note in answer["notes"])
    refused = desk.run("infer", "out.json", "--engine", "augment")
    assert refused.error == "engine-unsuitable"
    assert "take --engine auto or gibbs" in refused.err
    desk.write("public.csv", "smoker\nyes\n")
    assert desk.run("plan", "study.toml", "--epsilon", "1", "--n", "10").error == "bad-value"
    for junk in ("maybe,44", "yes,old", "yes", "yes,44,1,2"):
        desk.write("public.csv", "smoker,age\n" + "yes,44\n" * 11 + f"{junk}\n")
        refused = desk.run("plan", "study.toml", "--epsilon", "1", "--n", "10")
        assert refused.error == "bad-value"
        assert "line 13 has" in refused.err
    desk.write("public.csv", "smoker,age\nyes,44\n")
    assert "10 to 2000" in desk.run("plan", "study.toml", "--epsilon", "1", "--n", "10").err


def effect_of_smoking(answer: dict[str, Any]) -> float:
    return float(next(row["mean"] for row in answer["summary"] if row["name"] == "beta.2"))


@draws(60, 200)
def test_labelled_public_rows_are_taken_as_they_are(desk: Desk, draws: str) -> None:
    released(desk, 'covariates = "uniform"')
    rows = "".join(f"yes,44,{'no' if i % 10 else 'yes'}\nno,44,yes\n" for i in range(500))
    desk.write("known.csv", f"smoker,age,cancer\n{rows}maybe,44,no\n")
    alone = desk.ok("infer", "out.json", "--draws", draws, "--json").json
    both = desk.ok(
        "infer", "out.json", "--public", "known.csv", "-o", "both", "--draws", draws, "--json"
    ).json
    assert effect_of_smoking(both) < 0  # as the rows have it, against what is released
    assert effect_of_smoking(alone) > effect_of_smoking(both)
    assert any(warning["name"] == "public-rows-undeclared" for warning in both["warnings"])
    desk.write("rows.csv", "smoker,age\nyes,44\n")
    assert "cancer" in desk.ok("predict", "both", "rows.csv").out
    desk.write("none.csv", "smoker,age,cancer\nnan,inf,7\n")
    assert desk.run("infer", "out.json", "--public", "none.csv").error == "bad-option"


def test_a_document_whose_rows_and_law_disagree_is_refused(desk: Desk) -> None:
    desk.write("public.csv", "smoker,age\n" + "yes,44\n" * 20)
    released(desk, 'covariates_from = "public.csv"')
    text = (desk.folder / "out.json").read_text()
    for old, new in (
        ('"covariates":"rows"', '"covariates":"uniform"'),
        ('"covariate_rows":["1",', '"covariate_rows":["9",'),
        ('"covariate_rows":["1",', '"covariate_rows":["1/2",'),
        ('"covariate_rows":["1",', '"covariate_rows":['),
    ):
        assert old in text
        desk.write("changed.json", text.replace(old, new))
        assert desk.run("verify", "changed.json").code != 0
        assert desk.run("infer", "changed.json").code != 0
