"""What a release would be worth: all quantities, an assumed truth, and no more time than allowed."""

from __future__ import annotations

import pytest

from tests.cli.desk import CATEGORICAL, Desk, study_text

AGES = '[columns.age]\nreal = ["17", "90"]\ngrid = "1"\nmissing = "17"\n'
NORMAL = '[model]\nkind = "family"\nfamily = "normal"\ncolumn = "age"\nprior = '
SHARP = "{ normal-inverse-gamma = [40, 2, 4, 600] }\n"
VAGUE = '{ normal-inverse-gamma = [0, "0.01", "0.1", "0.1"] }\n'
TERMS = ("study.toml", "--epsilon", "1")


def test_json_has_every_quantity_and_text_says_where_the_rest_is(desk: Desk) -> None:
    columns = '[columns.place]\ninteger = [1, 50]\nmissing = "1"\n'
    model = '[model]\nkind = "family"\nfamily = "categorical"\ncolumn = "place"\n'
    desk.write("study.toml", study_text(columns=columns, model=model))
    call = ("plan", *TERMS, "--n", "100", "--simulations", "3")
    assert [row["quantity"] for row in desk.ok(*call, "--json").json["width_90"]] == [
        f"P(place = {i})" for i in range(1, 51)
    ]
    text = desk.ok(*call).out
    assert "P(place = 30)" in text
    assert "P(place = 31)" not in text
    assert "... and 20 more rows, with --json" in text


def test_a_truth_is_planned_for(desk: Desk) -> None:
    """Under a prior that allows anything the widths say nothing; at the parameters one expects they do."""
    desk.write("study.toml", study_text(columns=AGES, model=NORMAL + VAGUE))
    call = ("plan", *TERMS, "--n", "400", "--simulations", "4")
    told = desk.ok(*call, "--at", "mean 38, variance 180", "--json").json
    assert told["at"] == "mean 38, variance 180"
    mean = told["width_90"][0]
    noiseless = 2 * 1.645 * (180 / 400) ** 0.5
    assert mean["without_noise"] == pytest.approx(noiseless, rel=0.25)
    assert noiseless / 2 < mean["q25"] <= mean["median"] <= mean["q75"] < 3 * noiseless
    assert (
        "4 studies simulated at mean 38, variance 180" in desk.ok(*call, "--at", "mean 38, variance 180").out
    )


def test_a_vague_prior_is_named(desk: Desk) -> None:
    columns = '[columns.wait]\nreal = ["0", "100"]\ngrid = "0.5"\nmissing = "0"\n'
    model = '[model]\nkind = "family"\nfamily = "exponential"\ncolumn = "wait"\nprior = '
    desk.write("study.toml", study_text(columns=columns, model=model + '{ gamma = ["0.1", "0.1"] }\n'))
    call = ("plan", *TERMS, "--n", "1000", "--simulations", "9", "--json")
    assert any("--at plans for the parameters" in note for note in desk.ok(*call).json["notes"])
    desk.write("study.toml", study_text(columns=columns, model=model + "{ gamma = [20, 40] }\n"))
    assert not any("--at" in note for note in desk.ok(*call).json["notes"])


def test_a_prior_beyond_the_column_is_named(desk: Desk) -> None:
    """Where hardly a record is what the column was declared for, the widths are of no use."""
    desk.write("study.toml", study_text(columns=AGES, model=NORMAL + VAGUE))
    report = desk.ok("plan", *TERMS, "--n", "20", "--simulations", "5", "--json").json
    assert report["outside"] > 0.9
    assert any("outside of the declared range; --at plans" in note for note in report["notes"])


@pytest.mark.parametrize(
    ("model", "truth", "said"),
    [
        (NORMAL + SHARP, "mean 38", "says nothing of 'variance'"),
        (NORMAL + SHARP, "mean=38", 'like "mean 1, variance 1"'),
        (NORMAL + SHARP, "mean 38, sd 13", "it has mean, variance"),
        (CATEGORICAL, "P(smoker = perhaps) 0.3", "perhaps"),
        (CATEGORICAL, "P(smoker = yes | cancer = no) 0.3", "conditional"),
        (CATEGORICAL, "P(smoker = yes) 0.3, P(cancer = yes) 0.1", "disjoint"),
    ],
)
def test_a_truth_that_is_none_is_refused(desk: Desk, model: str, truth: str, said: str) -> None:
    desk.write("study.toml", study_text(model, columns=AGES) if model != CATEGORICAL else study_text(model))
    found = desk.run("plan", *TERMS, "--n", "100", "--at", truth)
    desk.refused(found, "bad-option", 64)
    assert said in " ".join(found.err.split())


def test_time_bounds_the_studies(desk: Desk) -> None:
    """No time at all is the one time that every machine agrees on."""
    desk.write_study()
    report = desk.ok("plan", *TERMS, "--n", "100", "--seconds", "0", "--json").json
    assert report["simulations"] == 3
    assert any("only 3 studies were simulated" in note for note in report["notes"])
    text = desk.ok("plan", *TERMS, "--n", "100", "--seconds", "0", "--simulations", "2").out
    assert "quartiles of 2 studies simulated from the prior" in text


def test_the_law_of_made_up_truths_is_named(desk: Desk) -> None:
    """Where the prior is learned truths come from the planning law, and ranks need not be even."""
    learned = CATEGORICAL.replace("{ dirichlet = 1 }", '"learned"')
    desk.write("study.toml", study_text(model=learned))
    law = "the planning law: one record a cell, spread evenly"
    plan = ("plan", *TERMS, "--n", "200", "--simulations", "2")
    assert desk.ok(*plan, "--json").json["truths"] == law
    assert f"simulated from {law}" in desk.ok(*plan).out
    call = ("calibrate", *TERMS, "--n", "200", "--studies", "20")
    found = desk.ok(*call, "--json").json
    assert (found["truths"], found["cut"], found["ranks_are_even"]) == (law, ["centres"], False)
    assert any("ranks need not be uniform" in note for note in found["notes"])
    assert any("taken from coarse facts alone: centres" in note for note in found["notes"])
    assert "ranks need not be even" in desk.ok(*call).out
    desk.write("study.toml", study_text(model=CATEGORICAL))
    found = desk.ok(*call, "--json").json
    assert (found["truths"], found["cut"], found["ranks_are_even"]) == ("the prior", [], True)
