"""Predictions and synthetic records in Python: the numbers of the program, from frames and files."""

from __future__ import annotations

import csv
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import postern as pn
import pytest

from tests.python.desk import code_of

ROWS = {"cancer": ["yes", None, "no"], "smoker": ["yes", "no", None], "id": [1, 2, 3]}
NAIVE_BAYES = """
version = 1
name = "clinic"
dataset = "survey-2026"
[privacy]
adjacency = "replace-one"
[columns.smoker]
categories = ["no", "yes"]
missing = "no"
[columns.age]
integer = [18, 99]
cuts = [30, 45, 60]
missing = "45-59"
[columns.cancer]
categories = ["no", "yes"]
missing = "no"
[model]
kind = "naive-bayes"
class = "cancer"
features = ["smoker", "age"]
"""


@pytest.fixture
def post(desk: Path) -> pn.Posterior:
    return pn.infer("survey.release.json", chains=2, draws=100, seed=3)


@pytest.fixture
def clinic(desk: Path) -> pn.Posterior:
    """The posterior of a naive Bayes model, with public rows and a prior of the analyst's."""
    study = pn.Study.parse(NAIVE_BAYES)
    ledger = pn.Ledger.create("clinic.ledger", study, budget="10", another_ledger=True)
    release = pn.release("survey.csv", study, epsilon="5", ledger=ledger)
    public = {"smoker": ["yes"] * 9 + ["no"], "age": [70] * 10, "cancer": ["yes"] * 10}
    return pn.infer(release, chains=2, draws=100, seed=3, public=public, prior="dirichlet 1")


def test_predictions_are_those_of_the_program(post: pn.Posterior, program: Callable[..., str]) -> None:
    post.save("posterior")
    with open("rows.csv", "w", newline="") as file:
        csv.writer(file).writerows([list(ROWS), *zip(*ROWS.values(), strict=True)])
    theirs = json.loads(program("predict", "posterior", "rows.csv", "--target", "cancer", "--json"))
    for rows in (ROWS, "rows.csv"):
        found = post.predict_proba(rows, target="cancer")
        assert found.levels == tuple(theirs["levels"])
        assert found.probabilities.tolist() == [row["probability"] for row in theirs["predictions"]]
        assert found.low.tolist() == [row["q05"] for row in theirs["predictions"]]
        assert found.high.tolist() == [row["q95"] for row in theirs["predictions"]]
        assert found.log_loss == theirs["log_loss"]
        assert found.accuracy == theirs["accuracy"]
        assert list(found.labels) == [row["prediction"] for row in theirs["predictions"]]
        assert list(post.predict(rows, target="cancer")) == list(found.labels)
        assert np.array_equal(np.asarray(found), found.probabilities)
    assert len(found) == 3
    assert "Predictions of cancer: ratio of the cells' posterior means" in repr(found)


def test_frames_are_rows(post: pn.Posterior) -> None:
    plain = post.predict_proba(ROWS, target="smoker").probabilities
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS)
    assert np.array_equal(post.predict_proba(frame, target="smoker").probabilities, plain)
    table = post.predict_proba(frame[["cancer"]], target="smoker").to_pandas()
    assert list(table.columns) == [
        "prediction",
        "P(no)",
        "q05(no)",
        "q95(no)",
        "P(yes)",
        "q05(yes)",
        "q95(yes)",
    ]
    assert np.array_equal(table["P(yes)"], plain[:, 1])
    polars = pytest.importorskip("polars")
    assert np.array_equal(post.predict_proba(polars.DataFrame(ROWS), target="smoker").probabilities, plain)
    frame.to_parquet("rows.parquet")
    assert np.array_equal(post.predict_proba("rows.parquet", target="smoker").probabilities, plain)


def test_the_class_is_predicted_exactly_wherever_the_posterior_went(clinic: pn.Posterior) -> None:
    rows = {"smoker": ["yes", "no"], "age": [70, None]}
    found = clinic.predict_proba(rows)
    assert found.target == "cancer"
    assert found.exact
    clinic.save("kept")
    for again in (pn.Posterior.load("kept"), pickle.loads(pickle.dumps(clinic))):
        assert np.array_equal(again.predict_proba(rows).probabilities, found.probabilities)
        assert again.synthesize(20).to_dict() == clinic.synthesize(20).to_dict()


