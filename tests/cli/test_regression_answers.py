"""Linear regression through the program: the analyst's side, on records that are hard on it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.desk import Desk, draws, study_text

NUMBER = 'real = [-1, 1]\ngrid = "0.001"\nmissing = "0"\n'
COLUMNS = "".join(f"[columns.{name}]\n{NUMBER}" for name in ("x", "z", "y"))
MODEL = '[model]\nkind = "linear-regression"\ntarget = "y"\n'
Row = tuple[object, object, object]


def rows(count: int, make: Callable[[random.Random], Row]) -> str:
    rng = random.Random(5)
    return "x,z,y\n" + "".join(",".join(str(v) for v in make(rng)) + "\n" for _ in range(count))


def infer(desk: Desk, records: str, epsilon: str, adjacency: str = "replace-one", *more: str) -> Any:
    desk.write("study.toml", study_text(MODEL, adjacency, "pure", COLUMNS))
    desk.write("survey.csv", records)
    desk.ok("ledger", "init", "study.toml", "--budget", "1000", "-o", "survey.ledger")
    assert desk.release(amount=("--epsilon", epsilon)).code == 0
    return desk.ok("infer", "out.json", "-o", "post", "--json", *more).json


def names(answer: Any) -> list[str]:
    return [warning["name"] for warning in answer["warnings"]]


def summary(answer: Any, name: str) -> Any:
    return next(one for one in answer["summary"] if one["name"] == name)


HARD: dict[str, str] = {
    "collinear columns": rows(500, lambda r: ((x := round(r.uniform(-1, 1), 3)), x, round(0.3 * x, 4))),
    "constant target": rows(500, lambda r: (round(r.uniform(-1, 1), 3), round(r.uniform(-1, 1), 3), 0.5)),
    "fewer records than coefficients": "x,z,y\n0.1,0.2,0.3\n",
    "bounds that no record meets": rows(500, lambda _: (7, -8, 9)),
    "no numbers": rows(500, lambda r: (r.choice(["nan", "inf", "-inf", "", "?"]), "nan", "inf")),
}


@draws(80, 250)
@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize("epsilon", ["1", "20"])
@pytest.mark.parametrize("records", HARD.values(), ids=HARD.keys())
def test_hard_records_have_an_honest_answer(
    desk: Desk, records: str, epsilon: str, adjacency: str, draws: str
) -> None:
    """Numbers everywhere; where noise does not hide what they are, a warning not to rely on them."""
    answer = infer(desk, records, epsilon, adjacency, "--draws", draws)
    for one in answer["summary"]:
        assert all(math.isfinite(one[key]) for key in ("mean", "sd", "q05", "q50", "q95")), one
    if epsilon == "20":
        assert {"prior-outweighs-data", "target-clamped"} & set(names(answer)), answer["warnings"]


def test_collinear_slopes_are_known_by_their_sum_alone(desk: Desk) -> None:
    answer = infer(desk, HARD["collinear columns"], "500")
    slopes = [summary(answer, name) for name in ("beta.2", "beta.3")]
    assert sum(one["mean"] for one in slopes) == pytest.approx(0.3, abs=0.02)
    assert all(one["sd"] > 0.01 for one in slopes)


def test_small_residuals_are_told_from_the_prior(desk: Desk) -> None:
    def line(sd: float) -> Callable[[random.Random], Row]:
        return lambda r: ((x := round(r.uniform(-1, 1), 3)), 0, round(0.3 * x + r.gauss(0, sd), 4))

    answer = infer(desk, rows(5000, line(0.02)), "2")
    assert "prior-outweighs-data" in names(answer)
    assert any("smaller `rate`" in warning["text"] for warning in answer["warnings"])
    for name in ("survey.ledger", "survey.ledger.key", "out.json"):
        desk.path(name).unlink()
    assert "prior-outweighs-data" not in names(
        infer(desk, rows(5000, line(0.2)), "2", "replace-one", "--force")
    )


def test_features_beyond_their_bounds_are_told(desk: Desk) -> None:
    infer(desk, rows(500, lambda r: (0.1, 0.2, 0.3)), "1")
    desk.write("new.csv", "x,z,y\n7,0,0\n0.5,0,0\n")
    answer = desk.ok("predict", "post", "new.csv", "--json").json
    told = [warning for warning in answer["warnings"] if warning["name"] == "rows-clamped"]
    assert len(told) == 1
    assert "1 of 2 rows hold in column x" in told[0]["text"]


def test_a_private_n_is_told_as_it_is_taken(desk: Desk) -> None:
    answer = infer(desk, rows(50, lambda r: (0.1, 0.2, 0.3)), "1", "add-remove")
    assert "n is private: uniform prior on 4..3000" in answer["notes"]


def noisy_line(rng: random.Random) -> Row:
    x, z = round(rng.uniform(-1, 1), 3), round(rng.uniform(-1, 1), 3)
    return x, z, round(0.3 * x - 0.2 * z + rng.gauss(0, 0.15), 4)


def test_public_rows_count_as_records_without_noise(desk: Desk) -> None:
    alone = infer(desk, rows(20, noisy_line), "1")
    desk.write("public.csv", rows(3000, noisy_line) + "0.5,,0.1\n")
    desk.write("none.csv", "x,z,y\n0.5,,0.1\n")
    both = desk.ok("infer", "out.json", "-o", "both", "--json", "--public", "public.csv").json
    assert "public-rows-left-out" in names(both)
    assert summary(both, "beta.2")["mean"] == pytest.approx(0.3, abs=0.03)  # six deviations of 3000 rows
    assert summary(both, "beta.2")["sd"] < 0.1 * summary(alone, "beta.2")["sd"]
    desk.write("new.csv", "x,z,y\n0.5,0.5,0.05\n")
    assert desk.ok("predict", "both", "new.csv", "--json").json["rows"] == 1
    refused = desk.run("infer", "out.json", "--public", "none.csv")
    assert refused.error == "bad-option", refused


def test_releases_of_one_record_set_are_combined_and_of_several_are_not(desk: Desk) -> None:
    infer(desk, rows(2000, noisy_line), "100")
    assert desk.release(amount=("--epsilon", "1"), output="rough.json").code == 0
    fine, rough = (desk.ok("infer", name, "--json").json for name in ("out.json", "rough.json"))
    both = desk.ok("infer", "rough.json", "out.json", "--json").json
    sd = {
        which: summary(answer, "beta.2")["sd"]
        for which, answer in (("fine", fine), ("rough", rough), ("both", both))
    }
    assert sd["both"] < 1.1 * sd["fine"] < sd["rough"]
    desk.write("other.toml", study_text(MODEL, "replace-one", "pure", COLUMNS, dataset="another"))
    desk.ok("ledger", "init", "other.toml", "--budget", "10", "-o", "other.ledger")
    assert desk.release(study="other.toml", ledger="other.ledger", output="other.json").code == 0
    refused = desk.run("infer", "out.json", "other.json")
    assert refused.error == "unsupported", refused
    assert "infer from each dataset alone" in refused.err


def test_queries_are_about_coefficients(desk: Desk) -> None:
    questions = ('P("slope of x" > 0)', "beta.2 + beta.3", "P(beta.3 > 0)")
    options = [word for question in questions for word in ("--query", question)]
    answer = infer(desk, rows(2000, noisy_line), "100", "replace-one", *options)
    positive, together, other = (summary(answer, f"query.{k}") for k in (1, 2, 3))
    assert (positive["mean"], other["mean"]) == pytest.approx((1, 0))
    assert together["mean"] == pytest.approx(0.1, abs=0.06)
    refused = desk.run("infer", "out.json", "--query", 'P("slope of w" > 0)')
    assert refused.error == "bad-option", refused
    assert "slope of x" in refused.err


def test_clamped_targets_are_told(desk: Desk) -> None:
    def line(sd: float) -> Callable[[random.Random], Row]:
        return lambda r: (round(r.uniform(-1, 1), 3), 0, round(0.1 + r.gauss(0, sd), 4))

    assert "target-clamped" in names(infer(desk, rows(5000, line(0.5)), "20"))
    for name in ("survey.ledger", "survey.ledger.key", "out.json"):
        desk.path(name).unlink()
    assert "target-clamped" not in names(infer(desk, rows(5000, line(0.25)), "20", "replace-one", "--force"))


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
def test_calibrate_finishes_and_passes(desk: Desk, adjacency: str) -> None:
    """Seeded: 100 studies see ranks that are off by 0.27."""
    desk.write("study.toml", study_text(MODEL, adjacency, "pure", COLUMNS, at_most=600))
    n = ["--n", "500"] if adjacency == "replace-one" else []
    answer = desk.ok("calibrate", "study.toml", "--epsilon", "5", "--studies", "100", *n, "--json").json
    assert all(one["calibrated"] for one in answer["quantities"]), answer
