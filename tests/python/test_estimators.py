"""Estimators with scikit-learn's manners: they are the release and the posterior, and every fit charges."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import postern as pn
import pytest

from tests.python.desk import code_of
from tests.python.test_predict import NAIVE_BAYES

pandas = pytest.importorskip("pandas")
pytest.importorskip("sklearn")
from postern.estimators import PCA, LinearRegression, NaiveBayes  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.model_selection import cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

FEATURES = ["smoker", "age"]


@pytest.fixture
def model(desk: Path) -> NaiveBayes:
    study = pn.Study.parse(NAIVE_BAYES)
    return NaiveBayes(
        study, pn.Ledger.create("clinic.ledger", study, budget="10", another_ledger=True), epsilon="2", seed=3
    )


@pytest.fixture
def frame(desk: Path) -> Any:
    return pandas.read_csv("survey.csv", dtype=str)


def spent(model: NaiveBayes | LinearRegression | PCA) -> int:
    assert isinstance(model.ledger, pn.Ledger)
    return len(model.ledger.charges())


def test_a_fit_is_a_release_and_a_posterior(model: NaiveBayes, frame: Any) -> None:
    assert model.fit(frame[FEATURES], frame["cancer"]) is model
    assert spent(model) == 1
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.n_features_in_ == 2
    again = pn.infer(model.release_, seed=3).predict_proba(frame[FEATURES])
    assert np.array_equal(model.predict_proba(frame[FEATURES]), again.probabilities)
    assert np.array_equal(model.predict(frame[FEATURES]), again.labels)
    low, high = model.predict_interval(frame[FEATURES])
    assert np.all((low <= high) & (low >= 0) & (high <= 1))
    assert 0.8 < model.score(frame[FEATURES], frame["cancer"]) <= 1
    assert spent(model) == 1


def test_an_array_has_the_features_in_the_order_of_the_study(model: NaiveBayes, frame: Any) -> None:
    model.fit(frame[["age", "smoker"]], frame["cancer"])
    swapped = model.predict_proba(frame[["age", "smoker"]])
    assert np.array_equal(model.predict_proba(frame[FEATURES].to_numpy()), swapped)
    with pytest.raises(pn.Error, match="expecting 2 features as input: smoker, age") as error:
        model.predict(frame[["age"]].to_numpy())
    assert code_of(error) == "wrong-type"


def test_every_fit_charges(model: NaiveBayes, frame: Any) -> None:
    cross_val_score(model, frame[FEATURES], frame["cancer"], cv=3)
    assert spent(model) == 3
    with pytest.raises(pn.Error) as error:
        for _ in range(3):
            model.fit(frame[FEATURES], frame["cancer"])
    assert code_of(error) == "budget-exhausted"


def test_parameters_are_those_of_the_constructor(model: NaiveBayes, frame: Any) -> None:
    assert clone(model).get_params() == model.get_params()
    assert model.set_params(epsilon="1").epsilon == "1"
    with pytest.raises(NotFittedError, match="call fit, which charges"):
        clone(model).predict(frame[FEATURES])
    line = make_pipeline(model).fit(frame[FEATURES], frame["cancer"])
    assert line.predict(frame[FEATURES]).shape == (len(frame),)


def test_what_is_wrong_is_said_before_the_charge(model: NaiveBayes, frame: Any) -> None:
    for rows, labels, code in (
        (frame[["age"]], frame["cancer"], "column-absent"),
        (frame[FEATURES], frame["cancer"][:-1], "wrong-type"),
    ):
        with pytest.raises(pn.Error) as error:
            model.fit(rows, labels)
        assert code_of(error) == code
        assert not any(c.isdigit() for c in error.value.message)  # how many records there are may be private
    with pytest.raises(pn.Error, match="takes naive-bayes"):
        clone(model).set_params(study="study.toml").fit(frame[FEATURES], frame["cancer"])
    with pytest.raises(pn.Error, match="needs a study and a ledger"):
        NaiveBayes(model.study).fit(frame[FEATURES], frame["cancer"])
    assert spent(model) == 0


TRUTHS = """
version = 1
name = "truths"
dataset = "survey-2026"
[privacy]
adjacency = "replace-one"
[columns.x]
categories = ["no", "yes"]
missing = "no"
[columns.y]
categories = ["false", "true"]
missing = "false"
[model]
kind = "naive-bayes"
class = "y"
"""


@pytest.mark.parametrize("odd", ["abc", 1, 0.5, ["q"], None])
def test_one_odd_label_changes_how_no_other_is_read(desk: Path, odd: Any) -> None:
    study = pn.Study.parse(TRUTHS)
    ledger = pn.Ledger.create("truths.ledger", study, budget="1000", another_ledger=True)
    rows = pandas.DataFrame({"x": ["no", "yes"] * 200})
    model = NaiveBayes(study, ledger, epsilon="500").fit(rows, [True] * 200 + [False] * 199 + [odd])
    table = np.array(next(v for v in model.release_.values.values() if len(v) == 4))
    assert table.sum() == 400
    assert abs(table - 100).max() <= 1
    assert spent(model) == 1


def test_lists_of_rows_are_refused_by_their_type(model: NaiveBayes) -> None:
    for rows in ([["yes", 30], ["no", 40]], [["yes", 30], ["no"]]):
        with pytest.raises(pn.Error, match="X is a list") as error:
            model.fit(rows, ["yes", "no"])
        assert code_of(error) == "wrong-type"
    assert spent(model) == 0


LINE = """
version = 1
name = "line"
dataset = "survey-2026"
[privacy]
adjacency = "replace-one"
[columns.age]
integer = [18, 99]
missing = "50"
[columns.hours]
integer = [0, 80]
missing = "40"
[model]
kind = "linear-regression"
target = "hours"
"""


def test_a_line_is_fitted_and_its_intervals_hold_new_records(desk: Path) -> None:
    study = pn.Study.parse(LINE)
    rng = np.random.default_rng(5)
    age = rng.integers(18, 99, 2000)
    hours = np.rint(20 + 0.3 * age + rng.normal(0, 3, 2000)).astype(int)
    rows = pandas.DataFrame({"age": age})
    model = LinearRegression(
        study, pn.Ledger.create("line.ledger", study, budget="10", another_ledger=True), epsilon="10"
    )
    model.fit(rows, hours)
    assert spent(model) == 1
    assert model.score(rows, hours) > 0.7
    low, high = model.predict_interval(rows)
    assert 0.8 < np.mean((low <= hours) & (hours <= high)) < 0.97


ONE_RELEASE = """
version = 1
name = "{name}"
dataset = "survey-2026"
[privacy]
adjacency = "replace-one"
[columns.age]
integer = [18, 98]
missing = "40"
[columns.{target}]
{values}
[model]
kind = "{name}-regression"
target = "{target}"
features = ["age"]
"""


ILL = 'categories = ["no", "yes"]\nmissing = "no"'
VISITS = 'integer = [0, 12]\nmissing = "0"'


def test_odds_and_counts_come_from_one_release(desk: Path) -> None:
    from postern.estimators import LogisticRegression, PoissonRegression

    ages = [18 + i * 37 % 81 for i in range(800)]
    frame = pandas.DataFrame(
        {
            "age": ages,
            "ill": ["yes" if i * 29 % 100 < a else "no" for i, a in enumerate(ages)],
            "visits": [a // 20 for a in ages],
        }
    )
    rows = pandas.DataFrame({"age": [20, 95]})
    odds = pn.Study.parse(ONE_RELEASE.format(name="logistic", target="ill", values=ILL))
    ledger = pn.Ledger.create("one.ledger", odds, budget="100", another_ledger=True)
    classifier = LogisticRegression(odds, ledger, epsilon="20").fit(frame[["age"]], frame["ill"])
    assert classifier.predict(rows).tolist() == ["no", "yes"]
    low, high = classifier.predict_interval(rows)
    assert np.all(low < high)
    counts = pn.Study.parse(ONE_RELEASE.format(name="poisson", target="visits", values=VISITS))
    regressor = PoissonRegression(counts, ledger, epsilon="20").fit(frame[["age"]], frame["visits"])
    young, old = regressor.predict(rows)
    assert young < old
    assert all(end == round(end) for ends in regressor.predict_interval(rows) for end in ends)


BODIES = """
version = 1
name = "bodies"
dataset = "survey-2026"
[privacy]
adjacency = "replace-one"
[columns.height]
real = ["-40", "40"]
grid = "0.5"
missing = "0"
[columns.weight]
real = ["-40", "60"]
grid = "0.5"
missing = "0"
[columns.shoe]
real = ["-20", "20"]
grid = "0.5"
missing = "0"
[model]
kind = "principal-component"
columns = ["height", "weight", "shoe"]
"""


def bodies() -> Any:
    rng = np.random.default_rng(7)
    along = rng.normal(0, 1, 400)
    return pandas.DataFrame(
        {
            "height": 9 * along + rng.normal(0, 1, 400),
            "weight": 8 * along + rng.normal(0, 2, 400),
            "shoe": 2 * along + rng.normal(0, 1, 400),
        }
    )


def test_components_are_fitted_with_their_intervals(desk: Path) -> None:
    study = pn.Study.parse(BODIES)
    rows = bodies()
    model = PCA(
        study, pn.Ledger.create("bodies.ledger", study, budget="1000", another_ledger=True), epsilon="200"
    )
    line = make_pipeline(model).fit(rows)
    assert spent(model) == 1
    assert model.components_.shape == (2, 3)
    assert np.allclose(np.linalg.norm(model.components_, axis=1), 1)
    assert abs(model.components_[0] @ np.array([9, 8, 2])) / np.sqrt(149) > 0.98
    low, high = model.explained_variance_ratio_interval_
    assert np.all((low <= model.explained_variance_ratio_) & (model.explained_variance_ratio_ <= high))
    assert model.components_interval_.shape == (2, 2, 3)
    assert model.get_feature_names_out().tolist() == ["pca0", "pca1"]
    found = line.transform(rows)
    assert found.shape == (400, 2)
    # About the middles of the declared ranges, of which weight's is 10.
    assert np.allclose(found, (rows.to_numpy() - [0, 10, 0]) @ model.components_.T)
    low, high = model.transform_interval(rows[:5])
    assert np.all(low[:, 0] <= high[:, 0])
    assert np.all((low[:, 0] - 1 <= found[:5, 0]) & (found[:5, 0] <= high[:, 0] + 1))
    assert clone(model).get_params() == model.get_params()
    assert spent(model) == 1


def test_shares_that_the_prior_decides_are_warned_of(desk: Path) -> None:
    study = pn.Study.parse(BODIES)
    ledger = pn.Ledger.create("bodies.ledger", study, budget="1000", another_ledger=True)
    with pytest.warns(UserWarning, match="prior-outweighs-data"):
        pn.infer(pn.release(bodies(), study, epsilon="0.5", ledger=ledger), draws=250)


def test_components_fit_whatever_stands_in_a_record(desk: Path) -> None:
    study = pn.Study.parse(BODIES)
    rows = bodies().astype(object)
    rows.iloc[0, 0] = "tall"
    rows.iloc[1, 1] = np.inf
    rows.iloc[2, 2] = None
    model = PCA(
        study, pn.Ledger.create("bodies.ledger", study, budget="1000", another_ledger=True), epsilon="50"
    ).fit(rows)
    assert spent(model) == 1
    assert np.isnan(model.transform(rows)[0]).all()
    with pytest.raises(pn.Error, match="X has no column shoe"):
        model.fit(rows[["height", "weight"]])
    with pytest.raises(NotFittedError, match="call fit, which charges"):
        clone(model).transform(rows)
    with pytest.raises(pn.Error, match="takes principal-component"):
        clone(model).set_params(study=pn.Study.parse(LINE)).fit(rows)


CODES = """
version = 1
name = "codes"
dataset = "codes"
[privacy]
adjacency = "replace-one"
[columns.f]
categories = ["1152921504606846976", "1152921504606846977"]
missing = "1152921504606846976"
[columns.beside]
categories = ["a"]
[columns.y]
categories = ["0", "1"]
missing = "0"
[model]
kind = "logistic-regression"
target = "y"
features = ["f"]
"""


def test_no_field_changes_how_others_are_read_whatever_the_frame(desk: Path) -> None:
    """Codes beyond 2^53 survive a null beside them; nulls and odd labels do not fail a fit."""
    import polars
    import pyarrow
    from postern.estimators import LogisticRegression

    study = pn.Study.parse(CODES)
    ledger = pn.Ledger.create("codes.ledger", study, budget="1000", another_ledger=True)
    codes = [1152921504606846976 + i % 2 for i in range(400)]
    labels = [i % 2 for i in range(400)]
    whole = pandas.DataFrame({"f": codes})
    for frame in (
        pandas.DataFrame({"y": labels}),
        polars.DataFrame({"y": labels}),
        pyarrow.table({"y": labels}),
    ):
        with pytest.raises(pn.Error, match="give one column of it"):
            LogisticRegression(study, ledger, epsilon="50").fit(whole, frame)
    texts = ["\ud800", *(str(label) for label in labels[1:])]
    cells = np.array([["\ud800"], *([str(code)] for code in codes[1:])], dtype=object)
    for rows, target in (
        (polars.DataFrame({"f": [None, *codes[1:]]}), labels),
        (pyarrow.table({"f": [None, *codes[1:]]}), labels),
        (whole, pyarrow.array([None, *labels[1:]])),
        (whole, pyarrow.array([str(label) for label in labels])),
        (whole, pandas.Series(texts, dtype=object)),
        (cells, texts),
    ):
        model = LogisticRegression(study, ledger, epsilon="50", seed=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(rows, target)
        slope = model.posterior_.summary()[1]
        assert slope.mean > 1, (type(rows), type(target))
