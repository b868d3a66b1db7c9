"""Plans and calibration: no data, no charge."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import postern as pn
import pytest
from postern._tables import text_table

from tests.python.desk import bernoulli, code_of


def test_the_same_plan_as_the_program(desk: Path, program: Callable[..., str]) -> None:
    report = json.loads(
        program("plan", "--json", "study.toml", "--epsilon", "1", "--n", "500", "--simulations", "20")
    )
    plan = pn.plan("study.toml", epsilon="1", n=500, simulations=20)
    assert [vars(row) | {"quantity": row.label} for row in plan.widths] == [
        row | {"label": row["quantity"]} for row in report["width_90"]
    ]
    assert [block.sd for block in plan.blocks] == [block["sd"] for block in report["blocks"]]
    assert [block.sd_in for block in plan.blocks] == ["records"]
    assert [block["in"] for block in report["blocks"]] == ["records"]
    assert [block.statistic for block in plan.blocks] == [block["statistic"] for block in report["blocks"]]
    assert (plan.cost, plan.unit, plan.mechanism) == (Decimal(1), "epsilon", report["mechanism"])
    assert (plan.memory_bytes, plan.close_to_prior) == (report["memory_bytes"], report["close_to_prior"])
    assert "table of smoker x cancer" in repr(plan)
    assert "quartiles of 20 studies simulated from the planning law: one record a cell" in repr(plan)


def test_a_plan_without_n_says_so(desk: Path) -> None:
    plan = pn.plan("study.toml", epsilon="1")
    assert (plan.widths, plan.seconds, plan.simulations) == ((), None, 0)
    assert any("give n" in note for note in plan.notes)
    assert "note: give n" in repr(plan)


def many_levels(levels: int) -> str:
    categories = ", ".join(f'"c{i}"' for i in range(levels))
    declared = bernoulli("add-remove").replace('"no", "yes"', categories).replace('"no"', '"c0"')
    model = 'family = "categorical"\ncolumns = ["smoker"]\nprior = { dirichlet = 1 }\n'
    return declared.split('family = "bernoulli"')[0] + model


def test_a_plan_has_every_quantity_and_shows_some(desk: Path, program: Callable[..., str]) -> None:
    Path("many.toml").write_text(many_levels(40))
    call = ("plan", "many.toml", "--epsilon", "1", "--n", "500", "--simulations", "3")
    plan = pn.plan("many.toml", epsilon="1", n=500, simulations=3)
    told = json.loads(program(*call, "--json"))["width_90"]
    assert [row.label for row in plan.widths] == [row["quantity"] for row in told]
    assert len(plan.widths) == 41
    for text, rest in ((program(*call), "with --json"), (repr(plan), "in widths")):
        assert "P(smoker = c28)" in text
        assert "P(smoker = c29)" not in text
        assert "number of records" in text
        assert f"... and 11 more rows, {rest}" in text


def test_a_plan_for_an_assumed_truth(desk: Path, program: Callable[..., str]) -> None:
    told: dict[str, float | Decimal] = {"P(smoker = yes)": 0.3}
    told["P(smoker = no, cancer = yes)"] = Decimal("0.02")
    plan = pn.plan("study.toml", epsilon="1", n=500, at=told, simulations=5)
    assert plan.at == "P(smoker = yes) 0.3, P(smoker = no, cancer = yes) 0.02"
    assert f"5 studies simulated at {plan.at}" in repr(plan)
    call = ("plan", "study.toml", "--epsilon", "1", "--n", "500", "--at", plan.at, "--simulations", "5")
    report = json.loads(program(*call, "--json"))
    assert report["at"] == plan.at
    assert [row["median"] for row in report["width_90"]] == [row.median for row in plan.widths]
    assert pn.plan("study.toml", epsilon="1", n=500, at=plan.at, simulations=5).widths == plan.widths
    rare = plan.widths[1]  # P(smoker = no, cancer = yes), which the prior puts at a quarter
    assert rare.label == "P(smoker = no, cancer = yes)"
    assert rare.median < pn.plan("study.toml", epsilon="1", n=500, simulations=5).widths[1].median


@pytest.mark.parametrize(
    ("at", "code", "said"),
    [
        ({"P(smoker = maybe)": 0.3}, "bad-option", "maybe"),
        ({"P(smoker = yes)": "much"}, "wrong-type", "no number"),
        ({"P(smoker = yes)": 1.3}, "bad-option", "from 0 to 1"),
        ("P(smoker = yes)", "bad-option", "write what you assume like"),
        (0.3, "wrong-type", "mapping"),
    ],
)
def test_a_truth_that_is_none(desk: Path, at: object, code: str, said: str) -> None:
    with pytest.raises(pn.Error, match=said) as error:
        pn.plan("study.toml", epsilon="1", n=500, at=at)  # type: ignore[arg-type]
    assert code_of(error) == code


def test_a_plan_has_as_many_studies_as_its_time_allows(desk: Path) -> None:
    """No time at all is the one time that every machine agrees on."""
    plan = pn.plan("study.toml", epsilon="1", n=500, seconds=0)
    assert plan.simulations == 3
    assert any("only 3 were simulated" in note for note in plan.notes)
    assert pn.plan("study.toml", epsilon="1", n=500, seconds=0, simulations=2).simulations == 2
    for wrong in (-1, float("nan"), "ten"):
        with pytest.raises(pn.Error) as error:
            pn.plan("study.toml", epsilon="1", n=500, seconds=wrong)  # type: ignore[arg-type]
        assert code_of(error) == "bad-option"


def test_a_plan_that_would_say_little() -> None:
    study = pn.Study.parse(bernoulli())
    plan = pn.plan(study, epsilon="0.001", n=10, simulations=5)
    assert plan.close_to_prior
    assert any("close to the prior" in note for note in plan.notes)
    assert plan.blocks[0].statistic == "count of smoker = yes"


def test_a_plan_past_n(desk: Path) -> None:
    with pytest.raises(pn.Error) as error:
        pn.plan(pn.Study.parse(bernoulli("add-remove")), epsilon="1", n=2001)
    assert code_of(error) == "bad-option"


def test_tables_have_words_to_the_left_and_numbers_to_the_right() -> None:
    table = text_table(
        ["block", "cells", "noise", "sd", "in"],
        [["sum", "1", "laplace", "12.5", "steps of 0.01"], ["count", "10", "-", "-", ""]],
    )
    assert table.splitlines() == [
        "block  cells  noise      sd  in",
        "sum        1  laplace  12.5  steps of 0.01",
        "count     10  -           -",
    ]


def test_the_exact_engine_is_calibrated_and_the_naive_one_is_not(desk: Path) -> None:
    """n = 1000 studies, alpha = 1e-6 (KS limit 2.70 / sqrt(1000)), seed 1."""
    study = pn.Study.parse(bernoulli())
    exact = pn.calibrate(study, epsilon="0.1", n=100, seed=1)
    assert exact.passed
    assert exact.ks_limit == pytest.approx(2.70 / np.sqrt(1000))
    naive = pn.calibrate(study, epsilon="0.1", n=100, engine="naive", seed=1)
    assert not naive.passed
    assert naive.quantities[0].coverage_90 < exact.quantities[0].coverage_90
    assert "NOT calibrated" in repr(naive)
    assert naive.verdict.startswith("Not calibrated")


def test_calibrated_says_what_so_many_studies_could_see(desk: Path, program: Callable[..., str]) -> None:
    result = pn.calibrate("study.toml", epsilon="1", n=100, studies=300, draws=19)
    assert "as far as 300 studies can see" in result.verdict
    assert "every 90 % interval held at least 75 % of the truths" in result.verdict
    assert result.verdict in repr(result)
    call = ("calibrate", "study.toml", "--epsilon", "1", "--n", "100", "--studies", "300", "--draws", "19")
    report = json.loads(program(*call, "--json"))
    assert (report["verdict"], report["alpha"]) == (result.verdict, result.alpha)
    assert result.verdict in " ".join(program(*call).split())


def test_a_verdict_on_ranks_says_what_so_many_studies_could_see(desk: Path) -> None:
    result = pn.calibrate(pn.Study.parse(bernoulli()), epsilon="1", n=100, studies=300, draws=19)
    assert "KS distance of 0.16 or more" in result.verdict


def test_cells_that_are_not_ranked_are_named() -> None:
    result = pn.calibrate(pn.Study.parse(many_levels(50)), epsilon="1", studies=20, draws=9)
    assert len(result.quantities) == 45  # n is the last
    assert result.notes == ("of 50 parameters the first 44 were ranked",)
    assert "note: of 50 parameters" in repr(result)


def test_a_private_n_is_drawn_not_given() -> None:
    with pytest.raises(pn.Error) as error:
        pn.calibrate(pn.Study.parse(bernoulli("add-remove")), epsilon="1", n=5)
    assert code_of(error) == "bad-option"


def test_ranks_outlive_their_calibration() -> None:
    study = pn.Study.parse(bernoulli("add-remove"))
    result = pn.calibrate(study, epsilon="1", studies=50, draws=19, threads=1)
    assert [quantity.name for quantity in result.quantities] == ["theta", "n"]
    assert [quantity.label for quantity in result.quantities][1] == "number of records"
    assert "number of records" in repr(result)
    ranks = result.quantities[1].ranks
    kept = ranks.copy()
    del result
    gc.collect()
    assert np.array_equal(ranks, kept)
    again = pn.calibrate(study, epsilon="1", studies=50, draws=19, threads=2)
    assert np.array_equal(again.quantities[1].ranks, kept)
