"""What `infer` tells beside its answer: stable names, in text, in JSON and in files."""

from __future__ import annotations

import json

import pytest

from tests.cli.desk import BERNOULLI, CATEGORICAL, Desk, study_text

POISSON = """
[model]
kind = "family"
family = "poisson"
column = "age"
prior = { gamma = [1, 1] }
"""
AGES = '\n[columns.age]\ninteger = [0, 20]\nmissing = "0"\noutside = "clamp"\n'


def released(desk: Desk, study: str, records: str, epsilon: str = "1") -> None:
    desk.write("study.toml", study)
    desk.write("survey.csv", records)
    desk.ok("ledger", "init", "study.toml", "--budget", "100", "-o", "survey.ledger")
    assert desk.release(amount=("--epsilon", epsilon)).code == 0


def names(desk: Desk, *arguments: str) -> list[str]:
    return [one["name"] for one in desk.ok("infer", "out.json", "--json", *arguments).json["warnings"]]


SMOKERS = "smoker,age,cancer\n" + "no,30,no\n" * 700 + "yes,30,no\n" * 300


@pytest.mark.parametrize(("at_most", "expected"), [(40, ["n-above-bound"]), (10**6, [])])
def test_a_bound_below_the_number_of_records(desk: Desk, at_most: int, expected: list[str]) -> None:
    released(desk, study_text(adjacency="add-remove", at_most=at_most), SMOKERS)
    assert names(desk) == expected
    text = " ".join(desk.ok("infer", "out.json", "-o", "post").out.split())
    assert ("warning [n-above-bound]: " in text) == bool(expected)
    assert ("at_most = N" in text) == bool(expected)
    saved = json.loads(desk.path("post/posterior.json").read_text())
    assert [one["name"] for one in saved["warnings"]] == expected


def test_a_bound_below_the_number_of_numbers(desk: Desk) -> None:
    study = study_text(model=POISSON, adjacency="add-remove", at_most=40, columns=AGES)
    released(desk, study, "age\n" + "2\n" * 1000)
    assert names(desk) == ["n-above-bound"]


def test_prior_and_noise_in_proportion(desk: Desk) -> None:
    columns = '\n[columns.smoker]\ninteger = [0, 99]\nmissing = "0"\noutside = "clamp"\n'
    columns += columns.replace("smoker", "cancer")
    released(desk, study_text(model=CATEGORICAL, columns=columns), "smoker,cancer\n" + "1,2\n" * 500)
    told = desk.ok("infer", "out.json", "--json", "--draws", "10").json["warnings"]
    expected = ["prior-outweighs-data", "noise-outweighs-counts", "noise-implausible"]
    assert [one["name"] for one in told] == expected
    assert "(--prior learned)" in told[-1]["text"]
    assert names(desk, "--draws", "10", "--prior", "dirichlet 0.001") == ["noise-outweighs-counts"]
    plan = ("plan", "study.toml", "--epsilon", "1", "--simulations", "1", "--n")
    planned = desk.ok(*plan, "500", "--json").json["warnings"]
    assert [one["name"] for one in planned] == ["prior-outweighs-data", "noise-outweighs-counts"]
    assert desk.ok(*plan, "1000000", "--json").json["warnings"] == []
    assert "warning [prior-outweighs-data]: " in desk.ok(*plan, "500").out


def test_sensitivity_is_the_answer_under_other_priors(desk: Desk) -> None:
    released(desk, study_text(model=BERNOULLI), SMOKERS)
    asked = desk.ok("infer", "out.json", "--prior", "beta 20 20", "--sensitivity", "--json", "-o", "p").json
    assert [one["prior_times"] for one in asked["sensitivity"]] == [0.5, 2]
    for one, prior in zip(asked["sensitivity"], ("beta 10 10", "beta 40 40"), strict=True):
        assert one["summary"] == desk.ok("infer", "out.json", "--prior", prior, "--json").json["summary"]
    half, twice = (one["summary"][0]["mean"] for one in asked["sensitivity"])
    assert half < asked["summary"][0]["mean"] < twice < 0.5
    assert desk.path("p/sensitivity.csv").read_text().count("\n") == 3
    text = desk.ok("infer", "out.json", "--sensitivity").out
    assert "half: mean" in text
    assert "sensitivity" not in desk.ok("infer", "out.json", "--json").json


def test_public_rows_that_the_study_does_not_declare(desk: Desk) -> None:
    released(desk, study_text(model=BERNOULLI), SMOKERS)
    desk.write("public.csv", "smoker\n" + "no\n" * 5 + "Yes\n" * 3 + "maybe\n" + "\n")
    told = desk.ok("infer", "out.json", "--public", "public.csv", "--json").json["warnings"]
    assert [one["name"] for one in told] == ["public-rows-undeclared"]
    for part in ("4 of 10", "'Yes' (3)", "'maybe' (1)", "count as 'no'"):
        assert part in told[0]["text"]
    desk.write("public.csv", "smoker\nno\nyes\n")
    assert names(desk, "--public", "public.csv") == []
    desk.write("public.csv", "smoker\nYes\nNo\n")
    refused = desk.run("infer", "out.json", "--public", "public.csv")
    assert refused.error == "bad-option"
    assert "'Yes' (1)" in refused.err


def test_texts_of_a_hostile_study_do_not_command_the_terminal(desk: Desk) -> None:
    columns = '\n[columns.smoker]\ncategories = ["no", "\\u001b]0;owned\\u0007\\u202e"]\nmissing = "no"\n'
    model = BERNOULLI.replace('success = "yes"\n', "")
    released(desk, study_text(model=model, columns=columns), "smoker\n" + "no\n" * 50)
    everything = desk.ok("infer", "out.json", "-o", "post").out + desk.ok("verify", "out.json").out
    assert desk.path("post/release_1.json").read_bytes() == desk.path("out.json").read_bytes()  # a document
    desk.path("post/release_1.json").unlink()
    everything += "".join(path.read_text() for path in desk.path("post").iterdir())
    everything += desk.ok("plan", "study.toml", "--epsilon", "1", "--n", "50").out
    everything += desk.ok("infer", "out.json", "--json").out
    planned = desk.ok("plan", "study.toml", "--epsilon", "1", "--n", "50", "--json")
    assert "\u202e" in planned.json["width_90"][0]["quantity"]  # JSON is for programs: nothing is lost
    everything += planned.out
    assert not [c for c in everything if c != "\n" and not c.isprintable()]
    assert "\\u001b]0;owned\\u0007\\u202e" in everything


@pytest.mark.parametrize(("name", "word"), [("study.toml", "a study"), ("survey.csv", "a table of records")])
def test_what_was_given_instead_of_a_release_is_named(desk: Desk, name: str, word: str) -> None:
    released(desk, study_text(model=BERNOULLI), SMOKERS)
    refused = desk.run("infer", name)
    assert refused.error == "release-malformed"
    assert word in refused.err
    assert "`postern release`" in refused.err
