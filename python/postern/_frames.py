"""Tables of other libraries, without importing any that the table did not bring.

A frame is handed on as an Arrow C stream, which copies nothing. Where its values are needed one by one
(public rows, tables of counts, pandas columns of objects) they are turned into the texts that a CSV file
would hold.

Privacy: what a field becomes depends on that field and on its column's declared type, never on other fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any, Protocol, runtime_checkable

from .errors import Error

Truth = tuple[str, str]
"""What false and true are called in a column."""
_TRUTHS: tuple[Truth, ...] = (
    ("false", "true"),
    ("False", "True"),
    ("FALSE", "TRUE"),
    ("0", "1"),
    ("no", "yes"),
)
_PLAIN = 400
"""Decimals with more places than this before or after the point, more than any float has, keep exponents."""


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


def quiet_stream(frame: Any, wanted: Mapping[str, Truth]) -> Any:
    """As arrow_stream, where nothing of what the frame raises passes on."""
    with suppress(Exception):
        return arrow_stream(frame, wanted)
    found = unreadable_column(without_rows(frame), wanted)
    if found is not None:
        raise Error(
            "unsupported",
            f"the column '{found[0]}' of the table has the dtype {found[1]}, which is neither text nor plain "
            "numbers; cast it, for example with astype",
        )
    kind = type(frame).__name__
    if is_query(frame):
        raise Error("input-unreadable", f"the query of the {kind} failed; run it by itself to see why")
    raise Error("input-unreadable", f"the {kind} gives no Arrow stream (a pandas frame needs pyarrow)")


def column_names(frame: Any) -> list[str] | None:
    """The names of a frame's columns, where the frame can say them."""
    with suppress(Exception):
        names = frame.collect_schema().names() if is_lazy(frame) else getattr(frame, "column_names", None)
        if names is None:
            names = getattr(frame, "columns", None)
        if names is None and hasattr(frame, "keys"):
            names = frame.keys()
        return None if names is None else [name for name in names if isinstance(name, str)]
    return None


def arrow_stream(frame: Any, wanted: Mapping[str, Truth]) -> Any:
    """The stream of the wanted columns. Raises whatever the frame raises, which may quote a record."""
    names = column_names(frame) or []
    kept = [name for name in wanted if name in names]
    if _is_pandas(frame):
        import pyarrow

        columns = {name: _pandas_column(frame, name, wanted[name]) for name in kept}
        return pyarrow.table(columns).__arrow_c_stream__()
    if hasattr(frame, "select") and not _is_relation(frame):
        with suppress(Exception):  # of the frame's kind: it may mean something else by that word
            frame = frame.select(kept)
    if is_lazy(frame):
        frame = frame.collect()
    return frame.__arrow_c_stream__()


def is_lazy(frame: Any) -> bool:
    """Whether a frame is one of polars' LazyFrames."""
    return hasattr(frame, "collect_schema") and hasattr(frame, "collect") and not hasattr(frame, "height")


def is_query(frame: Any) -> bool:
    """Whether a frame is a query, of DuckDB or polars, which runs when it is asked for its rows."""
    return _is_relation(frame) or is_lazy(frame)


def _is_relation(frame: Any) -> bool:
    return hasattr(frame, "fetchall")


def has_no_rows(frame: Any) -> bool:
    """Whether a frame in memory has no rows, as it knows without a look at one; false where it cannot say."""
    if is_query(frame):
        return False
    with suppress(Exception):
        if _is_pandas(frame):
            return len(frame.index) == 0
        rows = getattr(frame, "num_rows", getattr(frame, "height", None))
        return isinstance(rows, int) and rows == 0
    return False


def without_rows(frame: Any) -> Any:
    """A frame of the same columns and types and no rows; nothing where that cannot be had without rows."""
    try:
        if _is_pandas(frame):
            return frame.iloc[:0]
        if is_lazy(frame):
            return frame.collect_schema().to_frame()
        if _is_relation(frame) and hasattr(frame, "types"):
            return _without_query(frame)
        if hasattr(frame, "clear") and hasattr(frame, "height"):
            return frame.clear()
        return frame.schema.empty_table()
    except Exception:
        return None


def _without_query(relation: Any) -> Any:
    """A query of DuckDB's for nothing, which gives the types of another one without running that."""
    import duckdb

    names = [name.replace('"', '""') for name in relation.columns]
    nulls = [f'cast(null as {kind}) as "{name}"' for name, kind in zip(names, relation.types, strict=True)]
    return duckdb.connect().sql(f"select {', '.join(nulls)} limit 0")


