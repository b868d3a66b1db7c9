"""What is wrong with a whole file stops the run before the charge; what is wrong with a record never does."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.arrow.conftest import PLUGIN, STUDY, TableDesk
from tests.arrow.people import ArrowType, Table, make_people, table_of
from tests.cli.desk import PROGRAM

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

CANARY = "canary-5521"


def people_table() -> Table:
    return table_of(make_people(2000))


def test_not_a_table(tables: TableDesk) -> None:
    for name, words in (("p.parquet", "not a whole Parquet file"), ("p.arrow", "Arrow")):
        for content in (b"", b"PAR1", CANARY.encode() * 100, b"ARROW1\0\0" + b"\xff" * 100):
            tables.write(name, content)
            result = tables.refuses("input-unreadable", 66, words, data=name)
            assert CANARY not in result.err


def test_counts_are_not_taken_for_records(tables: TableDesk) -> None:
    """By the names of the columns alone, and so before the charge."""
    counted = people_table().append_column("count", pa.array([3] * 2000))
    parquet.write_table(counted, tables.path("p.parquet"))
    with pa.ipc.new_file(tables.path("p.arrow"), counted.schema) as out:
        out.write_table(counted)
    for name in ("p.parquet", "p.arrow"):
        tables.refuses("bad-option", 64, "rename that column", data=name)
        look = tables.run("check", "study.toml", name, "--to-file", "look.txt")
        tables.refused(look, "bad-option", 64)
    first = counted.select(["count", *people_table().column_names])
    parquet.write_table(first, tables.path("first.parquet"))
    assert tables.release(data="first.parquet").code == 0


def test_truncated_files(tables: TableDesk) -> None:
    parquet.write_table(people_table(), tables.path("whole.parquet"))
    with pa.ipc.new_file(tables.path("whole.arrow"), people_table().schema) as out:
        out.write_table(people_table())
    for suffix in ("parquet", "arrow"):
        whole = tables.path(f"whole.{suffix}").read_bytes()
        for size in (4, 12, len(whole) // 2, len(whole) - 1):
            tables.write(f"cut.{suffix}", whole[:size])
            tables.refuses("input-unreadable", 66, data=f"cut.{suffix}")


def test_damage_inside_is_a_fault_of_the_file(tables: TableDesk) -> None:
    """Found after the charge, if at all: it is reported without a word of what is inside."""
    parquet.write_table(
        people_table(), tables.path("whole.parquet"), compression="none", write_page_checksum=False
    )
    whole = bytearray(tables.path("whole.parquet").read_bytes())
    for start in range(4, len(whole) - 2000, max(1, len(whole) // 12)):
        damaged = bytearray(whole)
        damaged[start : start + 40] = b"\xa5" * 40
        tables.write("damaged.parquet", bytes(damaged))
        result = tables.release("--force", data="damaged.parquet", amount=("--epsilon", "1"))
        assert (result.code, result.error) in {(0, ""), (66, "input-unreadable")}, result
        assert CANARY not in result.err + result.out


def test_damaged_streams(tables: TableDesk) -> None:
    with pa.ipc.new_stream(tables.path("whole.arrows"), people_table().schema) as out:
        out.write_table(people_table(), max_chunksize=500)
    whole = tables.path("whole.arrows").read_bytes()
    for start in range(600, len(whole), max(1, len(whole) // 12)):
        tables.write("damaged.arrows", whole[:start] + b"\x7f" * 16 + whole[start + 16 :])
        result = tables.release("--force", data="damaged.arrows", amount=("--epsilon", "1"))
        assert (result.code, result.error) in {(0, ""), (66, "input-unreadable")}, result
        assert CANARY not in result.err + result.out


def test_columns(tables: TableDesk) -> None:
    table = people_table()
    parquet.write_table(table.rename_columns(["smokr", "age", "income"]), tables.path("p.parquet"))
    tables.refuses("column-absent", 65, "'smoker'", "did you mean 'smokr'", data="p.parquet")
    parquet.write_table(table.append_column("age", table["age"]), tables.path("p.parquet"))
    tables.refuses("column-repeated", 65, "'age'", data="p.parquet")
    # A declared column must be there although the model does not read it.
    tables.write("study.toml", STUDY.replace(', "income"]', "]"))
    parquet.write_table(table.drop_columns(["income"]), tables.path("p.parquet"))
    tables.refuses("column-absent", 65, "'income'", data="p.parquet")


@pytest.mark.parametrize(
    ("type_", "words"),
    [
        (pa.date32(), "dates or times"),
        (pa.timestamp("us", "UTC"), "dates or times"),
        (pa.list_(pa.int64()), "nested"),
        (pa.struct([("x", pa.int64())]), "nested"),
        (pa.binary(4), "fixed size"),
        (pa.bool_(), "booleans"),
    ],
    ids=str,
)
def test_types_without_values(tables: TableDesk, type_: ArrowType, words: str) -> None:
    table = people_table()
    column = "smoker" if type_ == pa.bool_() else "age"
    place = table.schema.get_field_index(column)
    parquet.write_table(table.set_column(place, column, pa.nulls(2000, type_)), tables.path("p.parquet"))
    if words == "booleans":
        tables.write("study.toml", STUDY.replace('"no", "yes"', '"never", "often"'))
    tables.refuses("unsupported", 69, words, f"'{column}'", data="p.parquet")


def test_folders(tables: TableDesk) -> None:
    folder = tables.path("records")
    folder.mkdir()
    tables.refuses("input-unreadable", 66, "holds no Parquet or Arrow files", data="records")
    parquet.write_table(people_table(), folder / "a.parquet")
    (folder / "notes.txt").write_text("x")
    tables.refuses("input-unreadable", 66, "notes.txt", data="records")
    (folder / "notes.txt").unlink()
    parquet.write_table(people_table().drop_columns(["age"]), folder / "b.parquet")
    tables.refuses("column-absent", 65, "b.parquet", "'age'", data="records")
    (folder / "b.parquet").write_bytes(b"PAR1")
    tables.refuses("input-unreadable", 66, "b.parquet", data="records")


def test_options(tables: TableDesk) -> None:
    parquet.write_table(people_table(), tables.path("p.parquet"))
    tables.refuses("bad-option", 64, "csv, parquet and arrow", data="p.parquet", more=("--format", "orc"))
    tables.refuses("bad-option", 64, "standard input", data="-", more=("--format", "parquet"))
    tables.refuses("bad-option", 64, "--counts", data="p.parquet", more=("--counts",))
    tables.refuses("input-missing", 66, "absent.parquet", data="absent.parquet")
    tables.path("text.txt").write_text("no table\n")
    tables.refuses(
        "input-unreadable", 66, "not a whole Parquet", data="text.txt", more=("--format", "parquet")
    )


def test_no_value_is_ever_said(tables: TableDesk) -> None:
    table = people_table()
    assert CANARY in table["smoker"].to_pylist()
    parquet.write_table(table, tables.path("p.parquet"))
    result = tables.release(data="p.parquet")
    assert result.code == 0, result
    assert CANARY not in result.out + result.err
    for path in tables.folder.rglob("*"):
        if path.name != "p.parquet" and path.is_file():
            assert CANARY.encode() not in path.read_bytes(), path


def test_the_program_works_without_the_plugin(tables: TableDesk, tmp_path: Path) -> None:
    linked = subprocess.run(["ldd", str(PROGRAM)], capture_output=True, text=True, check=True).stdout
    assert "arrow" not in linked and "parquet" not in linked
    alone = tmp_path / "alone"
    alone.mkdir()
    program = shutil.copy2(PROGRAM, alone / "postern")
    parquet.write_table(people_table(), tables.path("p.parquet"))
    tables.write("p.csv", "smoker,age,income\nyes,20,5\n")
    options = ["--epsilon", "1", "--ledger", "survey.ledger", "-o", "out.json"]

    def release(data: str, plugin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [program, "release", "study.toml", data, *options],
            cwd=tables.folder,
            env=os.environ | {"POSTERN_ARROW_PLUGIN": plugin},
            capture_output=True,
            text=True,
            check=False,
        )

    refused = release("p.parquet")
    assert refused.returncode == 69 and "[unsupported]" in refused.stderr
    assert "libpostern_arrow.so" in refused.stderr and "POSTERN_ARROW_PLUGIN" in refused.stderr
    useless = release("p.parquet", str(tables.path("p.csv")))
    assert useless.returncode == 69 and "cannot be loaded" in useless.stderr
    assert release("p.csv").returncode == 0
    (tables.path("out.json")).unlink()
    assert release("p.parquet", str(PLUGIN)).returncode == 0
