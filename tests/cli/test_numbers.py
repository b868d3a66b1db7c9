"""Families of numbers and private quantiles through the program, from study to posterior."""

from __future__ import annotations

import math
import random

import pytest

from tests.cli.desk import Desk, draws, study_text

VISITS = """
[columns.visits]
integer = [0, 20]
missing = "0"
"""
POISSON = """
[model]
kind = "family"
family = "poisson"
column = "visits"
prior = { gamma = [2, 1] }
"""
WEIGHT = """
[columns.weight]
real = ["-10", "10"]
grid = "0.01"
missing = "0"
"""
NORMAL = """
[model]
kind = "family"
family = "normal"
column = "weight"
prior = { normal-inverse-gamma = [0, 1, 3, 4] }
"""
BODIES = """
[columns.height]
real = ["-40", "40"]
grid = "0.5"
missing = "0"
[columns.weight]
real = ["-40", "60"]
grid = "0.5"
missing = "0"
"""
VECTORS = """
[model]
kind = "family"
family = "multivariate-normal"
columns = ["height", "weight"]
prior = { normal-inverse-wishart = { mean = [0, 0], weight = 1, degrees = "1.001", scale = [[9,0],[0,9]] } }
"""
FEW = 400
QUANTILES = """
[model]
kind = "quantiles"
column = "visits"
at = ["0.1", "0.9"]
"""


def poisson(rate: float, rng: random.Random) -> int:
    count, probability, left = 0, math.exp(-rate), rng.random()
    while left > probability:
        left -= probability
        count += 1
        probability *= rate / count
    return count


@pytest.fixture
def clinic(desk: Desk) -> Desk:
    rng = random.Random(7)
    desk.write("visits.csv", "visits\n" + "".join(f"{poisson(3.2, rng)}\n" for _ in range(2000)))
    # For chains on latent records, whose cost grows with n.
    desk.write("few.csv", "visits\n" + "".join(f"{poisson(3.2, rng)}\n" for _ in range(FEW)))
    desk.write("weights.csv", "weight\n" + "".join(f"{rng.gauss(1, 2):.3f}\n" for _ in range(500)))
    return desk


def publish(desk: Desk, study: str, data: str, *options: str) -> None:
    desk.write("study.toml", study)
    desk.ok("ledger", "init", "study.toml", "--budget", "100", "-o", "n.ledger")
    desk.ok("release", "study.toml", data, *options, "--ledger", "n.ledger", "-o", "n.release.json")
    desk.ok("verify", "n.release.json")


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
def test_a_poisson_rate_is_found_again(clinic: Desk, adjacency: str) -> None:
    publish(clinic, study_text(POISSON, adjacency, columns=VISITS), "visits.csv", "--epsilon", "20")
    found = clinic.ok("infer", "n.release.json", "--json").json
    assert found["engine"] == "exact"
    rate = next(row for row in found["summary"] if row["name"] == "lambda")
    assert rate["label"] == "mean of visits"
    assert rate["mean"] == pytest.approx(3.2, abs=0.25)
    assert 0.03 < rate["sd"] < 0.06
    names = [row["name"] for row in found["summary"]]
    assert names == (["lambda", "n"] if adjacency == "add-remove" else ["lambda"])


@draws(400, 1000)
@pytest.mark.parametrize("engine", ["exact", "augment", "naive"])
def test_engines_of_numbers_agree_when_there_is_little_noise(clinic: Desk, engine: str, draws: str) -> None:
    publish(clinic, study_text(POISSON, columns=VISITS), "visits.csv", "--epsilon", "20")
    terms = ("n.release.json", "--draws", draws, "--json")
    row = clinic.ok("infer", *terms, "--engine", engine).json["summary"][0]
    best = clinic.ok("infer", *terms).json["summary"][0]
    assert row["mean"] == pytest.approx(best["mean"], abs=0.01)
    assert row["sd"] == pytest.approx(best["sd"], rel=0.15)


def test_gibbs_is_for_two_parameters(clinic: Desk) -> None:
    publish(clinic, study_text(POISSON, columns=VISITS), "few.csv", "--epsilon", "20")
    refused = clinic.run("infer", "n.release.json", "--engine", "gibbs")
    assert refused.error == "engine-unsuitable"
    assert "take --engine auto, exact, augment or naive" in " ".join(refused.err.split())


@pytest.mark.parametrize("currency", ["pure", "zcdp"])
def test_mean_and_variance_of_a_normal(clinic: Desk, currency: str) -> None:
    budget = ("--epsilon", "20") if currency == "pure" else ("--rho", "20")
    publish(clinic, study_text(NORMAL, currency=currency, columns=WEIGHT), "weights.csv", *budget)
    rows = clinic.ok("infer", "n.release.json", "--json").json["summary"]
    assert [row["name"] for row in rows] == ["mu", "sigma2"]
    assert rows[0]["mean"] == pytest.approx(1, abs=0.6)
    assert rows[1]["mean"] == pytest.approx(4, abs=1.6)


