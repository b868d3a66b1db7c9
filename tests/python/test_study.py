"""Studies, amounts and errors."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import postern as pn
import pytest
from postern._frames import field_text
from postern._words import decimal_text, prior_text

from tests.python.desk import bernoulli, code_of


def test_a_study_says_what_is_public(desk: Path) -> None:
    study = pn.Study.load("study.toml")
    assert (study.name, study.dataset) == ("smoking-and-cancer", "survey-2026")
    assert study.columns == ("smoker", "age", "cancer")
    assert study.model_columns == ("smoker", "cancer")
    assert (study.currency, study.adjacency) == ("pure", "replace-one")
    assert study == pn.Study.parse(study.text)
    assert hash(study) == hash(pn.Study.parse(study.text))
    assert study != pn.Study.parse(bernoulli())
    assert pn.Study.parse(bernoulli()).model_columns == ("smoker",)


def test_a_wrong_study_is_refused_with_its_place(desk: Path) -> None:
    Path("study.toml").write_text(Path("study.toml").read_text().replace("currency ", "curency "))
    with pytest.raises(pn.Error, match=r"study\.toml:9") as error:
        pn.Study.load("study.toml")
    assert code_of(error) == "unknown-key"


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "input-missing"), (b"\xff\xfe", "input-unreadable"), (b"version = ", "study-syntax")],
)
def test_a_file_that_is_no_study(desk: Path, content: bytes | None, code: str) -> None:
    if content is not None:
        Path("other.toml").write_bytes(content)
    with pytest.raises(pn.Error) as error:
        pn.Study.load("other.toml")
    assert code_of(error) == code


def test_a_folder_is_no_study(desk: Path) -> None:
    with pytest.raises(pn.Error) as error:
        pn.Study.load(desk)
    assert code_of(error) == "input-unreadable"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0.1", "0.1"),
        (2, "2"),
        (Decimal("0.10"), "0.1"),
        (Decimal("1E+1"), "10"),
        (Decimal("1E-9"), "0.000000001"),
        (Fraction(1, 8), "0.125"),
        (Fraction(3), "3"),
        (Fraction(-1, 2), "-0.5"),
    ],
)
def test_amounts_are_exact(value: Any, text: str) -> None:
    assert decimal_text("epsilon", value) == text


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (0.5, "bare-float"),
        (Decimal("NaN"), "bad-budget"),
        (Fraction(1, 3), "bad-budget"),
        (Decimal("1E-10"), "bad-budget"),
        (None, "wrong-type"),
        (b"1", "wrong-type"),
    ],
)
def test_amounts_that_are_not(value: Any, code: str) -> None:
    with pytest.raises(pn.Error) as error:
        decimal_text("epsilon", value)
    assert code_of(error) == code


def test_a_float_is_refused_with_the_fix(desk: Path) -> None:
    with pytest.raises(pn.Error, match=r'epsilon="0\.5"'):
        pn.plan("study.toml", epsilon=0.5)  # type: ignore[arg-type]


def test_priors_are_words_or_numbers() -> None:
    assert prior_text(None) is None
    assert prior_text("beta 1 1") == "beta 1 1"
    assert prior_text([1, "0.5", Fraction(1, 4)]) == "1 0.5 0.25"
    assert prior_text([[0, 0], 1, 3, [[4, "0.5"], ["0.5", 9]]]) == "0 0 1 3 4 0.5 0.5 9"
    with pytest.raises(pn.Error, match="float"):
        prior_text([[0, 0.5], 1])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        ("yes", "yes"),
        (True, "true"),
        (np.bool_(False), "false"),
        (3, "3"),
        (np.int8(-3), "-3"),
        (3.0, "3"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (np.float32(0.5), "0.5"),
        (float("nan"), None),
        (float("-inf"), "-inf"),
        (Decimal("3.00"), "3"),
        (Decimal("NaN"), None),
        (b"yes", "yes"),
        (b"\xff", None),
        (pandas.NA, None),
        (pandas.NaT, None),
    ],
)
def test_fields_are_spelt_as_in_a_csv_file(value: Any, text: str | None) -> None:
    assert field_text(value) == text


def test_errors_travel() -> None:
    error = pickle.loads(pickle.dumps(pn.Error("bad-budget", "no")))
    assert (error.code, error.message, str(error)) == ("bad-budget", "no", "no [bad-budget]")


def test_a_study_is_made_from_a_dictionary_and_back(desk: Path) -> None:
    study = pn.Study.load("study.toml")
    facts = study.to_dict()
    assert pn.Study.from_dict(facts) == study
    assert pn.Study.from_dict(facts).to_dict() == facts
    facts["columns"]["smoker"]["categories"].append('odd "one", \x7f{é}')
    odd = pn.Study.from_dict(facts)
    assert odd.to_dict() == facts
    assert odd != study


def test_a_study_from_a_dictionary_takes_decimals_and_refuses_floats() -> None:
    facts = pn.Study.parse(bernoulli()).to_dict()
    facts["model"]["prior"] = {"beta": [Decimal("0.5"), 2]}
    assert '"0.5"' in pn.Study.from_dict(facts).text
    for prior, code in (({"beta": [0.5, 2]}, "bare-float"), ({"beta": [None]}, "wrong-type")):
        facts["model"]["prior"] = prior
        with pytest.raises(pn.Error) as error:
            pn.Study.from_dict(facts)
        assert code_of(error) == code
    with pytest.raises(pn.Error) as error:
        pn.Study.from_dict("study.toml")  # type: ignore[arg-type]
    assert code_of(error) == "wrong-type"


@pytest.mark.parametrize("kind", [set, frozenset])
def test_a_study_from_a_dictionary_refuses_what_has_no_order(kind: Any) -> None:
    facts = pn.Study.parse(bernoulli()).to_dict()
    for place, key, values in (
        (facts["columns"]["smoker"], "categories", ["no", "yes"]),
        (facts["model"]["prior"], "beta", [1, 2]),
    ):
        given, place[key] = place[key], kind(values)
        with pytest.raises(pn.Error, match=f"{key} is a .* give a list") as error:
            pn.Study.from_dict(facts)
        assert code_of(error) == "wrong-type"
        place[key] = given


def test_a_study_from_a_dictionary_takes_whole_numbers_of_numpy() -> None:
    facts = pn.Study.parse(bernoulli()).to_dict()
    plain = pn.Study.from_dict(facts | {"model": facts["model"] | {"prior": {"beta": [2, 3]}}})
    for numbers in ([np.int64(2), np.uint8(3)], np.array([2, 3]), (np.array(2), 3)):
        facts["model"]["prior"] = {"beta": numbers}
        assert pn.Study.from_dict(facts) == plain
    for value, code in ((np.float64(0.5), "bare-float"), (np.bool_(True), "wrong-type")):
        facts["model"]["prior"] = {"beta": [value, 1]}
        with pytest.raises(pn.Error) as error:
            pn.Study.from_dict(facts)
        assert code_of(error) == code


@pytest.mark.parametrize("given", ["study.toml", "no-such-study.toml", Path("study.toml"), "study"])
def test_the_name_of_a_file_in_place_of_its_text(desk: Path, given: Any) -> None:
    Path("study").write_text("a file without a suffix")
    with pytest.raises(pn.Error, match=r"write Study\.load\(") as error:
        pn.Study(given)
    assert code_of(error) == "wrong-type"
    with pytest.raises(pn.Error, match=r"write Study\.load\("):
        pn.Study.parse(given)
    for name in ("survey.release.json", Path("survey.release.json")):
        with pytest.raises(pn.Error, match=r"write Release\.load\('survey\.release\.json'\)") as error:
            pn.Release(name)  # type: ignore[arg-type]
        assert code_of(error) == "wrong-type"


def test_what_happens_silently_is_told_from_the_study_alone() -> None:
    rules = pn.Study.parse(bernoulli()).silent_rules
    assert 'an empty or undeclared "smoker" counts as "no"' in rules
