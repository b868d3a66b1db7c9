"""The summary of a posterior: the table that people read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _analyst
from ._tables import number, text_table

if TYPE_CHECKING:
    import pandas

_MOST_ROWS = 30


@dataclass(frozen=True)
class SummaryRow:
    """One line of the table people read. ``ess`` and ``rhat`` are ``None`` for independent draws."""

    name: str
    label: str
    mean: float
    sd: float
    q05: float
    q50: float
    q95: float
    ess: float | None
    rhat: float | None


class Summary(tuple[SummaryRow, ...]):
    """The summary of a posterior: rows in order, printed as a table, found by name or label.

    >>> summary = post.summary()
    >>> summary["p.1"].label
    'P(smoker = no, cancer = no)'
    """

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        """A row by its place, its name or its label."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        for row in self:
            if key in (row.name, row.label):
                return row
        raise KeyError(key)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas frame, indexed by name.

        >>> list(post.summary().to_pandas().columns)
        ['label', 'mean', 'sd', 'q05', 'q50', 'q95', 'ess', 'rhat']
        """
        import pandas

        return pandas.DataFrame([vars(row) for row in self]).set_index("name")

    def __repr__(self) -> str:
        # Answers to queries come last and are what was asked for: they are always shown.
        answers = [row for row in self if row.name.startswith("query.")]
        others = list(self)[: len(self) - len(answers)]
        shown = others[: max(1, _MOST_ROWS - len(answers))] + answers
        mcmc = any(row.ess is not None for row in shown)
        titles = ["quantity", "mean", "sd", "5%", "50%", "95%", *(["ess", "rhat"] if mcmc else [])]
        rows = [
            [
                row.label,
                *(number(x) for x in (row.mean, row.sd, row.q05, row.q50, row.q95)),
                *(("" if x is None else number(x)) for x in ((row.ess, row.rhat) if mcmc else ())),
            ]
            for row in shown
        ]
        more = len(self) - len(shown)
        return text_table(titles, rows) + (f"\n... and {more} more rows, in summary()" if more else "")


def summary_of(rows: Iterable[_analyst.SummaryRow]) -> Summary:
    return Summary(
        SummaryRow(row.name, row.label, row.mean, row.sd, row.q05, row.q50, row.q95, row.ess, row.rhat)
        for row in rows
    )
