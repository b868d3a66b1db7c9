"""The owner's side, inside the wall: ledgers and releases. Needs nothing of the analyst's side."""

from __future__ import annotations

import csv
import hashlib
import io
import logging
import os
import sys
import warnings
from collections.abc import Mapping
from typing import Any

from . import _owner
from ._check import RecordsCheck, check
from ._dialect import in_python
from ._files import PathLike
from ._frames import (
    ArrowTable,
    Truth,
    arrow_stream,
    column_names,
    has_no_rows,
    is_query,
    quiet_stream,
    table_reader,
    text_columns,
    wanted_columns,
    without_rows,
)
from ._given import flag, path_text
from ._init import init
from ._ledger import Balance, Charge, Ledger, as_ledger
from ._records import as_table, check_query, refuse_study
from ._release import Check, Release, verify
from ._study import Study, as_study, unit_column
from ._words import Amount, noise_words, unit_of, whole
from .errors import Error

__all__ = [
    "Balance",
    "Charge",
    "Check",
    "Error",
    "Ledger",
    "RecordsCheck",
    "Release",
    "Study",
    "check",
    "init",
    "release",
    "verify",
]

_log = logging.getLogger("postern")
_may_ask_analyst = False  # set by `postern.release`: whoever calls that has both sides at hand


def release(
    data: ArrowTable | PathLike | Mapping[str, Any],
    study: Study | PathLike,
    *,
    ledger: Ledger | PathLike,
    epsilon: Amount | None = None,
    rho: Amount | None = None,
    mechanism: str | None = None,
    shares: Mapping[str, Amount] | None = None,
    counts: bool = False,
    select: str | None = None,
    sign: PathLike | None = None,
    format: str | None = None,
    delimiter: str | None = None,
    without_posterior: bool = False,
    threads: int = 0,
) -> Release:
    """Charges the ledger, then publishes noisy statistics of the records.

    ``data`` is a frame (pandas, polars, pyarrow, duckdb: anything with ``__arrow_c_stream__``, or a polars
    LazyFrame; only pandas columns of objects are copied), or the path of a CSV, Parquet or Arrow file or of
    a folder of tables (``format`` is csv, parquet or arrow, where the suffix does not tell; ``delimiter`` is
    what separates the fields of a CSV file, where that is not a comma). With ``counts=True`` it is a table of
    counts instead: the model's columns and a column ``count``, as a frame, a mapping or a CSV file.
    Give exactly one of ``epsilon`` and ``rho``, as the study's currency says: text, int, Decimal or Fraction,
    never a float. ``shares`` gives blocks more or less precision than they have by default in proportion to
    the others, such as ``{"count": "0.5"}``; a plan names them. ``select="tree"`` or ``"adaptive"`` has the
    release choose a network of the study's columns (`Study.selecting`). ``sign`` names an ed25519 private key
    (PEM).

    Everything that can be checked is checked before the charge. A release that no engine of `infer` would
    take is refused, unless ``without_posterior`` says that only its noisy values are wanted. (Called as
    ``postern.owner.release`` where the analyst's side is not loaded, it cannot ask, and the log ``postern``
    says so.) The charge is committed before a record is read or a query run, and stands even if the call is
    interrupted. The document counts as published when this returns.

    >>> release(frame, "study.toml", epsilon="0.5", ledger="survey.ledger")
    Release(..., 'smoking-and-cancer', epsilon 0.5, laplace, n 500)
    """
    refuse_study(data, "release")
    counted = flag(counts, "counts")
    declared = as_study(study, select)
    ours = _owner.Study.parse(declared.text, declared.source)
    words = noise_words(epsilon, rho, mechanism, shares)
    plan = ours.plan(*words)
    if not flag(without_posterior, "without_posterior"):
        _refuse_unusable(declared, words)
    pem = None if sign is None else path_text(sign, "sign", "the path of a private key")
    key = None if pem is None else _owner.read_signing_key(pem, ours)
    book = as_ledger(ledger)
    with book._lock:
        book._book.check_terms(ours)
        before = book._book.charges_made
        source = (
            _open_counts(data, (format, delimiter), declared, ours)
            if counted
            else _open_records(data, (format, delimiter), declared, ours, whole("threads", threads))
        )
        if plan.is_large:
            warnings.warn(
                f"{unit_of(declared.currency)} {plan.cost} is large: the guarantee it buys is weak",
                stacklevel=2,
            )
        try:
            document = Release(_owner.issue(ours, plan, counted, key, book._book, source, _round_table))
            digest = hashlib.sha256(document.text.encode()).hexdigest()
            book._book.record_published(document.id, digest)
        except BaseException as error:
            if book._book.charges_made > before:
                error.add_note("the ledger was charged before this failed, and the charge stands")
            raise
    return document


