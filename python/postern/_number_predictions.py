"""What the posterior of a regression says of rows that it has not seen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _analyst
from ._tables import number, text_table
from ._warning import NamedWarning, named

_MOST_ROWS = 10


class NumberPredictions:
    """Predictions of a column of numbers, row by row: means, and 90 % intervals of a new record's value.

    ``numpy.asarray`` gives the means. A row that lacks a feature has no numbers (``nan``).
    """

    def __init__(self, inner: _analyst.Predictions, numbers: _analyst.NumberPredictions) -> None:
        """Use `Posterior.predict_interval`."""
        self._inner = inner
        self._numbers = numbers

    @property
    def target(self) -> str:
        """The column that is predicted."""
        return self._inner.target

    @property
    def mean(self) -> npt.NDArray[np.float64]:
        """The predictive mean of each row, in the study's units."""
        return self._numbers.mean()

    @property
    def low(self) -> npt.NDArray[np.float64]:
        """The lower ends of the 90 % intervals: 5 % of new records lie below."""
        return self._numbers.low()

    @property
    def high(self) -> npt.NDArray[np.float64]:
        """The upper ends of the 90 % intervals: 5 % of new records lie above."""
        return self._numbers.high()

    @property
    def how(self) -> str:
        """How the means were computed."""
        return self._inner.how

    @property
    def rmse(self) -> float | None:
        """The root mean square error over the rows that hold the target; nothing where none does."""
        return self._numbers.rmse

    @property
    def coverage(self) -> float | None:
        """The share of these rows whose target lies inside its interval."""
        return self._numbers.coverage

    @property
    def log_score(self) -> float | None:
        """The mean of the log predictive density at their targets, in nats."""
        return self._numbers.log_score

    @property
    def warnings(self) -> tuple[NamedWarning, ...]:
        """What the rows lack, or hold that the study does not declare; said already."""
        return named(self._inner.warnings)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.mean, dtype=dtype)

    def __len__(self) -> int:
        return len(self.mean)

    def __repr__(self) -> str:
        columns = (self.mean, self.low, self.high)
        rows = [
            [str(i + 1), *("" if math.isnan(x[i]) else number(float(x[i])) for x in columns)]
            for i in range(min(len(self), _MOST_ROWS))
        ]
        more = len(self) - len(rows)
        head = f"Predictions of {_analyst.printable(self.target)}: {self.how}; {len(self)} rows\n"
        table = text_table(["row", "prediction", "5%", "95%"], rows)
        return head + table + (f"\n... and {more} more rows" if more else "")


NumberPredictions.__module__ = "postern.analyst"
