"""A value of a frame means one thing, whatever stands beside it, and nothing of a frame is read before the
charge."""

from __future__ import annotations

import datetime
import functools
import itertools
import pathlib
import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import duckdb
import numpy
import pandas
import polars
import postern as pn
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest
from postern._frames import field_text

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
missing = "{missing}"
[model]
kind = "family"
column = "x"
{family}
"""
TENTHS = STUDY.format(column='real = ["0", "1"]\ngrid = "0.1"', missing="0", family='family = "exponential"')
WHOLES = STUDY.format(column="integer = [0, 7]", missing="3", family='family = "poisson"')


def labels(*names: str) -> str:
    """Counts the last of them; anything else is the first."""
    return STUDY.format(
        column=f"categories = {list(names)}".replace("'", '"'),
        missing=names[0],
        family=f'family = "bernoulli"\nsuccess = "{names[-1]}"',
    )


ledgers = itertools.count()
pytestmark = pytest.mark.filterwarnings("ignore:epsilon .* is large")


@pytest.fixture(autouse=True)
def fresh_folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def measured(data: Any, study: str) -> int:
    """The exact statistic: at this epsilon the noise is zero but for a chance of less than e^-100."""
    terms = pn.Study.parse(study)
    ledger = pn.Ledger.create(f"{next(ledgers)}.ledger", terms, budget="1000", another_ledger=True)
    values = next(iter(pn.release(data, terms, epsilon="1000", ledger=ledger).values.values()))
    return int(values[-1])


def objects(*fields: Any) -> pandas.DataFrame:
    return pandas.DataFrame({"x": pandas.Series(list(fields), dtype=object)})


def same(one: Any, other: Any) -> bool:
    """Whether pandas takes them for one category, as it takes 1, 1.0 and True."""
    return one is other or (hash(one) == hash(other) and bool(one == other))


def categories(*fields: Any) -> pandas.DataFrame:
    """The same fields by category, none of which pandas had a chance to change."""
    known: list[Any] = []
    codes = []
    for field in fields:
        if field is None or field is pandas.NA or field != field:
            codes.append(-1)
            continue
        known.extend([] if any(same(field, other) for other in known) else [field])
        codes.append(next(code for code, other in enumerate(known) if same(field, other)))
    kinds = pandas.Index(known, dtype=object, tupleize_cols=False)
    return pandas.DataFrame({"x": pandas.Categorical.from_codes(codes, kinds)})


class Unspeakable:
    """Nothing can be made of it."""

    def __str__(self) -> str:
        raise ValueError("no")


ODD = {
    "text": "oops",
    "whole": 1,
    "true": True,
    "decimal": Decimal("0.15"),
    "long-decimal": Decimal("0.14999999999999999999999999999999999"),
    "big": 2**60 + 1,
    "bigger": 2**70,
    "huge": 10**5000,
    "vast-decimal": Decimal("1e999999999"),
    "tiny-decimal": Decimal("-1e-999999999"),
    "not-a-number": Decimal("sNaN"),
    "date": datetime.date(2020, 1, 1),
    "dict": {"q": 1},
    "bytes": b"0.25",
    "bad-bytes": b"\xff",
    "surrogate": "\udc80",
    "surrogate-path": pathlib.Path("\udc80"),
    "none": None,
    "nan": float("nan"),
    "na": pandas.NA,
    "arrow": pyarrow.scalar("0.25"),
    "float32": numpy.float32(0.15),
    "unspeakable": Unspeakable(),
}


@pytest.mark.parametrize("odd", ODD)
def test_one_odd_record_leaves_the_others_alone(odd: str) -> None:
    own = measured(objects(ODD[odd]), TENTHS)
    others = [0.15] * (N - 1)
    assert measured(objects(*others), TENTHS) == 2 * (N - 1)
    assert measured(objects(*others, ODD[odd]), TENTHS) == 2 * (N - 1) + own
    if odd not in ("dict", "not-a-number", "float32"):  # pandas makes no category of these, of their own
        assert measured(categories(*others, ODD[odd]), TENTHS) == 2 * (N - 1) + own


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_record_among_missing_ones_stops_nothing(odd: str) -> None:
    study = labels("a", "b")
    assert measured(objects(*[None] * N, ODD[odd]), study) == 0
    assert measured(objects(*["b"] * N, ODD[odd]), study) == N


@pytest.mark.parametrize("last", [[], ["oops"], [Decimal(1)], [None]])
def test_long_decimals_keep_their_digits(last: list[Any]) -> None:
    below = Decimal("0.14999999999999999999999999999999999")
    assert measured(objects(*[below] * N, *last), TENTHS) == N + 10 * (last == [Decimal(1)])


@pytest.mark.parametrize("last", [[], ["oops"], [None], ["a"], [2**70]])
@pytest.mark.parametrize("make", [objects, categories])
def test_whole_floats_have_the_label_of_the_number(
    make: Callable[..., pandas.DataFrame], last: list[Any]
) -> None:
    assert measured(make(*[100000.0] * N, *last), labels("a", "100000")) == N


@pytest.mark.parametrize("last", [[], ["oops"], [None]])
def test_dates_are_texts(last: list[Any]) -> None:
    assert measured(objects(*[datetime.date(2020, 1, 1)] * N, *last), labels("a", "2020-01-01")) == N


@pytest.mark.parametrize("last", [[], ["b"]])
def test_truths_among_objects_are_never_refused(last: list[Any]) -> None:
    assert measured(objects(*[True] * N, *last), labels("a", "b")) == len(last)
    assert measured(objects(*[True] * N, *last), labels("no", "yes")) == N


def arrow_file(table: Any) -> str:
    pyarrow.feather.write_feather(table, "x.arrow")
    return "x.arrow"


def parquet_file(table: Any) -> str:
    pyarrow.parquet.write_table(table, "x.parquet")
    return "x.parquet"


def csv_file(frame: pandas.DataFrame) -> str:
    frame.to_csv("x.csv", index=False)
    return "x.csv"


WAYS: dict[str, Callable[[pandas.DataFrame], Any]] = {
    "float64": lambda frame: frame,
    "object": lambda frame: frame.astype(object),
    "text": lambda frame: frame.astype(str),
    "category": lambda frame: frame.astype("category"),
    "arrow-type": lambda frame: frame.astype("double[pyarrow]"),
    "polars": polars.from_pandas,
    "duckdb": duckdb.from_df,
    "ipc": lambda frame: arrow_file(pyarrow.Table.from_pandas(frame)),
    "parquet": lambda frame: parquet_file(pyarrow.Table.from_pandas(frame)),
    "csv": csv_file,
}


@pytest.mark.parametrize("way", WAYS)
def test_floats_mean_their_text_on_every_way(way: str) -> None:
    """On a grid of 0.1, 0.15 and 0.35 are rounded up, although the floats are a little less than that."""
    assert measured(WAYS[way](pandas.DataFrame({"x": [0.15, 0.35, 0.95, 0.05]})), TENTHS) == 2 + 4 + 10 + 1
    whole = pandas.DataFrame({"x": [100000.0] * N})
    assert measured(WAYS[way](whole), labels("a", "100000")) == (0 if way in ("csv", "text") else N)


@pytest.mark.parametrize("kind", ["float16", "float32"])
def test_shorter_floats_are_widened_first(kind: str) -> None:
    values = [0.15, 0.35, 0.45, 0.65, 0.85]
    frame = pandas.DataFrame({"x": numpy.array(values, kind)})
    wide = sum(measured(objects(float(value)), TENTHS) for value in frame["x"])
    table = pyarrow.table({"x": pyarrow.array(frame["x"].to_numpy())})
    for data in (table, frame.astype(object), arrow_file(table)):
        assert measured(data, TENTHS) == wide
    assert wide < sum(measured(objects(value), TENTHS) for value in values)


@pytest.mark.parametrize("field", ["0.15", "oops", ""])
def test_pandas_read_csv(field: str) -> None:
    """What pandas makes of a whole column when one field is odd changes no other."""
    pathlib.Path("x.csv").write_text("x\n" + "0.15\n" * N + f'"{field}"\n')
    assert measured(pandas.read_csv("x.csv"), TENTHS) == 2 * N + 2 * (field == "0.15")
    pathlib.Path("y.csv").write_text("x\n" + "100000\n" * N + f'"{field}"\n')
    assert measured(pandas.read_csv("y.csv", skip_blank_lines=False), labels("a", "100000")) == N


POOL: list[Any] = [
    *(value for name, value in ODD.items() if name not in ("dict", "not-a-number")),
    *[0.05, 0.15, 0.25, 0.65, 1.0, -0.0, 3.0, 1e5, 1e22, 1e-7, float("inf"), "0.15", " 3 ", "3.0", "1e5", ""],
    *["a", "b", "true", "False", False, 0, 3, 7, 100000, Decimal("3.00"), Decimal("1E+5"), Decimal("-0.00")],
    *[numpy.int8(3), numpy.bool_(True), numpy.float16(0.35), numpy.datetime64("2020-01-01"), 1 + 2j, (1, 2)],
]


@functools.cache
def alone(study: str) -> list[int]:
    """What each value of the pool contributes by itself."""
    return [measured(objects(value), study) for value in POOL]


@pytest.mark.parametrize("make", [objects, categories])
@pytest.mark.parametrize("study", [TENTHS, WHOLES, labels("a", "100000"), labels("false", "true")])
def test_a_column_is_the_sum_of_its_records(make: Callable[..., pandas.DataFrame], study: str) -> None:
    """So columns that differ in one record differ by that record's contribution alone."""
    draw = random.Random(20261117)
    own = alone(study)
    for _ in range(15):
        few = draw.sample(range(len(POOL)), draw.randint(1, 4))
        column = [draw.choice(few) for _ in range(draw.randint(1, 60))]
        if make is categories:  # of values that are one category, the first
            column = [next(j for j, other in enumerate(POOL) if same(other, POOL[i])) for i in column]
        assert measured(make(*(POOL[i] for i in column)), study) == sum(own[i] for i in column)


