"""What may be given as records, told before anything is charged."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any, cast

from ._frames import ArrowTable, is_lazy
from ._given import what_is
from ._study import Study
from .errors import Error


def refuse_study(data: object, call: str) -> None:
    """Refuses a study in the place of the records."""
    if isinstance(data, Study):
        found, code = "data is a study", "wrong-type"
    elif isinstance(data, str | os.PathLike) and str(data).endswith(".toml"):
        found, code = f"'{data}' is a study by its name", "input-unreadable"
    else:
        return
    raise Error(code, f"{found}, where the records belong; the records come first: {call}(data, study)")


def as_table(data: object) -> ArrowTable:
    """The frame itself, or a LazyFrame, which arrow_stream collects; anything else is refused by its type."""
    if _is_column(data):
        raise Error(
            "wrong-type",
            f"data is a {type(data).__name__}, which is one column; give a frame that has it, with its name",
        )
    check_query(data)
    if isinstance(data, ArrowTable) or is_lazy(data):
        return cast(ArrowTable, data)
    raise Error(
        "wrong-type",
        f"data is {what_is(data)}; give a frame with __arrow_c_stream__ (pandas, polars, pyarrow, duckdb), "
        "or the path of a file",
    )


def check_query(data: Any) -> None:
    """Refuses a LazyFrame whose columns and types do not fit its own query, which is not run for that."""
    if not is_lazy(data):
        return
    with suppress(Exception):  # its text might quote a record
        data.collect_schema()
        return
    raise Error(
        "input-unreadable",
        f"the query of the {type(data).__name__} cannot be run: it names a column or file that is not there, "
        "or does what a column's type does not allow; its collect_schema() says which",
    )


def check_names(frame: Any) -> None:
    """Refuses a pandas frame with columns that no study can name."""
    if hasattr(frame, "iloc") and not all(isinstance(name, str) for name in frame.columns):
        raise Error(
            "wrong-type",
            f"the {type(frame).__name__} has column names that are not text, such as numbers; name its "
            "columns in text, for example with frame.columns = [...]",
        )


def _is_column(data: Any) -> bool:
    """Whether it is a Series of pandas or polars, or Arrow's column, which have streams too."""
    if is_lazy(data) or hasattr(type(data), "columns"):
        return False
    return hasattr(data, "to_frame") or (hasattr(data, "chunks") and hasattr(data, "type"))
