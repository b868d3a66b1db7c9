"""The privacy-budget ledger, as Python holds it."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from . import _owner
from ._files import PathLike, write_text
from ._given import flag, path_text
from ._release import Release, as_releases
from ._study import Study, as_study
from ._words import Amount, decimal_text, unit_of
from .errors import Error


@dataclass(frozen=True)
class Balance:
    """What a ledger has spent and what is left, in ``unit`` (epsilon or rho)."""

    dataset: str
    unit: str
    budget: Decimal
    spent: Decimal
    left: Decimal
    charges: int
    published: int
    record_set: str


@dataclass(frozen=True)
class Charge:
    """One charge in a ledger, published or not."""

    seq: int
    release_id: str
    cost: Decimal
    mechanism: str
    record_set: str
    at: str
    published: bool


class Ledger:
    """The privacy-budget ledger: one dataset, one budget, every release that was paid for.

    Made by `create` or `open`. A charge is committed before any noise is drawn and is never given
    back; the database refuses an overdraft by itself. Keep the file and its key (``<path>.key``) together, on
    the owner's machine. Once the file is deleted, moved or replaced, this object refuses.

    >>> ledger = Ledger.create("book.ledger", Study.load("study.toml"), budget="10", another_ledger=True)
    >>> ledger
    Ledger('book.ledger', dataset 'survey-2026', budget epsilon 10)
    >>> ledger.balance().left
    Decimal('10')
    """

    def __init__(self, book: _owner.Ledger, path: str) -> None:
        """Use `create` or `open`."""
        self._book = book
        self._lock = threading.Lock()
        self._terms = book.balance()
        self.path = path

    @classmethod
    def create(
        cls, path: PathLike, study: Study | PathLike, budget: Amount, *, another_ledger: bool = False
    ) -> Ledger:
        """Makes the ledger of a dataset, with all the privacy that its records may ever lose.

        Adjacency, unit and currency of the study are fixed with it. Refused (``ledger-exists``) where you
        have a ledger of this dataset, beside this one or anywhere it was made by the same user; with
        ``another_ledger`` it is made all the same, and both budgets can be spent on the same records.

        >>> Ledger.create("new.ledger", "study.toml", budget="2.5", another_ledger=True).balance().budget
        Decimal('2.5')
        """
        name, ours, another = _path(path), as_study(study), flag(another_ledger, "another_ledger")
        handle = _owner.Study.parse(ours.text, ours.source)
        book, note = _owner.Ledger.create(name, handle, decimal_text("budget", budget), another)
        if note is not None:
            warnings.warn(note, stacklevel=2)
        return cls(book, name)

    @classmethod
    def open(cls, path: PathLike) -> Ledger:
        """Opens an existing ledger and verifies its chain.

        >>> Ledger.open("survey.ledger").balance().charges
        1
        """
        name = _path(path)
        return cls(_owner.Ledger.open(name), name)

    def balance(self) -> Balance:
        """What was spent and what is left.

        >>> Ledger.open("survey.ledger").balance().spent
        Decimal('1')
        """
        with self._lock:
            now = self._book.balance()
        return Balance(
            now.dataset,
            unit_of(now.currency),
            Decimal(now.budget),
            Decimal(now.spent),
            Decimal(now.left),
            now.charges,
            now.published,
            now.record_set,
        )

    def charges(self) -> list[Charge]:
        """Every charge, oldest first.

        >>> [charge.mechanism for charge in Ledger.open("survey.ledger").charges()]
        ['laplace']
        """
        with self._lock:
            rows = self._book.charges()
        return [
            Charge(
                row.seq,
                row.release_id,
                Decimal(row.cost),
                row.mechanism,
                row.record_set,
                row.at,
                row.published,
            )
            for row in rows
        ]

    def verify(self, releases: Release | PathLike | Iterable[Release | PathLike] = ()) -> int:
        """Checks every link of the chain, and that it holds the charges of these releases; returns the links.

        A release whose charge is missing shows that the ledger was rolled back to an older copy.

        >>> Ledger.open("survey.ledger").verify(["survey.release.json"])
        4
        """
        documents = as_releases(releases)
        with self._lock:
            links = self._book.verify_chain()
        for document in documents:
            if not self.holds(document):
                raise Error(
                    "ledger-tampered",
                    f"the ledger does not hold the charge of '{document.source}': {self._why_not(document)}",
                )
        return links

    def holds(self, release: Release) -> bool:
        """Whether this ledger was charged for that very document.

        >>> Ledger.open("survey.ledger").holds(Release.load("survey.release.json"))
        True
        """
        with self._lock:
            return self._book.holds(release.text)

    def _why_not(self, release: Release) -> str:
        """Why this ledger may lack the charge of a release, and what to do."""
        ours = self._terms.dataset
        if ours != release.dataset:
            return f"it is of dataset {ours!r}, the release of {release.dataset!r}: give the ledger of that"
        return (
            "it is of the same dataset but did not pay for this release: it is a second ledger, or was "
            "rolled back to an older copy; a dataset has one ledger, the one that paid"
        )

    def reconcile(self, releases: Release | PathLike | Iterable[Release | PathLike]) -> int:
        """Notes as published the documents that a crash kept from being noted; returns how many.

        >>> Ledger.open("survey.ledger").reconcile(["survey.release.json"])
        0
        """
        documents = as_releases(releases)
        with self._lock:
            return sum(self._book.reconcile(document.text) for document in documents)

    def __deepcopy__(self, memo: object) -> Ledger:
        """A copy spends from the same budget: it is the ledger itself."""
        return self

    def new_records(self) -> Balance:
        """Declares that the records changed: later releases carry a new record set, the budget stays.

        >>> ledger = Ledger.open("survey.ledger")
        >>> ledger.balance().record_set != ledger.new_records().record_set
        True
        """
        with self._lock:
            self._book.new_records()
        return self.balance()

    def backup(self, path: PathLike) -> int:
        """Copies the ledger and its key to a new file and ``<path>.key``; returns the links in the copy.

        The copy is of one moment, holds every charge made until then, and is checked. Spend from one only.

        >>> Ledger.open("survey.ledger").backup("copy.ledger")
        3
        """
        with self._lock:
            return self._book.backup(_path(path))

    def export(self, path: PathLike | None = None, *, force: bool = False) -> str:
        """Every row as JSON lines, also written to a file if one is named. No key, nothing of the records.

        >>> Ledger.open("survey.ledger").export().count("charge") > 0
        True
        """
        with self._lock:
            lines = self._book.export_lines()
        if path is not None:
            write_text(path, lines, force)
        return lines

    def __repr__(self) -> str:
        budget = f"{unit_of(self._terms.currency)} {self._terms.budget}"
        return f"Ledger({self.path!r}, dataset {self._terms.dataset!r}, budget {budget})"


def _path(given: object) -> str:
    return path_text(given, "ledger", "a Ledger, or the path of its file")


def as_ledger(ledger: Ledger | PathLike) -> Ledger:
    """The ledger itself, or the one in that file."""
    return ledger if isinstance(ledger, Ledger) else Ledger.open(ledger)


for _public in (Ledger, Balance, Charge):
    _public.__module__ = "postern.owner"