@draws(200, 1000)
@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize("engine", ["auto", "augment", "naive"])
def test_a_rate_behind_two_datasets(clinic: Desk, adjacency: str, engine: str, draws: str) -> None:
    for place in ("north", "south"):
        clinic.write(f"{place}.toml", study_text(POISSON, adjacency, columns=VISITS, dataset=place))
        clinic.ok("ledger", "init", f"{place}.toml", "--budget", "100", "-o", f"{place}.ledger")
        terms = ("--epsilon", "20", "--ledger", f"{place}.ledger", "-o", f"{place}.release.json")
        clinic.ok("release", f"{place}.toml", "few.csv", *terms)
    both = ("north.release.json", "south.release.json")
    found = clinic.ok("infer", *both, "--engine", engine, "--draws", draws, "--json").json
    names = [row["name"] for row in found["summary"]]
    assert names == ["lambda"] + (["n.1", "n.2"] if adjacency == "add-remove" else [])
    assert found["summary"][0]["mean"] == pytest.approx(3.2, abs=0.3)
    # Twice the records of one dataset, of which sd is about 0.09.
    assert 0.05 < found["summary"][0]["sd"] < 0.08
    if engine == "auto":
        assert found["engine"] == "exact"


@draws(100, 500)
@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize("outside", ['"clamp"', '{ map-to = "0" }'])
def test_records_inside_are_counted(clinic: Desk, adjacency: str, outside: str, draws: str) -> None:
    visits = VISITS.replace("20]", "6]").replace("missing", f"outside = {outside}\nmissing")
    model = POISSON + "count_inside = true\n"
    publish(clinic, study_text(model, adjacency, columns=visits), "few.csv", "--epsilon", "20")
    checks = clinic.ok("verify", "n.release.json").out
    assert "number of records inside of visits" in " ".join(checks.split())
    assert "…" not in checks
    assert max(len(line) for line in checks.splitlines()) <= 96
    found = clinic.ok("infer", "n.release.json", "--draws", draws, "--json").json
    assert found["engine"] == "augment"
    assert found["summary"][0]["mean"] == pytest.approx(3.2, abs=0.3)
    assert clinic.run("infer", "n.release.json", "--engine", "exact").error == "engine-unsuitable"


@draws(100, 500)
@pytest.mark.parametrize("engine", ["auto", "augment"])
def test_dropped_records_are_no_records(clinic: Desk, engine: str, draws: str) -> None:
    visits = VISITS.replace("20]", "6]").replace("missing", 'outside = "drop"\nmissing')
    publish(clinic, study_text(POISSON, "add-remove", columns=visits), "few.csv", "--epsilon", "20")
    found = clinic.ok("infer", "n.release.json", "--engine", engine, "--draws", draws, "--json").json
    rate, n = found["summary"]
    # As if nothing had been dropped: the law is cut to the range, and n is that of the kept.
    assert rate["mean"] == pytest.approx(3.2, abs=0.3)
    kept = sum(int(line) <= 6 for line in clinic.path("few.csv").read_text().split()[1:])
    assert kept < FEW and n["mean"] == pytest.approx(kept, abs=10)


@pytest.mark.parametrize("change", ["count_inside = 1", 'outside = "drop"'])
def test_records_inside_that_cannot_be_counted(clinic: Desk, change: str) -> None:
    visits, model = VISITS, POISSON + "count_inside = true\n"
    if change.startswith("outside"):
        visits = visits.replace("missing", f"{change}\nmissing")
    else:
        model = POISSON + change + "\n"
    clinic.write("study.toml", study_text(model, "add-remove", columns=visits))
    assert clinic.run("plan", "study.toml", "--epsilon", "1").code == 65


def test_quantiles_are_chosen_and_have_no_posterior(clinic: Desk) -> None:
    clinic.write("study.toml", study_text(QUANTILES, columns=VISITS))
    clinic.ok("ledger", "init", "study.toml", "--budget", "100", "-o", "q.ledger")
    done = clinic.ok(
        "release",
        "study.toml",
        "visits.csv",
        "--epsilon",
        "10",
        "--ledger",
        "q.ledger",
        "-o",
        "q.release.json",
    )
    assert "chosen   quantile 0.1 of visits: 1" in done.out
    assert "chosen   quantile 0.9 of visits: " in done.out
    clinic.ok("verify", "q.release.json")
    assert clinic.run("infer", "q.release.json").error == "engine-unsuitable"


def test_calibrate_tells_honest_engines_from_naive_ones(clinic: Desk) -> None:
    clinic.write("study.toml", study_text(POISSON, columns=VISITS))
    terms = ("study.toml", "--epsilon", "0.1", "--n", "50", "--studies", "200", "--json")
    good = clinic.ok("calibrate", *terms).json
    assert good["calibrated"] is True
    assert sum(good["quantities"][0]["histogram"]) == 200
    bad = clinic.run("calibrate", *terms, "--engine", "naive")
    assert bad.code == 70
    assert bad.json["error"]["name"] == "not-calibrated"
    assert clinic.run("calibrate", "study.toml", "--epsilon", "1").error == "usage"


