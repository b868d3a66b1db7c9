"""Types that cannot hold what the study declares are refused by themselves, before the charge."""

from __future__ import annotations

import pathlib
from typing import Any

import duckdb
import pandas
import polars
import postern as pn
import pyarrow
import pytest

from tests.python.desk import code_of

N = 200
STUDY = """
version = 1
name = "s"
dataset = "d"
[privacy]
unit = "record"
adjacency = "replace-one"
currency = "pure"
[columns.x]
{column}
[model]
kind = "family"
column = "x"
{family}
"""
WHOLES = STUDY.format(column="integer = [0, 7]", family='family = "poisson"')
YES_NO = STUDY.format(column='categories = ["no", "yes"]', family='family = "bernoulli"\nsuccess = "yes"')
ZEROS_AND_ONES = pandas.DataFrame({"x": [0, 1] * 5})
pytestmark = pytest.mark.filterwarnings("ignore:epsilon .* is large")


@pytest.fixture(autouse=True)
def fresh_folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "frame",
    [
        ZEROS_AND_ONES,
        ZEROS_AND_ONES.astype(float),
        ZEROS_AND_ONES.astype("Int64"),
        ZEROS_AND_ONES.astype("category"),
        ZEROS_AND_ONES.astype("Sparse[int]"),
        ZEROS_AND_ONES.astype(complex),
        pyarrow.table(ZEROS_AND_ONES),
        polars.from_pandas(ZEROS_AND_ONES),
        polars.from_pandas(ZEROS_AND_ONES).lazy(),
        duckdb.sql("select 1::decimal(5, 2) as x"),
    ],
    ids=lambda frame: type(frame).__module__.split(".")[0],
)
def test_numbers_for_labels_are_refused_by_their_type(frame: Any) -> None:
    study = pn.Study.parse(YES_NO)
    ledger = pn.Ledger.create("l", study, budget="1000", another_ledger=True)
    with pytest.raises(pn.Error) as error:
        pn.release(frame, study, epsilon="1", ledger=ledger)
    assert code_of(error) == "unsupported"
    assert "'x'" in error.value.message
    assert ledger.balance().charges == 0


@pytest.mark.parametrize("dtype", ["complex128", "Sparse[int64]", "period[M]"])
def test_dtypes_that_are_no_numbers(dtype: str) -> None:
    study = pn.Study.parse(WHOLES)
    ledger = pn.Ledger.create("l", study, budget="1000", another_ledger=True)
    with pytest.raises(pn.Error) as error:
        pn.release(pandas.DataFrame({"x": pandas.Series([], dtype=dtype)}), study, epsilon="1", ledger=ledger)
    assert code_of(error) == "unsupported"
    assert "'x'" in error.value.message
    assert "period" in error.value.message or dtype[:7] in error.value.message
    assert ledger.balance().charges == 0


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_types_in_files(suffix: str) -> None:
    study = pn.Study.parse(WHOLES)
    ledger = pn.Ledger.create("l", study, budget="1000", another_ledger=True)
    months = pandas.DataFrame({"x": pandas.period_range("1970-03", periods=3, freq="M")})
    labels = pandas.DataFrame({"x": [0, 1]})
    for frame, terms in ((months, study), (labels, pn.Study.parse(YES_NO))):
        getattr(frame, f"to_{suffix}")(f"table.{suffix}")
        with pytest.raises(pn.Error) as error:
            pn.release(f"table.{suffix}", terms, epsilon="1", ledger=ledger)
        assert code_of(error) == "unsupported"
        assert "'x'" in error.value.message
    assert ledger.balance().charges == 0


def test_lazy_frames_are_collected_after_the_charge() -> None:
    study = pn.Study.parse(WHOLES)
    ledger = pn.Ledger.create("l", study, budget="1000", another_ledger=True)
    frame = polars.LazyFrame({"x": ["5"] * N, "y": ["canary"] * N})
    good = frame.with_columns(polars.col("x").cast(polars.Int64))
    assert pn.release(good, study, epsilon="900", ledger=ledger).values["sum of x"] == [5 * N]
    bad = frame.select(polars.col("y").cast(polars.Int64).alias("x"))
    for lazy, charged, code in ((good.rename({"x": "z"}), 1, "column-absent"), (bad, 2, "input-unreadable")):
        with pytest.raises(pn.Error) as error:
            pn.release(lazy, study, epsilon="1", ledger=ledger)
        assert code_of(error) == code
        assert "canary" not in error.value.message
        assert ledger.balance().charges == charged


TEXTS = polars.LazyFrame({"x": ["canary"] * N})
UNRESOLVED = {
    "select": TEXTS.select("nosuch"),
    "filter": TEXTS.filter(polars.col("z") > 1),
    "type": TEXTS.select(polars.col("x") + 1),
    "file": polars.scan_csv("nosuch.csv"),
}


@pytest.mark.parametrize("case", UNRESOLVED)
def test_a_query_that_cannot_be_run_is_not_charged(case: str) -> None:
    study = pn.Study.parse(WHOLES)
    ledger = pn.Ledger.create("l", study, budget="1000", another_ledger=True)
    lazy = UNRESOLVED[case]
    for call in (
        lambda: pn.release(lazy, study, epsilon="1", ledger=ledger),
        lambda: pn.release(lazy, study, epsilon="1", ledger=ledger, counts=True),
        lambda: pn.check(lazy, study),
        lambda: pn.init(lazy),
    ):
        with pytest.raises(pn.Error, match="the query of the LazyFrame cannot be run") as error:
            call()
        assert code_of(error) == "input-unreadable"
        assert error.value.__context__ is None
        assert "nosuch" not in error.value.message
    assert ledger.balance().charges == 0


def test_a_look_says_that_the_query_failed() -> None:
    bad = TEXTS.select(polars.col("x").cast(polars.Int64))
    relation = duckdb.sql("select cast(error('canary') as integer) as x")
    for query, kind in ((bad, "LazyFrame"), (relation, "DuckDBPyRelation")):
        with pytest.raises(pn.Error, match=f"the query of the {kind} failed") as error:
            pn.check(query, pn.Study.parse(WHOLES))
        assert code_of(error) == "input-unreadable"
        assert "canary" not in error.value.message
