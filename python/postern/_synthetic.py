"""Synthetic records of a posterior."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _analyst
from ._files import PathLike, write_text
from ._given import flag

if TYPE_CHECKING:
    import pandas
    import polars


class SyntheticRecords:
    """One synthetic data set. It costs no privacy beyond the releases, and is only as good as the model.

    >>> records = post.synthesize(100, seed=2)
    >>> records.columns
    ('smoker', 'cancer')
    >>> len(records)
    100
    """

    def __init__(self, inner: _analyst.Synthetic, dataset: int, size: int) -> None:
        """Use `Posterior.synthesize`."""
        self._inner = inner
        self._dataset = dataset
        self._size = size

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the model."""
        return tuple(self._inner.columns)

    @property
    def notes(self) -> tuple[str, ...]:
        """How the records were made, and how results from several data sets are combined."""
        return tuple(self._inner.notes())

    def __len__(self) -> int:
        return self._size

    def to_dict(self) -> dict[str, list[str]]:
        """The fields of each column, as a CSV file would hold them.

        >>> records = post.synthesize(100, seed=2)
        >>> sorted(set(records.to_dict()["smoker"]))
        ['no', 'yes']
        """
        return {name: self._inner.fields(self._dataset, i) for i, name in enumerate(self.columns)}

    def to_csv(self) -> str:
        """The text that ``postern synth`` writes with the same options.

        >>> post.synthesize(100, seed=2).to_csv().splitlines()[0]
        'smoker,cancer'
        """
        return self._inner.csv(self._dataset)

    def save(self, path: PathLike, *, force: bool = False) -> None:
        """Writes the records as CSV.

        >>> records = post.synthesize(100, seed=2)
        >>> records.save("synthetic.csv")
        """
        write_text(path, self.to_csv(), flag(force, "force"))

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas frame of the fields, numbers as numbers.

        >>> records = post.synthesize(100, seed=2)
        >>> records.to_pandas().shape
        (100, 2)
        """
        import pandas

        return pandas.DataFrame(self._typed())

    def to_polars(self) -> polars.DataFrame:
        """A polars frame of the fields, numbers as numbers.

        >>> post.synthesize(100, seed=2).to_polars().shape
        (100, 2)
        """
        import polars

        return polars.DataFrame(self._typed())

    def _typed(self) -> dict[str, Any]:
        fields = zip(self.to_dict().items(), self._inner.numbers, strict=True)
        return {name: _numbers(texts) if number else texts for (name, texts), number in fields}

    def __repr__(self) -> str:
        names = ", ".join(map(_analyst.printable, self.columns))
        return f"SyntheticRecords({self._size} records of {names})"


def _numbers(texts: list[str]) -> npt.NDArray[Any]:
    return np.array(texts, dtype=float if any("." in text for text in texts) else np.int64)


SyntheticRecords.__module__ = "postern.analyst"