def test_a_prior_of_singular_matrices_is_noted_wherever_it_matters(clinic: Desk) -> None:
    clinic.write("study.toml", study_text(VECTORS, columns=BODIES))
    clinic.write("bodies.csv", "height,weight\n" + "1,2\n-3,4\n5,-6\n7,8\n" * 5)
    terms = ("study.toml", "--epsilon", "1")
    shown = (*terms, "--n", "3", "--simulations", "1", "--json")
    plan = clinic.ok("plan", *shown).json
    calibration = clinic.run("calibrate", *terms, "--n", "3", "--studies", "20", "--json").json
    clinic.ok("ledger", "init", "study.toml", "--budget", "1", "-o", "b.ledger")
    paid = ("--epsilon", "1", "--ledger", "b.ledger", "-o", "b.release.json")
    clinic.ok("release", "study.toml", "bodies.csv", *paid)
    posterior = clinic.ok("infer", "b.release.json", "--json").json
    for answer in (plan, calibration, posterior):
        assert any("98 % to covariance matrices that are singular" in note for note in answer["notes"])
    clinic.write("study.toml", study_text(VECTORS.replace('"1.001"', '"1.3"'), columns=BODIES))
    mild = clinic.ok("plan", *shown).json
    assert not any("singular" in note for note in mild["notes"])


def test_plan_still_tells_the_cost_where_no_engine_takes_so_many_records(clinic: Desk) -> None:
    clinic.write("study.toml", study_text(POISSON + "count_inside = true\n", columns=VISITS))
    found = clinic.ok("plan", "study.toml", "--epsilon", "1", "--n", "20000000", "--json").json
    assert found["cost"] == {"epsilon": "1"}
    assert found["width_90"] == []
    assert any("more than `infer` takes" in note for note in found["notes"])


def test_noise_that_no_release_can_hold_is_refused_before_the_charge(clinic: Desk) -> None:
    fine = WEIGHT.replace('"-10", "10"', '"-4000", "4000"')
    clinic.write("study.toml", study_text(NORMAL, columns=fine))
    clinic.ok("ledger", "init", "study.toml", "--budget", "1", "-o", "n.ledger")
    terms = ("--epsilon", "0.000000001", "--ledger", "n.ledger", "-o", "n.release.json")
    assert clinic.run("release", "study.toml", "weights.csv", *terms).error == "bad-budget"
    assert clinic.ok("ledger", "balance", "n.ledger", "--json").json["charges"] == 0


# 5000 public rows of rate 1, of which the column keeps 0..2 as they are.
@pytest.mark.parametrize("outside", ['"clamp"', '{ map-to = "0" }', '"drop"'])
def test_public_rows_of_a_number_are_whole(clinic: Desk, outside: str) -> None:
    rng = random.Random(11)
    rows = [poisson(1.0, rng) for _ in range(5000)]
    lines = "".join(f'"{row}",x\r\n' for row in rows)
    clinic.write("public.csv", f"\ufeffvisits,other\r\n{lines},y\r\n")
    visits = VISITS.replace("20]", "2]").replace("missing", f"outside = {outside}\nmissing")
    publish(clinic, study_text(POISSON, "add-remove", columns=visits), "visits.csv", "--epsilon", "0.01")
    terms = ("n.release.json", "--public", "public.csv")
    found = clinic.ok("infer", *terms, "--json").json
    assert found["summary"][0]["mean"] == pytest.approx((2 + sum(rows)) / 5001, rel=0.02)
    assert any(
        one["name"] == "public-rows-left-out" and "left out: 1" in one["text"] for one in found["warnings"]
    )
    clinic.write("public.csv", "visits\n-3\n")
    assert clinic.run("infer", *terms).error == "bad-option"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ('family = "poissson"', "unsupported"),
        ('family = "gamma"', "missing-key"),
        ('family = "exponential"', "bad-value"),
    ],
)
def test_a_family_that_does_not_fit_is_refused(clinic: Desk, change: str, error: str) -> None:
    clinic.write("study.toml", study_text(POISSON.replace('family = "poisson"', change), columns=VISITS))
    assert clinic.run("plan", "study.toml", "--epsilon", "1").error == error


@pytest.mark.parametrize(
    ("columns", "model", "units"),
    [
        (VISITS, POISSON, ["steps of 1", "records"]),
        (WEIGHT, NORMAL, ["steps of 0.01", "steps of 0.0001", "records"]),
        (VISITS, QUANTILES, ["", ""]),
    ],
    ids=["poisson", "normal", "quantiles"],
)
def test_a_plan_says_what_noise_is_counted_in(desk: Desk, columns: str, model: str, units: list[str]) -> None:
    desk.write("study.toml", study_text(model, "add-remove", columns=columns))
    blocks = desk.ok("plan", "study.toml", "--epsilon", "1", "--simulations", "1", "--json").json["blocks"]
    assert [block["in"] for block in blocks] == units
    if model is POISSON:
        assert "  sd  in" in desk.ok("plan", "study.toml", "--epsilon", "1", "--simulations", "1").out
