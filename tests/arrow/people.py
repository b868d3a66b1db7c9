"""Made-up people, as a CSV file and as Arrow tables of many types."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any, TypeAlias

import pytest

pa = pytest.importorskip("pyarrow")
Table: TypeAlias = Any  # pyarrow comes without types
ArrowType: TypeAlias = Any

SMOKER = ["no", "yes", "unknown", "", None, " yes ", "canary-5521", "No"]
AGE = [17, 18, 29, 30, 44, 45, 59, 60, 99, 100, None, 3000]
INCOME = [0.0, 19949.99, 19950.0, 49949.995, 120000.0, 119949.5, 250000.0, -1.0, None, 33.5]


def make_people(count: int, seed: int = 7) -> dict[str, list[Any]]:
    draw = random.Random(seed)
    return {
        "smoker": [draw.choice(SMOKER) for _ in range(count)],
        "age": [draw.choice(AGE) for _ in range(count)],
        "income": [draw.choice(INCOME) for _ in range(count)],
    }


def csv_of(people: dict[str, list[Any]]) -> str:
    """Floats by their shortest text; None is an empty field."""

    def text(value: Any) -> str:
        return "" if value is None else str(value)

    rows = zip(*people.values(), strict=True)
    return ",".join(people) + "\n" + "".join(",".join(map(text, row)) + "\n" for row in rows)


def table_of(people: dict[str, list[Any]], **types: ArrowType) -> Table:
    """The same people in columns of these types; text, int64 and float64 unless said."""
    plain = {"smoker": pa.string(), "age": pa.int64(), "income": pa.float64()}
    arrays = {}
    for name, values in people.items():
        wanted = types.get(name, plain.get(name, pa.string()))
        if pa.types.is_decimal(wanted):
            values = [None if value is None else Decimal(str(value)) for value in values]
        if pa.types.is_dictionary(wanted):
            arrays[name] = pa.array(values, plain[name]).dictionary_encode().cast(wanted)
        else:
            arrays[name] = pa.array(values, wanted)
    return pa.table(arrays)
