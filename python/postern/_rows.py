"""Public rows of any kind, as columns of texts."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from typing import Any

from ._files import PathLike, read_text
from ._frames import Truth, column_names, table_reader, text_columns
from .errors import Error

_MOST = 1 << 30
_TABLES = (".parquet", ".arrow", ".arrows", ".feather", ".ipc")


def row_columns(rows: object, wanted: Mapping[str, Truth], *, some: bool = False) -> Any:
    """The wanted columns of a frame, a mapping of columns, or a file; nothing if one is absent or unreadable.

    With ``some`` a column may be absent, and is empty then, as long as another is there.
    """
    if isinstance(rows, str | os.PathLike):
        path = os.fspath(rows)
        if path.endswith(_TABLES):
            reader = table_reader(path, None, None if some else list(wanted))
            return None if reader is None else _frame_columns(reader.read_all(), wanted, some)
        return _csv_columns(rows, wanted, some)
    return _frame_columns(rows, wanted, some)


def _refuse_single_values(columns: Mapping[str, object]) -> None:
    """A text is a sequence of letters, and would be read as so many rows."""
    for name, column in columns.items():
        if isinstance(column, str | bytes | int | float):
            raise Error("wrong-type", f"the column '{name}' is one value; write [{column!r}], a value a row")


def _frame_columns(frame: object, wanted: Mapping[str, Truth], some: bool) -> Any:
    if isinstance(frame, Mapping):
        _refuse_single_values(frame)
    names = column_names(frame) if some else None
    there = {name: truth for name, truth in wanted.items() if names is None or name in names}
    found = text_columns(frame, there) if there else None
    if found is None:
        return None
    by_name = dict(zip(there, found, strict=True))
    return [by_name.get(name, []) for name in wanted]


def _csv_columns(path: PathLike, wanted: Iterable[str], some: bool) -> list[list[str | None]] | None:
    """The columns of a CSV file in which, as everywhere here, a record is one line."""
    lines = read_text(path, _MOST).removeprefix("\ufeff").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    records = [next(csv.reader([line.removesuffix("\r")]), []) for line in lines]
    header = records[0] if records else []
    counts = [header.count(name) for name in wanted]
    if any(count > 1 or (count == 0 and not some) for count in counts) or not any(counts):
        return None
    places = [header.index(name) if name in header else None for name in wanted]
    whole_rows = [row if len(row) == len(header) else None for row in records[1:]]
    return [
        [] if place is None else [None if row is None else row[place] for row in whole_rows]
        for place in places
    ]
