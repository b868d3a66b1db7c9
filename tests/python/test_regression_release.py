"""Linear regression from Python: the owner's side, frames and Parquet in, verified releases out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas
import polars
import postern as pn
import pyarrow
import pyarrow.parquet
import pytest

STUDY = """
version = 1
name = "hours"
dataset = "census"
[privacy]
adjacency = "add-remove"
n = { at_most = 5000 }
[columns.age]
real = ["18", "98"]
grid = "0.5"
missing = "40"
[columns.work]
categories = ["none", "part", "full"]
missing = "none"
[columns.hours]
integer = [0, 80]
missing = "40"
[model]
kind = "linear-regression"
target = "hours"
"""
FRAME = pandas.DataFrame({"hours": [80, 0, 40], "work": ["full", "part", "none"], "age": [98.0, 18.0, 58.0]})


def written(path: Path, frame: pandas.DataFrame) -> Path:
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(frame), path)
    return path


@pytest.mark.parametrize("make", [lambda frame: frame, pyarrow.table, polars.from_pandas, None])
def test_frames_and_parquet_are_released_and_verified(tmp_path: Path, make: Any) -> None:
    study = pn.Study.parse(STUDY)
    assert study.model_columns == ("age", "work", "hours")
    data = written(tmp_path / "survey.parquet", FRAME) if make is None else make(FRAME)
    ledger = pn.Ledger.create(tmp_path / "census.ledger", study, budget="1000")
    release = pn.release(data, study, epsilon="999", shares={"xy": "2"}, ledger=ledger)
    assert all(check.passed for check in pn.verify(release))
    found = release.values
    assert found["number of records"] == [3]
    assert found["sums of x"] == pytest.approx([0, 1024, 1024], abs=300)
    assert found["sums of x^2 - 1/2"] == pytest.approx([2**20 // 2], abs=2**18)


def test_a_plan_tells_whether_products_drown() -> None:
    plan = pn.plan(pn.Study.parse(STUDY), epsilon="0.1", n=50, simulations=1)
    assert [block.cells for block in plan.blocks] == [1, 3, 1, 1, 1, 2, 3]
    assert any("feature_products = false" in note for note in plan.notes)


def test_an_audit_finds_nothing() -> None:
    assert pn.audit(pn.Study.parse(STUDY), epsilon="2", runs=100).passed
