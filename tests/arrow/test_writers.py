"""Parquet files as different writers make them by default give the counts that a CSV file gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.arrow.conftest import TableDesk
from tests.arrow.people import Table, csv_of, make_people, table_of

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

CANARY = "canary-5521"


def by_polars(table: Table, path: Path) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    polars.from_arrow(table).write_parquet(path)


def by_duckdb(table: Table, path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    duckdb.from_arrow(table).write_parquet(str(path))


WRITERS: dict[str, Callable[[Table, Path], None]] = {
    "pyarrow": parquet.write_table,
    "polars": by_polars,
    "duckdb": by_duckdb,
}


def mixed_people(count: int) -> dict[str, list[Any]]:
    """Some values often, others once, in an order that changes; and stretches of nulls."""
    draw = random.Random(17)
    people = make_people(count)
    for start in range(0, count, 4000):
        end = min(count, start + 1500)
        people["age"][start:end] = [draw.randrange(-50, 10**9) for _ in range(end - start)]
        people["income"][start:end] = [draw.randrange(10**8) / 64 for _ in range(end - start)]
        people["smoker"][start : start + 700] = [None] * len(people["smoker"][start : start + 700])
        people["age"][start + 1000 : start + 1800] = [None] * len(people["age"][start + 1000 : start + 1800])
    return people


@pytest.mark.parametrize("writer", list(WRITERS))
@pytest.mark.parametrize("people", [make_people(9000), mixed_people(150_000)], ids=["few values", "many"])
def test_writers(tables: TableDesk, writer: str, people: dict[str, list[Any]]) -> None:
    whole = table_of(people)
    for table in (whole, whole.drop_null()):
        tables.write("people.csv", csv_of(table.to_pydict()))
        expected = tables.counts("people.csv")
        assert sum(expected) == len(table)
        for age in (pa.int64(), pa.int32()):
            other = table.set_column(1, "age", table["age"].cast(age))
            WRITERS[writer](other, tables.path("p.parquet"))
            assert tables.counts("p.parquet") == expected, age


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("nulls", [False, True])
def test_dictionaries_that_overflow(tables: TableDesk, version: str, nulls: bool) -> None:
    """Numbers and texts whose pages change from indices to values within a batch."""
    people = mixed_people(30_000)
    table = table_of(people) if nulls else table_of(people).drop_null()
    tables.write("people.csv", csv_of(table.to_pydict()))
    expected = tables.counts("people.csv")
    for limit in (100, 5000, 40_000):
        for group in (3000, 100_000):
            parquet.write_table(
                table,
                tables.path("p.parquet"),
                dictionary_pagesize_limit=limit,
                data_page_size=2000,
                data_page_version=version,
                row_group_size=group,
            )
            assert tables.counts("p.parquet") == expected, (limit, group)


def damage(tables: TableDesk, content: bytes) -> str:
    """What the program says of the file: an error of ours, or nothing."""
    tables.write("damaged.parquet", content)
    result = tables.release("--force", data="damaged.parquet", amount=("--epsilon", "1"))
    assert (result.code, result.error) in {(0, ""), (66, "input-unreadable")}, result
    assert CANARY not in result.err + result.out
    return result.error


def test_levels_that_count_for_more_rows(tables: TableDesk) -> None:
    """The run of levels says 255 where only 0 and 1 are possible."""
    people: dict[str, list[Any]] = {"smoker": ["yes"] * 2000, "age": [20] * 2000, "income": [5.0] * 2000}
    for dictionary in (True, False):
        parquet.write_table(
            table_of(people), tables.path("p.parquet"), compression="none", use_dictionary=dictionary
        )
        whole = tables.path("p.parquet").read_bytes()
        run = bytes([3, 0, 0, 0, 0xA0, 0x1F])  # four bytes of length, then 2000 times ...
        assert whole.count(run + b"\1") == 3
        assert damage(tables, whole) == ""
        assert damage(tables, whole.replace(run + b"\1", run + b"\xff")) == "input-unreadable"
        assert damage(tables, whole.replace(run + b"\1", run + b"\2")) == "input-unreadable"


@pytest.mark.parametrize("writer", list(WRITERS))
def test_damaged_pages(tables: TableDesk, writer: str) -> None:
    """Bytes changed anywhere before the footer, with a fixed seed."""
    draw = random.Random(23)
    WRITERS[writer](table_of(mixed_people(5000)), tables.path("p.parquet"))
    if writer == "pyarrow":
        parquet.write_table(
            table_of(mixed_people(5000)), tables.path("p.parquet"), compression="none", use_dictionary=False
        )
    whole = tables.path("p.parquet").read_bytes()
    footer = int.from_bytes(whole[-8:-4], "little") + 8
    for _ in range(25):
        damaged = bytearray(whole)
        start = draw.randrange(4, len(whole) - footer - 8)
        damaged[start : start + 4] = draw.randbytes(4)
        damage(tables, bytes(damaged))