def test_texts_of_single_fields() -> None:
    assert field_text(100000.0) == "100000"
    assert field_text(2.0**70) == "1180591620717411300000"
    assert field_text(1e-5) == "0.00001"
    assert field_text(-0.0) == field_text(Decimal("-0.00")) == field_text(Decimal("0E+999999999")) == "0"
    assert field_text(Decimal("1.50")) == "1.5"
    assert field_text(Decimal("1E+5")) == "100000"
    assert field_text(Decimal("1" * 60 + "." + "2" * 60)) == "1" * 60 + "." + "2" * 60
    assert field_text(Decimal("-Infinity")) == "-inf"
    assert field_text(float("inf")) == "inf"
    assert field_text(bytearray(b"yes")) == field_text(memoryview(b"yes")) == "yes"


def texts(frame: str) -> Any:
    connection = duckdb.connect()
    table = pyarrow.table({"x": ["5"] * (N - 1) + [frame]})
    return connection.from_arrow(table).query("t", "select cast(x as integer) as x from t")


def test_a_query_is_run_after_the_charge_and_says_nothing() -> None:
    study = pn.Study.parse(WHOLES)
    ledger = pn.Ledger.create("l", study, budget="1000", another_ledger=True)
    assert pn.release(texts("5"), study, epsilon="1000", ledger="l").values["sum of x"] == [5 * N]
    for frame, counts in ((texts("canary"), False), (canary_counts(), True)):
        ledger = pn.Ledger.create(f"l{counts}", study, budget="1000", another_ledger=True)
        with pytest.raises(pn.Error) as error:
            pn.release(frame, study, epsilon="1", ledger=ledger, counts=counts)
        assert (code_of(error), error.value.message) == (
            "input-unreadable",
            "the table could not be read to its end",
        )
        assert error.value.__context__ is None
        assert error.value.__notes__ == ["the ledger was charged before this failed, and the charge stands"]
        assert ledger.balance().charges == 1


