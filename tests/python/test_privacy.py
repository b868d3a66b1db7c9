"""Nothing the owner's side raises or shows comes from a record."""

from __future__ import annotations

import traceback
import warnings
from pathlib import Path
from typing import Any

import pandas
import polars
import postern as pn
import pyarrow
import pytest

from tests.python.desk import code_of

CANARY = "canary-5551234"


class Talkative:
    """A frame whose stream quotes a record when it fails."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        raise ValueError(f"cannot convert {CANARY}")


class Strange:
    """A frame that hands over something else."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return CANARY


class Misnamed:
    """A frame that hands over another capsule."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return pyarrow.table({"smoker": [CANARY]}).schema.__arrow_c_schema__()


def everything_said(error: BaseException) -> str:
    """The text, the traceback, and what hangs on it."""
    seen = traceback.format_exception(error)
    return "".join([*seen, repr(error), repr(error.__context__), repr(error.__cause__)])


@pytest.mark.parametrize("frame", [Talkative(), Strange(), Misnamed()])
def test_no_foreign_text_passes_and_it_is_paid_for(desk: Path, frame: Any) -> None:
    before = pn.Ledger.open("survey.ledger").balance()
    with pytest.raises(pn.Error) as error:
        pn.release(frame, "study.toml", epsilon="1", ledger="survey.ledger")
    assert code_of(error) == "input-unreadable"
    assert CANARY not in everything_said(error.value)
    assert error.value.__context__ is None
    assert pn.Ledger.open("survey.ledger").balance().charges == before.charges + 1


def stream_that_breaks() -> pyarrow.RecordBatchReader:
    table = pyarrow.table({"smoker": ["no"], "age": [30], "cancer": ["no"]})

    def batches() -> Any:
        yield table.to_batches()[0]
        raise ValueError(f"bad record: {CANARY}")

    return pyarrow.RecordBatchReader.from_batches(table.schema, batches())


def test_a_stream_that_breaks_off_says_nothing_and_is_paid_for(desk: Path) -> None:
    before = pn.Ledger.open("survey.ledger").balance()
    with pytest.raises(pn.Error) as error:
        pn.release(stream_that_breaks(), "study.toml", epsilon="1", ledger="survey.ledger")
    assert CANARY not in everything_said(error.value)
    assert error.value.__notes__ == ["the ledger was charged before this failed, and the charge stands"]
    assert pn.Ledger.open("survey.ledger").balance().charges == before.charges + 1


@pytest.mark.parametrize("counts", [False, True])
def test_records_show_nowhere(desk: Path, capfd: pytest.CaptureFixture[str], counts: bool) -> None:
    rows = {"smoker": ["no", CANARY, None], "age": ["20", CANARY, "x"], "cancer": [CANARY, "yes", "no"]}
    data = polars.DataFrame(rows | ({"count": ["0", "1", "2"]} if counts else {}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ledger = pn.Ledger.open("survey.ledger")
        release = pn.release(data, "study.toml", epsilon="1", ledger=ledger, counts=counts)
    shown = repr(release) + repr(ledger) + repr(ledger.charges()) + release.text + ledger.export()
    out, err = capfd.readouterr()
    assert CANARY not in shown + out + err
    assert out + err == ""


def test_a_count_that_is_none_is_refused_before_the_charge_and_not_shown(desk: Path) -> None:
    rows = {"smoker": ["no", "yes"], "age": [20, 30], "cancer": ["no", "yes"]}
    before = pn.Ledger.open("survey.ledger").balance().charges
    for count in (CANARY, None, -7, 1.5, float("nan"), 10**12 + 1):
        with pytest.raises(pn.Error) as error:
            table = pandas.DataFrame(rows | {"count": pandas.Series([5, count], dtype=object)})
            pn.release(table, "study.toml", epsilon="1", ledger="survey.ledger", counts=True)
        assert error.value.code == "input-unreadable"
        assert error.value.message.startswith("the table is no table of counts")
        assert CANARY not in everything_said(error.value)
    assert pn.Ledger.open("survey.ledger").balance().charges == before


def test_odd_values_of_a_pandas_frame_do_not_stop_it(desk: Path) -> None:
    frame = pandas.read_csv("survey.csv").astype({"smoker": object})
    frame.loc[3, "smoker"] = object()
    frame.loc[4, "smoker"] = b"\xff"
    frame["notes"] = [
        {"free": CANARY},
        CANARY,
        3,
        *([None] * (len(frame) - 3)),
    ]  # not declared: never looked at
    assert pn.release(frame, "study.toml", epsilon="1", ledger="survey.ledger").n == len(frame)


def hidden_study() -> pn.Study:
    """The desk's study with a private number of records."""
    facts = pn.Study.load("study.toml").to_dict()
    facts["dataset"] = "hidden"
    facts["privacy"].update(adjacency="add-remove", n={"at_most": 100})
    return pn.Study.from_dict(facts)


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.table, "csv"])
def test_no_record_and_one_look_the_same_where_n_is_private(desk: Path, make: Any) -> None:
    study = hidden_study()
    one = {"smoker": ["no"], "age": ["30"], "cancer": ["no"]}
    none = {name: values[:0] for name, values in one.items()}
    told = []
    for i, rows in enumerate((none, one)):
        ledger = pn.Ledger.create(f"{i}.ledger", study, budget=3, another_ledger=True)
        table: Any = f"{i}.csv"
        if make == "csv":
            pandas.DataFrame(rows).to_csv(table, index=False)
        else:  # of the same types, as any query gives them
            table = make(one)[:i]
        with warnings.catch_warnings(record=True) as said:
            release = pn.release(table, study, epsilon=1, ledger=ledger)
        told.append((repr(release)[17:], [str(one.message) for one in said], ledger.balance().spent))
    assert told[0] == told[1]


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_no_record_is_refused_where_n_is_public(desk: Path, make: Any) -> None:
    one = make({"smoker": ["no"], "age": ["30"], "cancer": ["no"]})
    before = pn.Ledger.open("survey.ledger").balance().charges
    with pytest.raises(pn.Error, match="has no records") as error:
        pn.release(one[:0], "study.toml", epsilon=1, ledger="survey.ledger")
    assert code_of(error) == "input-unreadable"
    assert pn.Ledger.open("survey.ledger").balance().charges == before
