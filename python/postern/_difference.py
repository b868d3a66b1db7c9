"""The difference of what two posteriors say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import _analyst
from ._given import word
from ._tables import number

if TYPE_CHECKING:
    from ._posterior import Posterior


class Difference:
    """A query's answer in one posterior less its answer in another, as draws and in numbers.

    >>> change = difference(post, other, "P(cancer = yes)")
    >>> change.draws.shape
    (4000,)
    >>> change.q05 < change.mean < change.q95
    True
    """

    def __init__(self, inner: _analyst.Difference) -> None:
        """Use `difference`."""
        self._inner = inner

    @property
    def label(self) -> str:
        """The query."""
        return self._inner.summary.label

    @property
    def mean(self) -> float:
        """The posterior mean of the difference."""
        return self._inner.summary.mean

    @property
    def sd(self) -> float:
        """Its standard deviation."""
        return self._inner.summary.sd

    @property
    def q05(self) -> float:
        """The lower end of its 90 % interval."""
        return self._inner.summary.q05

    @property
    def q50(self) -> float:
        """Its median."""
        return self._inner.summary.q50

    @property
    def q95(self) -> float:
        """The upper end of its 90 % interval."""
        return self._inner.summary.q95

    @property
    def draws(self) -> npt.NDArray[np.float64]:
        """Draws of the difference, which cannot be written."""
        return self._inner.draws()

    def __repr__(self) -> str:
        ends = f"{number(self.q05)} .. {number(self.q95)}"
        return f"Difference({self.label}: {number(self.mean)}, 90 % interval {ends})"


def difference(a: Posterior, b: Posterior, query: str) -> Difference:
    """How much ``query`` is larger in ``a`` than in ``b``: two posteriors of different records.

    ``query`` is a quantity of both, by name or label, or a query as `infer` takes them. Draws are paired at
    random, as independent draws may be. Posteriors that share a release or a record set are refused
    (``releases-conflict``): their draws are not independent, and `infer` takes all releases together instead.

    >>> difference(post, other, "P(cancer = yes)").sd > 0
    True
    """
    text = word(query, "query", 'a text such as "P(cancer = yes)"')
    return Difference(_analyst.difference(_inner(a, "a"), _inner(b, "b"), text))


def _inner(posterior: Posterior, name: str) -> _analyst.Posterior:
    inner = getattr(posterior, "_inner", None)
    if not isinstance(inner, _analyst.Posterior):
        raise TypeError(f"{name} is a {type(posterior).__name__}; pass a Posterior, as infer returns it")
    return inner


for _public in (Difference, difference):
    _public.__module__ = "postern.analyst"
