"""What the tests of the package share."""

from __future__ import annotations

import random
from pathlib import Path

import postern as pn
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
RECORDS = 500

BERNOULLI = """
version = 1
name = "smokers"
dataset = "survey-2026"
[privacy]
unit = "record"
adjacency = "{adjacency}"
currency = "{currency}"
{n}
[columns.smoker]
categories = ["no", "yes"]
missing = "no"
[model]
kind = "family"
family = "bernoulli"
column = "smoker"
prior = {{ beta = [1, 1] }}
"""


def bernoulli(adjacency: str = "replace-one", currency: str = "pure") -> str:
    """A study of one column."""
    n = "n = { at_most = 2000 }" if adjacency == "add-remove" else ""
    return BERNOULLI.format(adjacency=adjacency, currency=currency, n=n)


def write_survey(path: Path) -> None:
    """Made-up people: 27 % smoke, and of those more fall ill."""
    rng = random.Random(7)
    lines = ["smoker,age,cancer"]
    for _ in range(RECORDS):
        smoker = rng.random() < 0.27
        cancer = rng.random() < (0.08 if smoker else 0.03)
        lines.append(f"{'yes' if smoker else 'no'},{rng.randint(18, 99)},{'yes' if cancer else 'no'}")
    path.write_text("\n".join(lines) + "\n")


NETWORK = """network unknown { }
variable smoker { type discrete [ 2 ] { no, yes }; }
variable age { type discrete [ 2 ] { young, old }; }
variable cancer { type discrete [ 2 ] { no, yes }; }
probability ( smoker ) { table 0.8, 0.2; }
probability ( age ) { table 0.5, 0.5; }
probability ( cancer | smoker, age ) {
  (no, young) 0.98, 0.02;
  (no, old) 0.98, 0.02;
  (yes, young) 0.88, 0.12;
  (yes, old) 0.88, 0.12;
}
"""


def code_of(error: pytest.ExceptionInfo[pn.Error]) -> str:
    return error.value.code
