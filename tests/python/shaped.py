"""Estimators whose study is made for whatever shape of data scikit-learn's own checks make up.

A study declares its columns before there are records; those checks make up arrays of many shapes.
Here a study is written for as many columns as X has. Bounds are fixed: nothing is read off the records.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import postern as pn
from postern.estimators import PCA, LinearRegression

_HEAD = 'version = 1\nname = "shaped"\ndataset = "shaped"\n[privacy]\nadjacency = "replace-one"\n'


def _columns(names: list[str]) -> str:
    return "".join(f'[columns.{name}]\nreal = ["-20", "20"]\ngrid = "0.5"\nmissing = "0"\n' for name in names)


def _texts(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def width_of(rows: Any) -> int:
    shape: tuple[int, ...] = getattr(rows, "shape", ())
    return int(shape[1]) if len(shape) == 2 else 2


def ledger(folder: Path) -> str:
    """One ledger for all: it is of a dataset and a policy, whatever the columns."""
    study = pn.Study.parse(
        _HEAD + _columns(["x0", "x1"]) + '[model]\nkind = "principal-component"\ncolumns = ["x0", "x1"]\n'
    )
    pn.Ledger.create(folder / "shaped.ledger", study, budget="1000")
    return str(folder / "shaped.ledger")


class _Quick:
    """Few draws: what is checked are manners, not posteriors."""

    def _infer(self) -> pn.Posterior:
        return pn.infer(self.release_, seed=self.seed, draws=20, chains=2)  # type: ignore[attr-defined]


class ShapedPCA(_Quick, PCA):
    def fit(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        names = [f"x{i}" for i in range(max(2, width_of(X)))]
        self.shape_ = pn.Study.parse(
            _HEAD + _columns(names) + f'[model]\nkind = "principal-component"\ncolumns = [{_texts(names)}]\n'
        )
        return super().fit(X, y)

    def _declared(self) -> pn.Study:
        return self.shape_


class ShapedLinearRegression(_Quick, LinearRegression):
    def fit(self, X: Any, y: Any) -> Any:  # noqa: N803
        names = [f"x{i}" for i in range(width_of(X))]
        self.shape_ = pn.Study.parse(
            _HEAD
            + _columns([*names, "y"])
            + f'[model]\nkind = "linear-regression"\ntarget = "y"\nfeatures = [{_texts(names)}]\n'
        )
        return super().fit(X, y)

    def _declared(self) -> pn.Study:
        return self.shape_
