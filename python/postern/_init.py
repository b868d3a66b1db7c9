"""Drafts of studies, from the names and types of columns alone."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from . import _owner
from ._files import NETWORK_BYTES, PathLike, read_text, write_text
from ._frames import ArrowTable, arrow_stream, column_names, table_reader, without_rows
from ._given import word
from ._records import as_table, check_names
from .errors import Error


def init(
    data: ArrowTable | PathLike,
    output: PathLike | None = None,
    *,
    name: str = "survey",
    columns: Sequence[str] | None = None,
    format: str | None = None,
    delimiter: str | None = None,
    network: bool = False,
    force: bool = False,
) -> str:
    """Drafts a study from the names and types of columns. No record is read.

    ``data`` is a frame or a path, as for `release`. What a record could have decided is not looked at:
    neither the categories of a column nor its dictionary nor its statistics. ``columns`` gives the names
    instead, for a file without a header. With ``network=True``, ``data`` is the path of a network, such as
    ``"alarm.bif"``: its variables, their levels and its edges make a whole study. Returns the TOML text, and
    writes it to ``output`` if that is named. Decide what is marked ``<-``, then `Study.load` reads it.

    >>> print(init(frame, name="survey-2026").splitlines()[4])
    name    = "survey-2026"
    """
    word(name, "name", 'the name of the study, such as "survey-2026"')
    text = _draft_network(data) if network else _draft(data, name, columns, format, delimiter)
    if output is not None:
        write_text(output, text, force)
    return text


def _draft(
    data: Any, name: str, columns: Sequence[str] | None, format: str | None, delimiter: str | None
) -> str:
    if columns is not None:
        if isinstance(columns, str) or not columns or not all(isinstance(x, str) and x for x in columns):
            raise Error("bad-option", 'columns is a list of names, such as columns=["a", "b", "c"]')
        return _owner.draft_study_of_names(list(columns), name)
    if isinstance(data, str | os.PathLike):
        path = os.fspath(data)
        try:
            return _owner.draft_study(path, format, delimiter)
        except Error as error:
            reader = table_reader(path, format, None) if error.code == "unsupported" else None
            if reader is None:
                raise
        return _draft_frame(reader, path)
    return _draft_frame(as_table(data), name)


def _draft_network(data: Any) -> str:
    if not isinstance(data, str | os.PathLike):
        raise Error("bad-option", 'network=True takes the path of a network, such as "alarm.bif"')
    path = os.fspath(data)
    return _owner.draft_study_of_network(read_text(path, NETWORK_BYTES), path)


def _draft_frame(data: Any, name: str) -> str:
    check_names(data)
    empty = without_rows(data)
    try:
        stream = arrow_stream(empty, dict.fromkeys(column_names(empty) or [], ("", "")))
    except Exception:
        stream = None
    if empty is None or stream is None:
        names = column_names(data)
        if not names:
            raise Error("input-unreadable", f"the columns of the {type(data).__name__} are not known")
        return _owner.draft_study_of_names(names, name)
    return _owner.draft_study_of_stream(stream, name)
