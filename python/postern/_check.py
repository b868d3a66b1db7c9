"""A look at the records before the spend, for their owner's eyes. Nothing of it is part of a release."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

from . import _owner
from ._files import PathLike
from ._frames import ArrowTable, column_names, quiet_stream, table_reader, wanted_columns
from ._given import path_text
from ._records import as_table, refuse_study
from ._study import Study, as_study, unit_column
from ._words import whole
from .errors import Error


class RecordsCheck:
    """What `check` saw. FOR THE EYES OF THE OWNER OF THE RECORDS ALONE: it is not differentially private.

    It can be shown, and nothing else: it has no form in a notebook, and cannot be pickled or copied.

    >>> check("survey.csv", "study.toml")
    RecordsCheck(for the owner's eyes alone; show() shows it)
    """

    __slots__ = ("_text",)
    _text: str

    def __init__(self, text: str) -> None:
        self._text = text

    def show(self, *, to_file: PathLike | None = None) -> None:
        """Shows it in the terminal or notebook, or writes it to a new file that only you can read.

        Anything else that standard output may be, such as a pipe or a log, is refused. What a notebook shows
        is saved with it: clear the cell before you pass it on.

        >>> check("survey.csv", "study.toml").show(to_file="look.txt")
        """
        if to_file is not None:
            _write_private(path_text(to_file, "to_file", "the path of a new file"), self._text)
        elif _is_watched(sys.stdout):
            sys.stdout.write(self._text)
        else:
            raise Error(
                "bad-option",
                "a look at records is for their owner's eyes, and standard output is neither a terminal "
                "nor a notebook; name a file with to_file=",
            )

    def __repr__(self) -> str:
        return "RecordsCheck(for the owner's eyes alone; show() shows it)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a look at records is for their owner's eyes, and is not pickled or copied")


RecordsCheck.__module__ = "postern"


def check(
    data: ArrowTable | PathLike,
    study: Study | PathLike,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    threads: int = 0,
    counts: bool = False,
) -> RecordsCheck:
    """Looks at the records before the spend: which fields the study declares, which mistakes they share.

    ``data`` is what `release` takes, apart from tables of counts, which hold no records. Charges nothing and
    opens no ledger. It is not differentially private, and what you change in the study after looking depends
    on the records: declare what can occur, not what you saw.

    >>> check(frame, "study.toml").show(to_file="look.txt")
    """
    if counts:
        raise Error(
            "unsupported",
            "a table of counts has no records to look at; check the records that it was made from",
        )
    refuse_study(data, "check")
    declared = as_study(study)
    ours = _owner.Study.parse(declared.text, declared.source)
    person = unit_column(declared)
    wanted = wanted_columns(declared._facts, [*declared.columns, *([person] if person else [])])
    if isinstance(data, str | os.PathLike):
        path = os.fspath(data)
        try:
            text = _owner.check_records(path, format, delimiter, ours, whole("threads", threads))
            return RecordsCheck(text)
        except Error as error:
            reader = table_reader(path, format, wanted) if error.code == "unsupported" else None
            if reader is None:
                raise
        data = reader
    frame = as_table(data)
    names = column_names(frame)
    if names is not None:
        _owner.check_columns(names, ours)
    seen = _text_of(quiet_stream(frame, wanted), ours)
    if seen is None:
        raise Error("input-unreadable", "the table could not be read to its end")
    return RecordsCheck(seen)


def _text_of(stream: Any, ours: _owner.Study) -> str | None:
    """Nothing if it fails for a reason of the frame's, which might quote a record."""
    try:
        return _owner.check_arrow_stream(stream, ours)
    except Error:
        raise
    except Exception:
        return None


def _is_watched(stream: Any) -> bool:
    """Whether somebody looks at it: a terminal, or the cells of a notebook."""
    kernel = any(kind.__module__.split(".")[0] == "ipykernel" for kind in type(stream).__mro__)
    return kernel or bool(getattr(stream, "isatty", lambda: False)())


def _write_private(path: str, text: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    fault = None
    try:
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        fault = ("output-exists", f"'{path}' exists, and is left alone; remove it, or name another file")
    except OSError:
        fault = ("output-unwritable", f"the file '{path}' cannot be written")
    if fault is not None:
        raise Error(*fault)
