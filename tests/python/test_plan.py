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
    assert "20 simulated studies" in repr(plan)


def test_a_plan_without_n_says_so(desk: Path) -> None:
    plan = pn.plan("study.toml", epsilon="1")
    assert (plan.widths, plan.seconds, plan.simulations) == ((), None, 0)
    assert any("give n" in note for note in plan.notes)
    assert "note: give n" in repr(plan)


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
