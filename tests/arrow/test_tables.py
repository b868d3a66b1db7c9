"""Parquet files, Arrow files and streams, and folders of them give the counts that a CSV file gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.arrow.conftest import STUDY, TableDesk, make_desk
from tests.arrow.people import ArrowType, Table, csv_of, make_people, table_of

pa = pytest.importorskip("pyarrow")
feather = pytest.importorskip("pyarrow.feather")
parquet = pytest.importorskip("pyarrow.parquet")

COUNT = 3000


def write_stream(table: Table, path: Path) -> None:
    with pa.ipc.new_stream(path, table.schema) as out:
        out.write_table(table, max_chunksize=700)


def write_file(table: Table, path: Path) -> None:
    with pa.ipc.new_file(path, table.schema) as out:
        out.write_table(table, max_chunksize=333)


WRITERS: dict[str, Callable[[Table, Path], None]] = {
    "plain.parquet": lambda table, path: parquet.write_table(table, path, use_dictionary=False),
    "groups.parquet": lambda table, path: parquet.write_table(table, path, row_group_size=170),
    "zstd.pq": lambda table, path: parquet.write_table(table, path, compression="zstd"),
    "pages.parquet": lambda table, path: parquet.write_table(
        table, path, version="1.0", data_page_version="2.0", data_page_size=500
    ),
    "overflow.parquet": lambda table, path: parquet.write_table(table, path, dictionary_pagesize_limit=8),
    "file.arrow": write_file,
    "stream.arrows": write_stream,
    "lz4.feather": lambda table, path: feather.write_feather(table, path, compression="lz4", chunksize=99),
}


def look_at(tables: TableDesk, name: str) -> str:
    tables.path("look.txt").unlink(missing_ok=True)
    tables.ok("check", "study.toml", name, "--to-file", "look.txt")
    return tables.path("look.txt").read_text()


def test_the_look_at_tables_is_that_at_a_csv_file(tables: TableDesk) -> None:
    people = make_people(COUNT)
    tables.write("people.csv", csv_of(people))
    expected = look_at(tables, "people.csv").replace('.0"', '"')  # a float is told as its shortest text
    assert f"records  {COUNT:,}" in expected
    for name, write in WRITERS.items():
        write(table_of(people), tables.path(name))
        assert look_at(tables, name) == expected, name
    tables.path("folder").mkdir()
    for i in range(2):
        half = {name: values[i::2] for name, values in people.items()}
        write_file(table_of(half), tables.path(f"folder/{i}.arrow"))
    assert look_at(tables, "folder") == expected


@pytest.mark.parametrize("name", list(WRITERS))
def test_files(tables: TableDesk, name: str) -> None:
    people = make_people(COUNT)
    tables.write("people.csv", csv_of(people))
    expected = tables.counts("people.csv")
    assert sum(expected) == COUNT
    assert sum(count > 0 for count in expected) > 20
    WRITERS[name](table_of(people), tables.path(name))
    assert tables.counts(name) == expected
    assert tables.counts(name, "--threads", "1") == expected
    tables.path(name).rename(tables.path("table"))
    kind = "parquet" if name.endswith(("parquet", "pq")) else "arrow"
    assert tables.counts("table", "--format", kind) == expected


@pytest.mark.parametrize(
    "types",
    [
        {"smoker": pa.large_string(), "age": pa.int16(), "income": pa.decimal128(12, 3)},
        {"smoker": pa.dictionary(pa.int8(), pa.string()), "age": pa.uint16(), "income": pa.decimal256(40, 3)},
        {"smoker": pa.binary(), "age": pa.int32(), "income": pa.float64()},
        {"smoker": pa.string_view(), "age": pa.uint32(), "income": pa.float64()},
        {"smoker": pa.string(), "age": pa.float64(), "income": pa.decimal128(30, 5)},
        {"smoker": pa.string(), "age": pa.float32(), "income": pa.decimal128(38, 10)},
        {"smoker": pa.string(), "age": pa.decimal128(9, 2), "income": pa.float64()},
        {"smoker": pa.dictionary(pa.uint32(), pa.string()), "age": pa.uint64(), "income": pa.float64()},
    ],
    ids=str,
)
def test_types(tables: TableDesk, types: dict[str, ArrowType]) -> None:
    people = make_people(COUNT)
    tables.write("people.csv", csv_of(people))
    expected = tables.counts("people.csv")
    table = table_of(people, **types)
    write_file(table, tables.path("people.arrow"))
    assert tables.counts("people.arrow") == expected
    if types["smoker"] != pa.string_view():
        parquet.write_table(table, tables.path("people.parquet"), row_group_size=1000)
        assert tables.counts("people.parquet") == expected


@pytest.mark.parametrize("ordered", [False, True])
def test_many_different_values(tables: TableDesk, ordered: bool) -> None:
    """Wide indices, long runs, nulls in stretches, and dictionaries that overflow in the middle."""
    count = 30_000
    draw = random.Random(3)
    ages = [draw.randrange(2000) for _ in range(count)]
    incomes = [draw.randrange(300_000) / 8 for _ in range(count)]
    people: dict[str, list[Any]] = {
        "smoker": ["no" if i % 3 else "yes" for i in range(count)],
        "age": sorted(ages) if ordered else ages,
        "income": sorted(incomes) if ordered else incomes,
    }
    for start in range(0, count, 5000):
        people["age"][start : start + 900] = [None] * 900
        people["smoker"][start + 77] = f"someone's own words {start}"
    tables.write("people.csv", csv_of(people))
    expected = tables.counts("people.csv")
    table = table_of(people)
    ways: dict[str, dict[str, Any]] = {
        "one": {},
        "second": {"data_page_version": "2.0", "row_group_size": 7000},
        "overflow": {"dictionary_pagesize_limit": 2000, "data_page_size": 3000},
        "gzip": {"compression": "gzip", "row_group_size": 100_000, "version": "1.0"},
    }
    for name, choices in ways.items():
        parquet.write_table(table, tables.path("p.parquet"), **choices)
        assert tables.counts("p.parquet") == expected, name
    required = [pa.field(field.name, field.type, nullable=False) for field in table.schema]
    whole = table.drop_null()
    tables.write("people.csv", csv_of(whole.to_pydict()))
    parquet.write_table(whole.cast(pa.schema(required)), tables.path("p.parquet"))
    assert tables.counts("p.parquet") == tables.counts("people.csv")


def test_other_columns_do_not_matter(tables: TableDesk) -> None:
    people = make_people(COUNT)
    tables.write("people.csv", csv_of(people))
    table = table_of(people)
    nested = pa.array([[1, 2]] * COUNT)
    table = table.add_column(0, "visits", nested).append_column(
        "when", pa.array([0] * COUNT, pa.timestamp("s"))
    )
    parquet.write_table(table.select(["when", "income", "visits", "age", "smoker"]), tables.path("p.parquet"))
    write_stream(table, tables.path("p.arrow"))
    expected = tables.counts("people.csv")
    assert tables.counts("p.parquet") == expected
    assert tables.counts("p.arrow") == expected


def test_a_folder_is_a_dataset(tables: TableDesk) -> None:
    people = make_people(COUNT)
    tables.write("people.csv", csv_of(people))
    table = table_of(people)
    other = table_of(people, age=pa.int16(), smoker=pa.dictionary(pa.int16(), pa.string()))
    folder = tables.path("records")
    (folder / "year=2026").mkdir(parents=True)
    (folder / "_delta_log").mkdir()
    (folder / "_SUCCESS").touch()
    (folder / ".part.crc").write_bytes(b"x")
    (folder / "_delta_log" / "note.json").touch()
    parquet.write_table(table.slice(0, 1200), folder / "a.parquet")
    parquet.write_table(other.slice(1200, 800).select(["income", "age", "smoker"]), folder / "b.parquet")
    write_stream(table.slice(2000, 0), folder / "empty.arrows")
    write_file(table.slice(2000), folder / "year=2026" / "c.arrow")
    assert tables.counts("records") == tables.counts("people.csv")


def test_nothing_is_a_table_too(tables: TableDesk) -> None:
    parquet.write_table(table_of(make_people(0)), tables.path("p.parquet"))
    result = tables.release(data="p.parquet", amount=("--epsilon", "100"))
    assert result.code == 66
    assert "'p.parquet' has no records, so there is nothing to release; nothing was charged" in result.err


def test_booleans(tmp_path: Path, tables: TableDesk) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    desk = make_desk(folder, STUDY.replace('["no", "yes", "unknown"]', '["false", "true", "unknown"]'))
    people = make_people(COUNT)
    people["smoker"] = [None if age is None else age > 40 for age in people["age"]]
    words = {None: None, True: "true", False: "false"}
    desk.write("people.csv", csv_of(people | {"smoker": [words[value] for value in people["smoker"]]}))
    parquet.write_table(table_of(people, smoker=pa.bool_()), desk.path("p.parquet"))
    assert desk.counts("p.parquet") == desk.counts("people.csv")


def test_people_with_several_records_in_several_files(tmp_path: Path, tables: TableDesk) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    unit = 'unit = { column = "person", at_most = 2 }\nn = { at_most = 5000 }'
    desk = make_desk(folder, STUDY.replace('unit = "record"', unit).replace("replace-one", "add-remove"))
    people = make_people(COUNT)
    # All records of a person are alike, so that it does not matter which are kept.
    for values in people.values():
        values[:] = [values[i % 400] for i in range(COUNT)]
    people = {"person": [i % 400 if i % 400 else None for i in range(COUNT)], **people}
    table = table_of(people, person=pa.int64())
    (folder / "records").mkdir()
    parquet.write_table(table.slice(0, 500), folder / "records" / "a.parquet")
    write_file(table.slice(500), folder / "records" / "b.arrow")
    desk.write("people.csv", csv_of(people))
    counts = desk.counts("records")
    assert sum(counts) == 2 * 399
    assert counts == desk.counts("people.csv")


def test_public_rows(tables: TableDesk) -> None:
    people = make_people(500)
    tables.write("people.csv", csv_of(people))
    parquet.write_table(table_of(people), tables.path("people.parquet"))
    tables.counts("people.csv")
    draws = ("--draws", "100", "--chains", "1", "--json")
    by_csv = tables.ok("infer", "out.json", "--public", "people.csv", *draws).json
    by_parquet = tables.ok("infer", "out.json", "--public", "people.parquet", *draws).json
    without = tables.ok("infer", "out.json", *draws).json
    assert by_parquet["summary"] == by_csv["summary"] != without["summary"]


@pytest.mark.parametrize("unknown", [100, 500])
def test_public_rows_that_the_study_does_not_declare(tables: TableDesk, unknown: int) -> None:
    people = make_people(500)
    tables.write("people.csv", csv_of(people))
    tables.counts("people.csv")
    table = table_of(people)
    for place, name in enumerate(table.column_names):
        if str(table.schema.field(name).type) in ("string", "large_string"):
            known = table.column(name).to_pylist()[unknown:]
            table = table.set_column(place, name, pa.array(["Unknown"] * unknown + known))
    parquet.write_table(table, tables.path("other.parquet"))
    result = tables.run("infer", "out.json", "--public", "other.parquet", "--draws", "10", "--json")
    if unknown == 500:
        assert result.json["error"]["name"] == "bad-option"
    else:
        told = [one for one in result.json["warnings"] if one["name"] == "public-rows-undeclared"]
        assert len(told) == 1
        assert " of 500 public rows" in told[0]["text"]
