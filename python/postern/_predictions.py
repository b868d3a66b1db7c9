"""What a posterior says of rows that it has not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _analyst
from ._frames import wanted_columns
from ._number_predictions import NumberPredictions
from ._release import Release
from ._rows import row_columns
from ._tables import number, text_table
from ._warning import NamedWarning, named
from ._words import whole
from .errors import Error

if TYPE_CHECKING:
    import pandas

_MOST_ROWS = 10


class Predictions:
    """Probabilities of one column's values, row by row, with 90 % intervals.

    ``numpy.asarray`` gives the probabilities: a row a row, a column a value in the order of ``levels``.

    >>> found = post.predict_proba({"smoker": ["yes", "no", None]}, target="cancer")
    >>> found.levels
    ('no', 'yes')
    >>> found.probabilities.shape
    (3, 2)
    """

    def __init__(self, inner: _analyst.Predictions) -> None:
        """Use `Posterior.predict_proba`."""
        self._inner = inner

    @property
    def target(self) -> str:
        """The column that is predicted."""
        return self._inner.target

    @property
    def levels(self) -> tuple[str, ...]:
        """Its values, in the order of the study."""
        return tuple(self._inner.levels)

    @property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """P(value | the row's other fields, releases), of shape (rows, levels)."""
        return self._inner.probability()

    @property
    def low(self) -> npt.NDArray[np.float64]:
        """The lower ends of the 90 % intervals, of the same shape."""
        return self._inner.low()

    @property
    def high(self) -> npt.NDArray[np.float64]:
        """The upper ends of the 90 % intervals, of the same shape."""
        return self._inner.high()

    @property
    def labels(self) -> npt.NDArray[np.object_]:
        """The most probable value of each row."""
        best: npt.NDArray[np.object_] = np.array(self.levels, dtype=object)[
            np.argmax(self.probabilities, axis=1)
        ]
        return best

    @property
    def exact(self) -> bool:
        """Whether the probabilities are exact, without an average over draws."""
        return self._inner.exact

    @property
    def how(self) -> str:
        """How the probabilities were computed."""
        return self._inner.how

    @property
    def log_loss(self) -> float | None:
        """The mean of -log P(truth) over the rows that hold the target; nothing where none does."""
        return self._inner.log_loss

    @property
    def accuracy(self) -> float | None:
        """The share of these rows whose most probable value is the truth."""
        return self._inner.accuracy

    @property
    def warnings(self) -> tuple[NamedWarning, ...]:
        """What the rows hold that the study does not declare; said already."""
        return named(self._inner.warnings)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.probabilities, dtype=dtype)

    def __len__(self) -> int:
        return len(self.probabilities)

    def to_pandas(self) -> pandas.DataFrame:
        """A frame: the prediction, and for each value its probability and interval.

        >>> found = post.predict_proba({"smoker": ["yes"]}, target="cancer")
        >>> list(found.to_pandas().columns)[:4]
        ['prediction', 'P(no)', 'q05(no)', 'q95(no)']
        """
        import pandas

        columns: dict[str, Any] = {"prediction": self.labels}
        for i, level in enumerate(self.levels):
            for what, numbers in (("P", self.probabilities), ("q05", self.low), ("q95", self.high)):
                columns[f"{what}({level})"] = numbers[:, i]
        return pandas.DataFrame(columns)

    def __repr__(self) -> str:
        shown = range(min(len(self), _MOST_ROWS))
        best = np.argmax(self.probabilities, axis=1)
        rows = [
            [
                str(i + 1),
                _analyst.printable(self.levels[best[i]]),
                *(number(float(x[i, best[i]])) for x in (self.probabilities, self.low, self.high)),
            ]
            for i in shown
        ]
        more = len(self) - len(rows)
        head = f"Predictions of {_analyst.printable(self.target)}: {self.how}; {len(self)} rows\n"
        return (
            head
            + text_table(["row", "prediction", "P", "5%", "95%"], rows)
            + (f"\n... and {more} more rows" if more else "")
        )


def predictions(
    inner: _analyst.Posterior, rows: object, target: str | None, draws: int, threads: int
) -> Predictions | NumberPredictions:
    """Reads the rows as the posterior's study declares them, and predicts."""
    limits = whole("draws", draws, 1), whole("threads", threads)
    if not inner.documents:
        _analyst.predict(inner, [], target, *limits)  # says why not
    release = Release(inner.documents[0])
    wanted = wanted_columns(release._facts["study"], _analyst.row_columns(inner))
    columns = row_columns(rows, wanted, some=True)
    if columns is None:
        names = ", ".join(map(_analyst.printable, wanted))
        raise Error("column-absent", f"rows to predict need some of the columns {names}, each once")
    found = _analyst.predict(inner, columns, target, *limits)
    return Predictions(found) if found.numbers is None else NumberPredictions(found, found.numbers)


Predictions.__module__ = "postern.analyst"