def _refuse_unusable(declared: Study, words: Any) -> None:
    """Asks the analyst's side, if it is at hand, whether it would take such a release."""
    analyst = sys.modules.get("postern._analyst")
    if analyst is None and _may_ask_analyst:
        from . import _analyst as analyst
    if analyst is None:
        _log.warning("whether infer takes this release was not asked: the analyst's side is not loaded")
        return
    theirs = analyst.Study.parse(declared.text, declared.source)
    why = analyst.foreseen_refusal(theirs, theirs.plan(*words), None)
    if why is not None:
        raise Error(
            "engine-limit",
            f"infer would refuse this release: {in_python(why)}. Nothing was charged; change the study, or, "
            "if the noisy values are all that is wanted, release it with without_posterior=True",
        )


def _round_table(document: str) -> list[int]:
    """The public integers that the next round of a release takes; a model is fitted to what it published."""
    from . import _analyst

    return _analyst.round_table(document)


def _open_records(
    data: object,
    form: tuple[str | None, str | None],
    declared: Study,
    ours: _owner.Study,
    threads: int,
) -> _owner.Source:
    person = unit_column(declared)
    wanted = wanted_columns(declared._facts, [*declared.columns, *([person] if person else [])])
    if isinstance(data, str | os.PathLike):
        path = os.fspath(data)
        try:
            return _owner.open_records(path, *form, ours, threads)
        except Error as error:
            reader = table_reader(path, form[0], wanted) if error.code == "unsupported" else None
            if reader is None:
                raise
        data = reader
    data = as_table(data)
    names = column_names(data)
    if names is not None:
        _owner.check_columns(names, ours)
    empty = without_rows(data)
    if empty is not None:
        _owner.open_arrow_stream(quiet_stream(empty, wanted), ours, threads)
    if declared.adjacency == "replace-one" and has_no_rows(data):
        raise Error(
            "input-unreadable",
            "the table has no records, so there is nothing to release; nothing was charged",
        )
    # A frame may run a query, or fail, when it is asked for its stream.
    return _owner.open_later(lambda: _owner.open_arrow_stream(arrow_stream(data, wanted), ours, threads))


def _open_counts(
    data: object, form: tuple[str | None, str | None], declared: Study, ours: _owner.Study
) -> _owner.Source:
    if isinstance(data, str | os.PathLike):
        return _owner.open_counts(os.fspath(data), *form, ours)
    check_query(data)
    wanted = wanted_columns(declared._facts, [*declared.model_columns, "count"])
    wanted["count"] = ("false", "true")  # no counts, and so refused
    names = column_names(data)
    if names is None or not set(wanted) <= set(names):
        raise Error("column-absent", f"the table of counts needs the columns {', '.join(wanted)}")
    if is_query(data):  # runs over records, one of which may make it fail
        return _owner.open_later(lambda: _read_counts(data, wanted, ours))
    return _read_counts(data, wanted, ours)


def _read_counts(data: object, wanted: Mapping[str, Truth], ours: _owner.Study) -> _owner.Source:
    columns = text_columns(data, wanted)
    if columns is None:
        raise Error("input-unreadable", "the table of counts could not be read")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(wanted)
    writer.writerows([_one_line(field) for field in row] for row in zip(*columns, strict=True))
    # The library reads counts from a file; this one is in memory, and gone when it is closed.
    with os.fdopen(os.memfd_create("counts", os.MFD_CLOEXEC), "w", encoding="utf-8", newline="") as file:
        file.write(text.getvalue())
        file.flush()
        path = f"/proc/self/fd/{file.fileno()}"
        try:
            return _owner.open_counts(path, None, None, ours)
        except Error as error:
            raise Error(error.code, error.message.replace(f"'{path}'", "the table")) from None


def _one_line(field: str | None) -> str:
    """A field as it may stand in a CSV file, where a record is one line."""
    return "" if field is None else field.replace("\n", " ").replace("\r", " ")
