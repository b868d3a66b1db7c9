"""Refusals speak Python to those who use Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import postern as pn
import pytest
from postern._dialect import in_python

from tests.python.desk import ROOT, bernoulli

LITERAL = r'"((?:[^"\\\n]|\\.)*)"'
OPTION = re.compile(r"(?<![\w-])--[a-z]|`postern ")
OF_THE_SHELL = "tools/setup --python"


def literals() -> Iterator[str]:
    """The texts of the library; neighbours that the compiler joins are joined."""
    for source in sorted((ROOT / "lib").rglob("*.cpp")):
        if source.name in ("draft.cpp", "draft_text.cpp"):
            continue  # a file for people to fill in, not a refusal
        code = re.sub(r"^\s*(//|#include).*$", "", source.read_text(), flags=re.MULTILINE)
        for run in re.finditer(rf"{LITERAL}(?:\s*{LITERAL})*", code):
            yield "".join(re.findall(LITERAL, run[0])).replace(OF_THE_SHELL, "")


def test_every_option_the_library_names_has_words_in_python() -> None:
    named = [text for text in literals() if OPTION.search(text)]
    assert len(named) >= 8  # the search works
    assert [text for text in named if OPTION.search(in_python(text + " is not known"))] == []


def test_what_is_quoted_from_elsewhere_stays() -> None:
    for text in ("there is no file '--force'", "there is no engine '--engine exact'", "a--n", '"--n"'):
        assert in_python(text) == text


AGES = """
version = 1
name = "ages"
dataset = "survey-2026"
[privacy]
adjacency = "replace-one"
[columns.age]
integer = [18, 99]
missing = "18"
[model]
kind = "family"
family = "poisson"
column = "age"
count_inside = true
prior = { gamma = [2, "0.05"] }
"""


def test_an_engine_is_named_as_an_argument(desk: Path, tmp_path: Path) -> None:
    study = pn.Study.parse(AGES)
    ledger = pn.Ledger.create(tmp_path / "ages.ledger", study, budget="1", another_ledger=True)
    release = pn.release("survey.csv", study, epsilon="1", ledger=ledger)
    with pytest.raises(pn.Error) as error:
        pn.infer(release, engine="exact")
    assert 'take engine="auto" or "augment"' in error.value.message


def test_other_arguments_too(desk: Path) -> None:
    pn.infer("survey.release.json", draws=10).save("posterior")
    with pytest.raises(pn.Error, match=r"or use force=True"):
        pn.infer("survey.release.json", draws=10).save("posterior")
    with pytest.raises(pn.Error, match=r"say how many records with n="):
        pn.calibrate(pn.Study.parse(bernoulli()), epsilon="1")
    with pytest.raises(pn.Error, match=r'format="xml" is not known'):
        pn.release("survey.csv", "study.toml", epsilon="1", ledger="survey.ledger", format="xml")