def test_what_is_not_declared_is_named(post: pn.Posterior) -> None:
    with pytest.warns(UserWarning, match=r"rows-undeclared.*'Yes' \(1\)"):
        found = post.predict_proba({"smoker": ["Yes", "yes"]}, target="cancer")
    assert [warning.name for warning in found.warnings] == ["rows-undeclared"]
    refusals: dict[str, tuple[Any, Any]] = {
        "column-absent": ({"weight": [1]}, "cancer"),
        "bad-option": (ROWS, "weight"),
    }
    for code, (rows, target) in refusals.items():
        with pytest.raises(pn.Error) as error:
            post.predict_proba(rows, target=target)
        assert code_of(error) == code
    with pytest.raises(pn.Error, match="target="):
        post.predict(ROWS)


def test_synthetic_records_are_those_of_the_program(
    clinic: pn.Posterior, program: Callable[..., str]
) -> None:
    clinic.save("posterior")
    ours = clinic.synthesize(200, seed=7)
    assert ours.to_csv() == program("synth", "posterior", "-n", "200", "--seed", "7", "-q")
    assert ours.columns == ("smoker", "age", "cancer")
    assert len(ours) == 200
    many = clinic.synthesize(50, datasets=3, plug_in=False)
    assert len({records.to_csv() for records in many}) == 3
    assert "(1 + 1/m) B - U" in many[0].notes[0]
    assert set(clinic.synthesize(200, intervals=True).to_dict()["age"]) <= {
        "18-29",
        "30-44",
        "45-59",
        "60-99",
    }
    ours.save("synthetic.csv")
    with pytest.raises(pn.Error) as error:
        ours.save("synthetic.csv")
    assert code_of(error) == "output-exists"
    pandas = pytest.importorskip("pandas")
    assert ours.to_pandas()["age"].between(18, 99).all()
    assert pandas.read_csv("synthetic.csv")["age"].tolist() == ours.to_pandas()["age"].tolist()


def test_folders_of_earlier_versions_say_what_to_do(post: pn.Posterior) -> None:
    post.save("kept")
    Path("kept/release_1.json").unlink()
    old = pn.Posterior.load("kept")
    assert old.names == post.names
    for ask in (lambda: old.predict(ROWS, target="cancer"), lambda: old.synthesize(10)):
        with pytest.raises(pn.Error, match=r"make it again with postern\.infer") as error:
            ask()
        assert code_of(error) == "unsupported"


REGRESSION = """
version = 1
name = "pressure"
dataset = "survey-2026"
[privacy]
adjacency = "replace-one"
[columns.age]
integer = [18, 98]
missing = "58"
[columns.smoker]
categories = ["no", "yes"]
missing = "no"
[columns.pressure]
integer = [60, 240]
missing = "150"
[model]
kind = "linear-regression"
target = "pressure"
"""


def test_a_regression_predicts_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    age = rng.integers(18, 99, 4000)
    smoker = rng.random(4000) < 0.3
    pressure = np.round(100 + 0.5 * age + 8 * smoker + 12 * rng.standard_normal(4000)).astype(int)
    records = pandas.DataFrame({"age": age, "smoker": np.where(smoker, "yes", "no"), "pressure": pressure})
    study = pn.Study.parse(REGRESSION)
    ledger = pn.Ledger.create("pressure.ledger", study, budget="20", another_ledger=True)
    post = pn.infer(pn.release(records, study, epsilon="10", ledger=ledger), draws=250)
    assert post.engine == "moments"
    rows = {"age": [30, 60, None], "smoker": ["no", "yes", "yes"], "pressure": [115, 138, 120]}
    with pytest.warns(UserWarning, match="lack a feature"):
        found = post.predict_interval(rows)
    assert found.mean[0] == pytest.approx(115, abs=6)
    assert found.mean[1] == pytest.approx(138, abs=6)
    assert np.isnan(found.mean[2])
    assert (found.low[:2] < found.mean[:2]).all()
    assert found.high[0] - found.low[0] == pytest.approx(2 * 1.645 * 12, rel=0.3)
    assert found.coverage == 1
    assert found.rmse is not None
    with pytest.warns(UserWarning, match="lack a feature"):
        assert np.array_equal(post.predict(rows), found.mean, equal_nan=True)
    with pytest.raises(pn.Error) as refusal:
        post.predict_proba(rows)
    assert code_of(refusal) == "unsupported"
    assert "Predictions of pressure" in repr(found)


def test_a_single_value_is_no_column(desk: Path) -> None:
    post = pn.infer("survey.release.json", seed=1)
    with pytest.raises(pn.Error, match=r"'smoker' is one value; write \['yes'\]") as error:
        post.predict_proba({"smoker": "yes"}, target="cancer")
    assert code_of(error) == "wrong-type"
    assert post.predict_proba({"smoker": ["yes"]}, target="cancer").probabilities.shape == (1, 2)
