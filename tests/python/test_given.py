"""Arguments that are swapped or of another kind: refused by what they are, with what to give."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import postern as pn
import pyarrow
import pytest

FRAME = pandas.DataFrame({"smoker": ["canary"], "age": [30], "cancer": ["no"]})
LEDGER = "survey.ledger"


def study() -> pn.Study:
    return pn.Study.load("study.toml")


def post() -> pn.Posterior:
    return pn.infer("survey.release.json", chains=1, draws=20)


def release() -> pn.Release:
    return pn.Release.load("survey.release.json")


SWAPPED: dict[str, tuple[Callable[[], Any], str, str]] = {
    "study first": (
        lambda: pn.release(study(), FRAME, ledger=LEDGER, epsilon="1"),  # type: ignore[arg-type]
        "data is a study",
        "the records come first: release(data, study)",
    ),
    "study first in a check": (
        lambda: pn.check(study(), FRAME),  # type: ignore[arg-type]
        "data is a study",
        "the records come first: check(data, study)",
    ),
    "no study": (
        lambda: pn.release(FRAME, FRAME, ledger=LEDGER, epsilon="1"),
        "study is a table of records (a DataFrame)",
        "give a Study, or the path of its file",
    ),
    "no ledger": (
        lambda: pn.release(FRAME, study(), ledger=study(), epsilon="1"),  # type: ignore[arg-type]
        "ledger is a study",
        "give a Ledger, or the path of its file",
    ),
    "no key": (
        lambda: pn.release(FRAME, study(), ledger=LEDGER, epsilon="1", sign=7),  # type: ignore[arg-type]
        "sign is a int",
        "the path of a private key",
    ),
    "counts in words": (
        lambda: pn.release(FRAME, study(), ledger=LEDGER, epsilon="1", counts="no"),  # type: ignore[arg-type]
        "counts is a str",
        "give True or False",
    ),
    "frame to verify": (
        lambda: pn.verify(FRAME),
        "release is a table of records",
        "give a Release, or the path",
    ),
    "unresolved frame to audit": (
        lambda: pn.audit(polars.LazyFrame({"x": ["canary"]}).select("y"), epsilon="1"),
        "study is a table of records (a LazyFrame)",
        "give a Study",
    ),
    "unresolved frame to infer": (
        lambda: pn.infer(polars.LazyFrame({"x": ["canary"]}).select("y")),
        "a table of records, which infer never sees",
        "infer takes that",
    ),
    "frame to audit": (
        lambda: pn.audit(FRAME, epsilon="1"),
        "study is a table of records",
        "give a Study",
    ),
    "release to load": (
        lambda: pn.Posterior.load(release()),  # type: ignore[arg-type]
        "folder is a release",
        "the path of a folder that `save`",
    ),
    "posterior to save": (
        lambda: post().save(release()),  # type: ignore[arg-type]
        "folder is a release",
        "the path of a new folder",
    ),
    "no form": (
        lambda: post().save("kept", format=None),  # type: ignore[arg-type]
        "format is None",
        '"csv" or "npy"',
    ),
    "sensitivity in words": (
        lambda: pn.infer(release(), sensitivity="no"),  # type: ignore[arg-type]
        "sensitivity is a str",
        "give True or False",
    ),
    "no engine": (
        lambda: pn.infer(release(), engine=None),  # type: ignore[arg-type]
        "engine is None",
        '"auto"',
    ),
    "no mechanism": (
        lambda: pn.plan(study(), epsilon="1", n=100, mechanism=7),  # type: ignore[arg-type]
        "mechanism is a int",
        '"laplace"',
    ),
    "no engine to calibrate": (
        lambda: pn.calibrate(study(), epsilon="1", n=10, engine=7),  # type: ignore[arg-type]
        "engine is a int",
        '"auto"',
    ),
    "no name of a draft": (
        lambda: pn.init(FRAME, name=7),  # type: ignore[arg-type]
        "name is a int",
        "the name of the study",
    ),
    "no file": (
        lambda: release().save(None),  # type: ignore[arg-type]
        "path is None",
        "the path of a file",
    ),
    "no text": (
        lambda: pn.Study.parse(FRAME),
        "text is a table of records",
        "the TOML of a study",
    ),
    "no name of a file": (lambda: pn.Study.load("a\0b"), "study is no path", "give a Study"),
    "series": (
        lambda: pn.release(FRAME["age"], study(), ledger=LEDGER, epsilon="1"),
        "data is a Series, which is one column",
        "give a frame",
    ),
}


@pytest.mark.parametrize("case", SWAPPED)
def test_what_was_given_is_named(desk: Path, case: str) -> None:
    call, found, wanted = SWAPPED[case]
    before = pn.Ledger.open(LEDGER).balance()
    with pytest.raises(pn.Error) as error:
        call()
    assert error.value.code == "wrong-type"
    assert found in error.value.message
    assert wanted in error.value.message
    assert "canary" not in error.value.message
    assert pn.Ledger.open(LEDGER).balance() == before
    assert not Path("kept").exists()


@pytest.mark.parametrize(
    "column",
    [FRAME["smoker"], polars.Series("smoker", ["no"]), pyarrow.chunked_array([["no"]])],
    ids=["pandas", "polars", "pyarrow"],
)
def test_one_column_is_no_table(desk: Path, column: Any) -> None:
    for call in (
        lambda: pn.init(column),
        lambda: pn.check(column, "study.toml"),
        lambda: pn.release(column, "study.toml", ledger=LEDGER, epsilon="1"),
    ):
        with pytest.raises(pn.Error, match="which is one column; give a frame") as error:
            call()
        assert error.value.code == "wrong-type"
    assert pn.Ledger.open(LEDGER).balance().charges == 1


@pytest.mark.parametrize(
    "p", ["0.5", None, [[0.1]], ["0.1"], [None], 1.5, float("nan"), True, np.array(["a"])]
)
def test_what_is_no_probability(desk: Path, p: Any) -> None:
    with pytest.raises(pn.Error, match="is not a probability; give a number from 0 to 1") as error:
        post().quantile(p)
    assert error.value.code == "bad-option"


def test_probabilities_of_every_kind(desk: Path) -> None:
    posterior = post()
    halves: list[Any] = [Fraction(1, 2), np.float32(0.5), np.array(0.5)]
    for one in halves:
        assert posterior.quantile(one) == posterior.quantile(0.5)
    assert posterior.quantile((0, 1)).probabilities == (0, 1)


def test_flags_of_numpy_are_flags(desk: Path) -> None:
    assert pn.infer(release(), draws=20, sensitivity=np.bool_(True)).sensitivity  # type: ignore[arg-type]
