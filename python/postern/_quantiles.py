"""A table of quantiles: one row a quantity, one column a probability."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from ._tables import number, text_table
from .errors import Error

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class QuantileRow:
    """The quantiles of one quantity, in the order in which they were asked for."""

    name: str
    label: str
    values: tuple[float, ...]


class QuantileTable(tuple[QuantileRow, ...]):
    """Quantiles of every quantity: rows in order, printed as a table, found by name or label.

    >>> table = post.quantile([0.025, 0.975])
    >>> table.probabilities
    (0.025, 0.975)
    >>> low, high = table["p.1"].values
    >>> low < high
    True
    """

    probabilities: tuple[float, ...]
    """What was asked for, in order."""

    def __new__(cls, rows: Iterable[QuantileRow], probabilities: Iterable[float]) -> QuantileTable:
        """Use `Posterior.quantile`."""
        table = super().__new__(cls, rows)
        table.probabilities = tuple(probabilities)
        return table

    def __reduce__(self) -> tuple[Any, ...]:
        return QuantileTable, (tuple(self), self.probabilities)

    def __getitem__(self, key: Any) -> Any:
        """A row by its place, its name or its label."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        for row in self:
            if key in (row.name, row.label):
                return row
        raise KeyError(key)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas frame, indexed by name, a column a probability.

        >>> post.quantile([0.1, 0.9]).to_pandas().shape
        (4, 2)
        """
        import pandas

        return pandas.DataFrame(
            [row.values for row in self],
            index=pandas.Index([row.name for row in self], name="name"),
            columns=list(self.probabilities),
        )

    def __repr__(self) -> str:
        titles = ["quantity", *(f"{100 * p:.6g}%" for p in self.probabilities)]
        return text_table(titles, [[row.label, *map(number, row.values)] for row in self])


def is_one(p: object) -> bool:
    """Whether one thing was given and not several."""
    return not isinstance(p, Iterable) or isinstance(p, str) or getattr(p, "ndim", None) == 0


def probability(p: Any) -> float:
    """A probability, or a refusal."""
    if getattr(p, "ndim", None) == 0:
        p = p.item()  # of NumPy, as Python has it
    if isinstance(p, bool) or not isinstance(p, Real) or not 0 <= float(p) <= 1:
        raise Error("bad-option", f"p={p!r} is not a probability; give a number from 0 to 1, or a list")
    return float(p)


for _public in (QuantileRow, QuantileTable):
    _public.__module__ = "postern.analyst"
