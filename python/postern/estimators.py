"""Estimators with the manners of scikit-learn, for people who have the records and want a model of them.

Both sides at once: ``fit`` is a release, which **charges the ledger every time it is called**, and what the
analyst makes of it. Cross-validation and grid search call ``fit`` again and again and are not free.
Needs scikit-learn and pandas.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import pandas
    from sklearn.base import (
        BaseEstimator,
        ClassifierMixin,
        ClassNamePrefixFeaturesOutMixin,
        RegressorMixin,
        TransformerMixin,
    )
    from sklearn.exceptions import NotFittedError
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "postern.estimators needs scikit-learn and pandas: pip install scikit-learn pandas"
    ) from error

from ._files import PathLike
from ._number_predictions import NumberPredictions
from ._predictions import Predictions
from ._study import Study, as_study
from ._words import Amount
from .analyst import Posterior, infer
from .errors import Error
from .owner import Ledger, Release, release

__all__ = ["PCA", "LinearRegression", "LogisticRegression", "NaiveBayes", "PoissonRegression"]


class _ShapeError(Error, ValueError):
    """A refusal of arrays for what they are, whatever stands in them; scikit-learn expects a ValueError."""


class _Released(BaseEstimator):  # type: ignore[misc]
    """What all of them share: a study, a ledger, a cost; a release and a posterior once fitted."""

    _kinds: tuple[str, ...] = ()
    _target_key = "target"

    def __init__(
        self,
        study: Study | PathLike | None = None,
        ledger: Ledger | PathLike | None = None,
        *,
        epsilon: Amount | None = None,
        rho: Amount | None = None,
        mechanism: str | None = None,
        shares: Mapping[str, Amount] | None = None,
        seed: int = 1,
    ) -> None:
        self.study = study
        self.ledger = ledger
        self.epsilon = epsilon
        self.rho = rho
        self.mechanism = mechanism
        self.shares = shares
        self.seed = seed

    def fit(self, X: Any, y: Any) -> Any:  # noqa: N803  (scikit-learn's name)
        """Charges the ledger, releases, and infers. What a record holds never makes it fail."""
        study = self._declared()
        target, features = self._columns_of(study)
        frame = self._rows(X, features)
        if y is None:
            who = type(self).__name__
            raise _ShapeError("wrong-type", f"{who} requires y to be passed, but the target y is None")
        if hasattr(y, "columns"):  # to go over a frame is to go over its names
            raise Error("wrong-type", "y is a frame; give one column of it")
        labels = y if isinstance(y, pandas.Series | np.ndarray) else _cells(y)
        if labels.ndim != 1 or len(labels) != len(frame):
            raise Error("wrong-type", "y is not one value for each row of X")
        column = labels if isinstance(labels, pandas.Series) else _column(labels)
        return self._release(frame.assign(**{target: column.set_axis(frame.index)}), study, features)

    def _release(self, frame: pandas.DataFrame, study: Study, features: list[str]) -> Any:
        others = [one["name"] for one in study._facts["columns"] if one["name"] not in frame.columns]
        frame = frame.assign(**dict.fromkeys(others))  # of columns beside the model's nothing is used
        self.release_: Release = release(
            frame,
            study,
            ledger=_given(self.ledger, "ledger"),
            epsilon=self.epsilon,
            rho=self.rho,
            mechanism=self.mechanism,
            shares=self.shares,
        )
        self.posterior_: Posterior = self._infer()
        self.feature_names_in_ = np.array(features, dtype=object)
        self.n_features_in_ = len(features)
        return self

    def _rows(self, X: Any, features: list[str]) -> pandas.DataFrame:  # noqa: N803
        return _frame(X, features, type(self).__name__)

    def _infer(self) -> Posterior:
        return infer(self.release_, seed=self.seed)

    def _declared(self) -> Study:
        study = as_study(_given(self.study, "study"))
        kind = study._facts["model"]["kind"]
        if kind not in self._kinds:
            raise Error(
                "wrong-type",
                f"the study is of kind {kind}; {type(self).__name__} takes {' or '.join(self._kinds)}",
            )
        return study

    def _columns_of(self, study: Study) -> tuple[str, list[str]]:
        target = str(study._facts["model"][self._target_key])
        return target, [name for name in study.model_columns if name != target]

    def _fitted(self) -> Posterior:
        if not hasattr(self, "posterior_"):
            raise NotFittedError(
                f"this {type(self).__name__} has not been fitted: call fit, which charges the ledger"
            )
        return self.posterior_


class _Classifier(ClassifierMixin, _Released):  # type: ignore[misc]
    def fit(self, X: Any, y: Any) -> Any:  # noqa: N803
        """Charges the ledger, releases, and infers. What a record holds never makes it fail."""
        super().fit(X, y)
        target, _ = self._columns_of(self._declared())
        (self.classes_,) = (
            np.array(column["categories"], dtype=object)
            for column in self._declared()._facts["columns"]
            if column["name"] == target
        )
        return self

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """The probabilities of the classes, in the order of ``classes_``."""
        return self._predictions(X, 1000).probabilities

    def predict(self, X: Any) -> npt.NDArray[np.object_]:  # noqa: N803
        """The most probable class of each row."""
        return self._predictions(X, 1000).labels

    def predict_interval(self, X: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:  # noqa: N803
        """The ends of 90 % intervals of the probabilities of the classes."""
        found = self._predictions(X, 1000)
        return found.low, found.high

    def _predictions(self, X: Any, draws: int) -> Predictions:  # noqa: N803
        post = self._fitted()
        target, features = self._columns_of(self._declared())
        return post.predict_proba(self._rows(X, features), target=target, draws=draws)


class NaiveBayes(_Classifier):
    """A classifier by a private naive Bayes model: a study of kind ``naive-bayes``.

    >>> model = NaiveBayes("clinic.toml", "clinic.ledger", epsilon="1")
    >>> model.fit(frame[["smoker", "age"]], frame["cancer"]).classes_.tolist()
    ['no', 'yes']
    >>> low, high = model.predict_interval(frame[["smoker", "age"]])
    >>> low.shape
    (500, 2)
    """

    _kinds = ("naive-bayes",)
    _target_key = "class"


class LogisticRegression(_Classifier):
    """A classifier by odds: a study of kind ``logistic-regression``.

    One release of noisy sums of products, unless the study names rounds: then noisy gradients.

    >>> model = LogisticRegression("clinic.toml", "clinic.ledger", epsilon="1")
    >>> model.fit(frame[["age"]], frame["cancer"]).predict_proba(frame[["age"]]).shape
    (500, 2)
    """

    _kinds = ("logistic-regression",)


class LinearRegression(RegressorMixin, _Released):  # type: ignore[misc]
    """A number on numbers and categories: a study of kind ``linear-regression``.

    >>> model = LinearRegression("hours.toml", "hours.ledger", epsilon="1")
    >>> low, high = model.fit(frame[["age"]], frame["hours"]).predict_interval(frame[["age"]])
    >>> low.shape
    (500,)
    """

    _kinds = ("linear-regression",)

    def predict(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """The predictive mean of each row."""
        return self._predictions(X).mean

    def predict_interval(self, X: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:  # noqa: N803
        """The ends of 90 % intervals of a new record's value, noise and residual included."""
        found = self._predictions(X)
        return found.low, found.high

    def _predictions(self, X: Any) -> NumberPredictions:  # noqa: N803
        post = self._fitted()
        return post.predict_interval(self._rows(X, list(self.feature_names_in_)))


class PCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _Released):  # type: ignore[misc]
    """Principal components with their uncertainty: a study of kind ``principal-component``.

    Rows are projected about the middles of the declared ranges, which are public; loadings and shares of the
    variance are posterior means, and each has its interval.

    >>> model = PCA("bodies.toml", "bodies.ledger", rho="1")
    >>> model.fit(frame[["height", "weight", "shoe"]]).explained_variance_ratio_.shape
    (2,)
    >>> low, high = model.transform_interval(frame[["height", "weight", "shoe"]])
    """

    _kinds = ("principal-component",)

    def fit(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        """Charges the ledger, releases, and infers. Nothing in a record makes it fail; y is not read."""
        study = self._declared()
        features = list(study.model_columns)
        self._release(self._rows(X, features), study, features)
        post = self.posterior_
        summary = {row.name: row for row in post.summary()}
        axes = sum(1 for name in post.names if name.startswith("angle."))
        loadings = [[summary[f"axis.{k}.{j}"] for j in _from_one(features)] for k in range(1, axes + 1)]
        self.components_ = _of_length_one([[row.mean for row in axis] for axis in loadings])
        self.components_interval_ = _ends([row for axis in loadings for row in axis], (axes, len(features)))
        shares = [summary[f"share.{k}"] for k in range(1, axes + 1)]
        variances = [summary[f"variance.{k}"] for k in range(1, axes + 1)]
        self.explained_variance_ratio_ = np.array([row.mean for row in shares])
        self.explained_variance_ratio_interval_ = _ends(shares, (axes,))
        self.explained_variance_ = np.array([row.mean for row in variances])
        self.explained_variance_interval_ = _ends(variances, (axes,))
        self.origin_ = np.array([_middle(study, name) for name in features])
        self._n_features_out = axes
        return self

    def transform(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """Where each row lies along the mean axes, from the middles of the declared ranges."""
        projected: npt.NDArray[np.float64] = self._centred(X) @ self.components_.T
        return projected

    def transform_interval(self, X: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:  # noqa: N803
        """The ends of 90 % intervals of that: how far the axes might be elsewhere."""
        rows = self._centred(X)
        post = self._fitted()
        low = np.empty((len(rows), self._n_features_out))
        high = np.empty_like(low)
        for k in range(self._n_features_out):
            names = [f"axis.{k + 1}.{j}" for j in _from_one(self.feature_names_in_)]
            axis = np.stack([post[name].reshape(-1) for name in names])
            for i, row in enumerate(rows):
                low[i, k], high[i, k] = np.quantile(row @ axis, (0.05, 0.95))
        return low, high

    def _centred(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        self._fitted()
        frame = self._rows(X, list(self.feature_names_in_))
        cells = frame.apply(pandas.to_numeric, errors="coerce").to_numpy(dtype=np.float64)
        centred: npt.NDArray[np.float64] = cells - self.origin_
        return centred


def _from_one(columns: Any) -> range:
    return range(1, len(columns) + 1)


def _of_length_one(axes: list[list[float]]) -> npt.NDArray[np.float64]:
    rows = np.array(axes)
    lengths: npt.NDArray[np.float64] = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1)


def _ends(rows: list[Any], shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Lower and upper ends of 90 % intervals, one array in the other."""
    return np.array([[row.q05 for row in rows], [row.q95 for row in rows]]).reshape(2, *shape)


def _middle(study: Study, name: str) -> float:
    """The middle of a column's declared range."""
    column = next(one for one in study._facts["columns"] if one["name"] == name)
    low, high = column["real"] if "real" in column else column["integer"]
    return float(Fraction(low) + Fraction(high)) / 2


class PoissonRegression(LinearRegression):
    """A count on numbers and categories: a study of kind ``poisson-regression``.

    >>> model = PoissonRegression("visits.toml", "visits.ledger", epsilon="1")
    >>> low, high = model.fit(frame[["age"]], frame["visits"]).predict_interval(frame[["age"]])
    >>> low.shape
    (500,)
    """

    _kinds = ("poisson-regression",)


def _given(value: Any, name: str) -> Any:
    if value is None:
        raise Error(
            "wrong-type", f"{name} is not given; an estimator needs a study and a ledger to be fitted"
        )
    return value


# Types must not come from the records: one odd value in a list would decide how all others are read.


def _cells(values: Any) -> npt.NDArray[np.object_]:
    """Each value by itself, as Python has it: no value changes how another is read."""
    listed = values.to_pylist() if hasattr(values, "to_pylist") else values
    listed = listed.to_list() if hasattr(listed, "to_list") else listed
    cells = np.empty(len(listed), dtype=object)
    for i, value in enumerate(listed):
        cells[i] = value
    return cells


def _column(values: npt.NDArray[Any]) -> pandas.Series:
    """A column that pandas does not look into: of numbers as they are, else of objects."""
    kept = values if values.dtype.kind in "biuf" else values.astype(object)
    return pandas.Series(kept, dtype=kept.dtype)


def _frame(X: Any, features: list[str], who: str) -> pandas.DataFrame:  # noqa: N803
    """The features by name, from a frame; an array has them in the order of the study."""
    if hasattr(X, "columns"):
        of_pandas = isinstance(X, pandas.DataFrame)
        names = (
            X.columns if of_pandas else getattr(X, "column_names", X.columns)
        )  # pyarrow's columns have none
        absent = [name for name in features if name not in names]
        if absent:
            raise Error("column-absent", f"X has no column {', '.join(absent)}, which the study names")
        if of_pandas:
            return X[features]
        return pandas.DataFrame({name: _column(_cells(X[name])) for name in features})
    if hasattr(X, "nnz"):
        raise _ShapeError("wrong-type", "X is sparse, which is not supported: give a frame, or a dense array")
    if not isinstance(X, np.ndarray):
        raise Error("wrong-type", f"X is a {type(X).__name__}; give a frame, or an array with two dimensions")
    if np.iscomplexobj(X):
        raise _ShapeError("wrong-type", "Complex data not supported: columns are text or plain numbers")
    if X.ndim != 2:
        raise _ShapeError(
            "wrong-type", "X has not two dimensions. Reshape your data: X.reshape(-1, 1) makes it one feature"
        )
    if X.shape[1] != len(features):
        raise _ShapeError(
            "wrong-type",
            f"X has {X.shape[1]} features, but {who} is expecting {len(features)} features as input: "
            + ", ".join(features),
        )
    return pandas.DataFrame({name: _column(X[:, i]) for i, name in enumerate(features)})