def unreadable_column(empty: Any, wanted: Mapping[str, Truth]) -> tuple[str, str] | None:
    """The first wanted column of a pandas frame without rows whose dtype Arrow has no type for."""
    if not _is_pandas(empty):
        return None
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return None
    for name in wanted:
        if name in empty.columns:
            try:
                _pandas_column(empty, name, wanted[name])
            except Exception:
                return name, str(empty[name].dtype)
    return None


def table_reader(path: str, format: str | None, wanted: Iterable[str] | None) -> Any:
    """Reads Parquet or Arrow files where pyarrow is installed and our plugin is not; nothing if it cannot.
    All columns, if none are named."""
    try:
        import pyarrow.dataset

        kind = format or ("ipc" if path.endswith((".arrow", ".arrows", ".feather", ".ipc")) else "parquet")
        tables = pyarrow.dataset.dataset(path, format="ipc" if kind == "arrow" else kind)
        names = tables.schema.names
        kept = names if wanted is None else [name for name in wanted if name in names]
        return tables.scanner(columns=kept).to_reader()
    except Exception:
        return None


def text_columns(frame: Any, wanted: Mapping[str, Truth]) -> list[list[str | None]] | None:
    """The wanted columns as texts, or nothing if the frame lacks one or cannot be read."""
    try:
        if is_lazy(frame):
            frame = frame.collect()
        if _is_relation(frame):
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
    """What a CSV file would hold of a value, numbers without an exponent; nothing for a missing one.

    Never raises. What cannot be text is missing, and so is text that UTF-8 cannot hold (a lone surrogate), as
    bytes that are not UTF-8 are in a file.
    """
    if value is None:
        return None
    try:
        text = _text(value, truth)
        if text is not None:
            text.encode("utf-8")
        return text
    except Exception:
        return None


def _text(value: Any, truth: Truth) -> str | None:
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).decode("utf-8")
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return truth[value]
    if isinstance(value, float):
        value = Decimal(float.__repr__(value))
    if isinstance(value, Decimal):
        return None if value.is_nan() else _decimal_text(value)
    return str(value) if bool(value == value) else None


def _decimal_text(value: Decimal) -> str:
    """All its digits, and no more: 1.50 is 1.5, and 1E+5 is 100000."""
    if value.is_infinite():
        return "inf" if value > 0 else "-inf"
    if not value:
        return "0"
    if abs(value.adjusted()) > _PLAIN:
        return str(value)  # without the exponent, one record could fill the memory
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _values(column: Any) -> Iterable[Any]:
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return getattr(column, method)()  # type: ignore[no-any-return]
    return list(column)


def _is_pandas(frame: Any) -> bool:
    return hasattr(frame, "iloc") and hasattr(frame, "dtypes")


def _pandas_column(frame: Any, name: str, truth: Truth) -> Any:
    """One column for Arrow. Numbers, booleans and Arrow's own types go as they are; a column that may hold
    anything goes as text, field by field: a type that fits all fields would be chosen by all of them."""
    import pyarrow

    column = frame[name]
    kind = column.dtype.name
    if kind == "category":
        categories = column.cat.categories
        codes = column.cat.codes.to_numpy()
        indices = pyarrow.array(codes, mask=codes < 0)
        if categories.dtype.kind in "biuf":  # their type is known, and judged as that of a column of them is
            return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(categories))
        texts = [field_text(value, truth) for value in categories]
        return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(texts, pyarrow.large_string()))
    if kind in ("str", "string"):
        with suppress(Exception):  # a text that UTF-8 cannot hold
            return pyarrow.array(column.array, pyarrow.large_string())
    elif kind != "object":
        return pyarrow.table(frame[[name]]).column(name)
    return _texts_for_arrow(column.to_numpy(dtype=object), truth)


def _texts_for_arrow(fields: Any, truth: Truth) -> Any:
    import pyarrow

    # Where all fields are texts or missing, Arrow gives each the text that field_text gives it, and faster.
    # It refuses floats that are not NaN; of any other type we do not ask what it makes.
    if set(map(type, fields)) <= {str, float, type(None)}:
        with suppress(Exception):
            return pyarrow.array(fields, pyarrow.large_string(), from_pandas=True)
    return pyarrow.array([field_text(field, truth) for field in fields], pyarrow.large_string())
