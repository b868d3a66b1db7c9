"""Tables of other libraries, without importing any of them.

A frame is handed on as an Arrow C stream, which copies nothing. Where its values are needed one by one
(public rows, tables of counts) they are turned into the texts that a CSV file would hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Protocol, runtime_checkable

Truth = tuple[str, str]
"""What false and true are called in a column."""
_TRUTHS: tuple[Truth, ...] = (
    ("false", "true"),
    ("False", "True"),
    ("FALSE", "TRUE"),
    ("0", "1"),
    ("no", "yes"),
)


def wanted_columns(study: Mapping[str, Any], names: Iterable[str]) -> dict[str, Truth]:
    """The named columns of a study's document, and what booleans mean in each, as for Arrow tables."""
    labels = {column["name"]: column.get("categories") for column in study["columns"]}
    return {name: _truth(labels.get(name)) for name in names}


def _truth(labels: Sequence[str] | None) -> Truth:
    if labels is None:
        return ("0", "1")
    return next((pair for pair in _TRUTHS if set(pair) <= set(labels)), _TRUTHS[0])


@runtime_checkable
class ArrowTable(Protocol):
    """Anything that gives an Arrow C stream: frames of pandas, polars, pyarrow, duckdb and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


def column_names(frame: Any) -> list[str] | None:
    """The names of a frame's columns, where the frame can say them."""
    names = getattr(frame, "column_names", None) or getattr(frame, "columns", None)
    if names is None and hasattr(frame, "keys"):
        names = frame.keys()
    return None if names is None else [name for name in names if isinstance(name, str)]


def arrow_stream(frame: Any, wanted: Mapping[str, Truth]) -> Any:
    """The stream of the wanted columns, or nothing if the frame would not give one.

    A pandas column of objects of several types has no Arrow type, and one odd text can keep a column from
    being handed over: then it goes as text, field by field, so that one record does not speak for the table.
    """
    for attempt in (_narrow, _narrow_to_text, _as_it_is):
        try:
            stream = attempt(frame, wanted).__arrow_c_stream__()
        except Exception:
            continue  # the reason may quote a record
        if type(stream).__name__ == "PyCapsule" and '"arrow_array_stream"' in repr(stream):
            return stream
    return None


def table_reader(path: str, format: str | None, wanted: Iterable[str]) -> Any:
    """Reads Parquet or Arrow files where pyarrow is installed and our plugin is not; nothing if it cannot."""
    try:
        import pyarrow.dataset

        kind = format or ("ipc" if path.endswith((".arrow", ".arrows", ".feather", ".ipc")) else "parquet")
        tables = pyarrow.dataset.dataset(path, format="ipc" if kind == "arrow" else kind)
        return tables.scanner(columns=[name for name in wanted if name in tables.schema.names]).to_reader()
    except Exception:
        return None


def text_columns(frame: Any, wanted: Mapping[str, Truth]) -> list[list[str | None]] | None:
    """The wanted columns as texts, or nothing if the frame lacks one or cannot be read."""
    try:
        if hasattr(frame, "fetchall"):
            rows = frame.fetchall()
            names = list(frame.columns)
            places = {name: names.index(name) for name in wanted}
            return [[field_text(row[places[name]], truth) for row in rows] for name, truth in wanted.items()]
        return [
            [field_text(value, truth) for value in _values(frame[name])] for name, truth in wanted.items()
        ]
    except Exception:
        return None


def field_text(value: Any, truth: Truth = _TRUTHS[0]) -> str | None:
    """What a CSV file would hold of a value, whole numbers without a point; nothing for a missing one.

    Text that UTF-8 cannot hold (a lone surrogate) is missing, as bytes that are not UTF-8 are in a file.
    """
    if value is None:
        return None
    try:
        if isinstance(value, str):
            value.encode("utf-8")
            return value
        if isinstance(value, bytes):
            return value.decode("utf-8")
        if hasattr(value, "item"):
            value = value.item()
        if isinstance(value, bool):
            return truth[value]
        if isinstance(value, float):
            return None if math.isnan(value) else str(int(value)) if value.is_integer() else repr(value)
        if isinstance(value, Decimal):
            return None if value.is_nan() else format(value.normalize(), "f")
        return str(value) if bool(value == value) else None
    except Exception:
        return None


def _values(column: Any) -> Iterable[Any]:
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return getattr(column, method)()  # type: ignore[no-any-return]
    return list(column)


def _narrow(frame: Any, wanted: Mapping[str, Truth]) -> Any:
    names = column_names(frame) or []
    kept = [name for name in wanted if name in names]
    if hasattr(frame, "dtypes") and hasattr(frame, "loc"):
        return frame[kept]
    return frame.select(kept) if hasattr(frame, "select") and not hasattr(frame, "fetchall") else frame


def _narrow_to_text(frame: Any, wanted: Mapping[str, Truth]) -> Any:
    narrow = _narrow(frame, wanted)
    mixed = {
        name: [field_text(value, wanted[name]) for value in narrow[name]]
        for name in narrow.columns
        if str(narrow[name].dtype).startswith(("object", "category", "str"))
    }
    return narrow.assign(**mixed)


def _as_it_is(frame: Any, wanted: Mapping[str, Truth]) -> Any:
    return frame
