"""Studies drafted from names and types, and from nothing that a record could have decided."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import postern as pn
import pyarrow
import pyarrow.parquet
import pytest

from tests.python.desk import code_of

CANARY = "canary4711"
FRAME = pandas.DataFrame(
    {
        "job": pandas.Categorical([CANARY, "other", None]),
        "age": [20, 30, 4711],
        "income": [1.5, 4711.5, float("nan")],
        "smoker": [True, False, True],
        "day": pandas.to_datetime(["2020-01-01"] * 3),
    }
)
BLOCKS = {
    "job": 'categories = ["", "unknown"]  ',
    "age": "integer = []  ",
    "income": "real = []  ",
    "smoker": 'categories = ["false", "true", "unknown"]',
    "day": "# Its type is neither",
}


@pytest.fixture(autouse=True)
def fresh_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def parquet(frame: pandas.DataFrame) -> str:
    frame.to_parquet("survey.parquet")
    return "survey.parquet"


def feather(frame: pandas.DataFrame) -> str:
    frame.to_feather("survey.feather")
    return "survey.feather"


@pytest.mark.parametrize(
    "make",
    [
        lambda frame: frame,
        pyarrow.table,
        polars.from_pandas,
        lambda frame: polars.from_pandas(frame).lazy(),
        duckdb.from_df,
        parquet,
        feather,
    ],
    ids=["pandas", "pyarrow", "polars", "lazy", "duckdb", "parquet", "feather"],
)
def test_every_table_gives_the_same_draft(make: Any) -> None:
    text = pn.init(make(FRAME))
    for name, block in BLOCKS.items():
        assert f"[columns.{name}]\n{block}" in text, name
    assert CANARY not in text
    assert "4711" not in text
    assert 'name    = "survey"' in text


def test_a_draft_becomes_a_study_once_it_is_filled_in() -> None:
    text = pn.init(FRAME[["smoker"]], "study.toml", name="people")
    assert Path("study.toml").read_text() == text
    assert pn.Study.load("study.toml").columns == ("smoker",)
    with pytest.raises(pn.Error) as error:
        pn.init(FRAME, "study.toml")
    assert code_of(error) == "output-exists"


def test_files_without_a_header() -> None:
    Path("survey.csv.gz").write_bytes(gzip.compress(f"{CANARY};41\nx;2\n".encode()))
    with pytest.raises(pn.Error) as error:
        pn.init("survey.csv.gz", delimiter=";")
    assert code_of(error) == "no-header"
    assert CANARY not in error.value.message
    assert 'columns=["a", "b", "c"]' in error.value.message
    assert "[columns.age]" in pn.init("survey.csv.gz", columns=["name", "age"])
    with pytest.raises(pn.Error) as error:
        pn.init("survey.csv.gz")
    assert 'delimiter=";"' in error.value.message
    no_names: list[Any] = [[], "ab", [""], [1, 2]]
    for none in no_names:
        with pytest.raises(pn.Error) as error:
            pn.init("survey.csv.gz", columns=none)
        assert code_of(error) == "bad-option"
    with pytest.raises(pn.Error) as error:
        pn.init({"x": [1]})  # type: ignore[arg-type]
    assert code_of(error) == "wrong-type"


@pytest.mark.parametrize(
    "call",
    [
        lambda: pn.init(pandas.DataFrame([[1, 2]], columns=["a", "a"])),
        lambda: pn.init(pyarrow.table([[1], [2]], names=["a", "a"])),
        lambda: pn.init("survey.csv", columns=["a", "b", "a"]),
    ],
    ids=["pandas", "pyarrow", "names"],
)
def test_repeated_names_are_refused(call: Any) -> None:
    with pytest.raises(pn.Error, match="two columns have the same name") as error:
        call()
    assert code_of(error) == "column-repeated"


@pytest.mark.parametrize("names", [[1], ["a", 1], [("a", "b")]])
def test_names_that_are_not_text(names: list[Any]) -> None:
    frame = pandas.DataFrame([[4711] * len(names)])
    frame.columns = pandas.Index(names)
    with pytest.raises(pn.Error, match="column names that are not text") as error:
        pn.init(frame)
    assert code_of(error) == "wrong-type"
    assert "4711" not in error.value.message
