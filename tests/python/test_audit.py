"""Audits from Python: the program's, of made-up records."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import postern as pn
import pytest

from tests.python.desk import bernoulli, code_of

FEW = pytest.mark.filterwarnings("ignore:.* runs may miss")


@FEW
def test_the_same_pairs_and_claims_as_the_program(desk: Path, program: Callable[..., str]) -> None:
    report = json.loads(program("audit", "study.toml", "--epsilon", "1", "--runs", "200", "--json"))
    result = pn.audit("study.toml", epsilon="1", runs=200)
    assert [pair.neighbours for pair in result.pairs] == [pair["neighbours"] for pair in report["pairs"]]
    assert {pair.claim for pair in result.pairs} == {pair["claim"] for pair in report["pairs"]} == {1}
    assert (result.passed, result.runs, result.alpha) == (True, 200, report["alpha"])
    assert "not contradicted" in repr(result)
    assert pickle.loads(pickle.dumps(result)) == result


@FEW
def test_gaussian_noise_has_a_limit_of_its_own() -> None:
    result = pn.audit(pn.Study.parse(bernoulli(currency="zcdp")), rho="0.5", runs=200)
    assert all(pair.loss == "rho" and pair.limit > pair.claim for pair in result.pairs)
    assert any("falls in steps" in note for note in result.notes)


def test_few_runs_are_warned_of(desk: Path) -> None:
    with pytest.warns(UserWarning, match="200 runs may miss even halved noise"):
        pn.audit("study.toml", epsilon="1", runs=200)


def test_data_and_nonsense_are_refused(desk: Path) -> None:
    for study, runs, code in (("survey.csv", 200, "usage"), ("study.toml", 99, "bad-option")):
        with pytest.raises(pn.Error) as error:
            pn.audit(study, epsilon="1", runs=runs)
        assert code_of(error) == code


def test_a_network_that_is_chosen_is_followed_through_all_rounds(tmp_path: Path) -> None:
    """No warning of few runs, and rows that are computed, next to the whole charge and not past it."""
    column = '[columns.{}]\ncategories = ["no", "yes"]\nmissing = "no"\n'
    text = bernoulli(currency="zcdp").split("[columns")[0] + "".join(column.format(name) for name in "abc")
    (tmp_path / "columns.toml").write_text(text)
    for result in (
        pn.audit(tmp_path / "columns.toml", rho="1", runs=100, select="tree"),
        pn.audit(pn.Study.parse(text, select="tree"), rho="1", runs=100),
    ):
        whole = [pair for pair in result.pairs if pair.neighbours.endswith(": laws of all rounds")]
        assert all(pair.computed and 0.8 < pair.bound <= pair.limit for pair in whole)
        assert len(result.pairs) == 3 * len(whole) > 0
        assert any(note.startswith("rows of laws are computed") for note in result.notes)
    found = pn.calibrate(tmp_path / "columns.toml", rho="1", n=100, studies=20, select="tree")
    assert [q.name for q in found.quantities] == ["pair", "first.1", "first.2", "first.3"]