def canary_counts() -> Any:
    return texts("canary").query("u", "select x, 1 as count from u")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("select 1 as y", "column-absent"),
        ("select 1 as x, 2 as count", "bad-option"),
        ("select date '2020-01-01' as x", "unsupported"),
        ("select [1] as x", "unsupported"),
    ],
)
def test_what_a_query_would_give_is_checked_before_the_charge(query: str, code: str) -> None:
    study = pn.Study.parse(WHOLES)
    ledger = pn.Ledger.create("l", study, budget="1000", another_ledger=True)
    with pytest.raises(pn.Error) as error:
        pn.release(duckdb.sql(query), study, epsilon="1", ledger=ledger)
    assert code_of(error) == code
    assert ledger.balance().charges == 0


def test_a_type_is_refused_by_itself_alone() -> None:
    study = pn.Study.parse(WHOLES)
    ledger = pn.Ledger.create("l", study, budget="1000", another_ledger=True)
    days = pandas.DataFrame({"x": pandas.to_datetime(["2020-01-01"] * 3)})
    structs = pandas.Series([{"a": 1}], dtype=pandas.ArrowDtype(pyarrow.struct([("a", pyarrow.int64())])))
    twice = pandas.DataFrame([[1, 2]], columns=["x", "x"])
    for frame, code in (
        (days, "unsupported"),
        (days[:0], "unsupported"),
        (structs.to_frame("x"), "unsupported"),
        (twice, "column-repeated"),
    ):
        with pytest.raises(pn.Error) as error:
            pn.release(frame, study, epsilon="1", ledger=ledger)
        assert code_of(error) == code
    assert ledger.balance().charges == 0
