"""The promise under attack: releases of neighbouring records are told apart as well as neighbours may be, and
no better. Both through `postern audit` and with releases that the program really made."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from statistics import NormalDist

import pytest

from tests.cli.desk import BERNOULLI, CATEGORICAL, Desk

ALPHA = 1e-6


def tail(successes: int, trials: int, p: float) -> float:
    """P(X >= successes) for X ~ Binomial(trials, p)."""
    if p <= 0 or p >= 1:
        return float(p >= 1 or successes == 0)
    logs = [
        math.lgamma(trials + 1)
        - math.lgamma(k + 1)
        - math.lgamma(trials - k + 1)
        + k * math.log(p)
        + (trials - k) * math.log1p(-p)
        for k in range(successes, trials + 1)
    ]
    return min(1.0, math.fsum(math.exp(x) for x in logs))


def lower_limit(successes: int, trials: int, alpha: float) -> float:
    """One-sided Clopper-Pearson: the p at which so many successes or more have probability alpha."""
    if successes == 0:
        return 0.0
    low, high = 0.0, successes / trials
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(successes, trials, middle) < alpha else (low, middle)
    return low


def epsilon_bound(often: list[int], seldom: list[int]) -> float:
    """Lower bound on epsilon from an event `value >= threshold`, chosen on the first halves."""
    half = len(often) // 2

    def counts(threshold: int, first: bool) -> tuple[int, int]:
        part = slice(0, half) if first else slice(half, 2 * half)
        return sum(x >= threshold for x in often[part]), sum(x >= threshold for x in seldom[part])

    def bound(c1: int, c0: int) -> float:
        low = lower_limit(c1, half, ALPHA / 2)
        high = 1 - lower_limit(half - c0, half, ALPHA / 2)
        return math.log(low / high) if low > 0 else 0.0

    best = max(sorted(set(often[:half])), key=lambda t: bound(*counts(t, first=True)))
    return bound(*counts(best, first=False))


def test_the_bound_is_the_textbooks() -> None:
    assert lower_limit(10, 10, 0.025) == pytest.approx(0.6915, abs=1e-4)  # 0.025^(1/10)
    assert lower_limit(5, 10, 0.025) == pytest.approx(0.1871, abs=1e-4)
    assert epsilon_bound([1] * 4000, [0] * 4000) > 4
    assert epsilon_bound([0, 1] * 2000, [0, 1] * 2000) < 0


@pytest.mark.parametrize(
    ("model", "adjacency", "currency"),
    [
        (BERNOULLI, "replace-one", "pure"),
        (CATEGORICAL, "add-remove", "pure"),
        (CATEGORICAL, "replace-one", "zcdp"),
        (BERNOULLI, "add-remove", "zcdp"),
    ],
    ids=["bernoulli-pure", "categorical-pure", "categorical-zcdp", "bernoulli-zcdp"],
)
def test_rehearsals_do_not_contradict_the_claim(
    desk: Desk, model: str, adjacency: str, currency: str
) -> None:
    desk.write_study(model=model, adjacency=adjacency, currency=currency)
    claim = ("--epsilon", "1") if currency == "pure" else ("--rho", "0.5")
    result = desk.ok("audit", "study.toml", *claim, "--runs", "2000", "--json")
    pairs = result.json["pairs"]
    assert len(pairs) >= 3
    for pair in pairs:
        assert 0.1 * pair["claim"] < pair["bound"] <= pair["limit"], pair
        assert pair["claim"] == (1 if currency == "pure" else 0.5)
        assert pair["loss"] == ("epsilon" if currency == "pure" else "rho")
    assert result.json["passed"] is True


def most_visible_rho(sigma: float) -> float:
    """mu^2 / 2 at the best threshold on a discrete Gaussian that neighbours shift by one: mu is the
    difference of the normal quantiles of what passes the threshold on either side."""
    weights = [math.exp(-(k**2) / (2 * sigma**2)) for k in range(-40, 41)]
    whole = math.fsum(weights)
    above = [math.fsum(weights[i:]) / whole for i in range(len(weights) + 1)]
    below = [math.fsum(weights[:i]) / whole for i in range(len(weights) + 1)]
    quantile = NormalDist().inv_cdf
    tests = [(below[i], above[i + 1]) for i in range(80) if min(below[i], above[i + 1]) > 1e-9]
    return max((-quantile(missed) - quantile(alarm)) ** 2 / 2 for missed, alarm in tests)


def test_a_limit_above_the_claim_is_explained(desk: Desk) -> None:
    """Of Gaussian noise on whole numbers a threshold may see a little more than its rho."""
    desk.write_study(model=BERNOULLI, adjacency="add-remove", currency="zcdp")
    expected = most_visible_rho(sigma=1.0)
    assert expected > 0.54
    call = ("audit", "study.toml", "--rho", "0.5", "--runs", "200")
    found = desk.ok(*call, "--json").json
    assert {pair["claim"] for pair in found["pairs"]} == {0.5}
    assert max(pair["limit"] for pair in found["pairs"]) == pytest.approx(expected, rel=1e-6)
    assert any("held against" in note for note in found["notes"])
    text = desk.ok(*call).out
    assert f"{expected:.4f}" in text
    assert "note: the limit is what this test may find of the claim" in text
    # Laplace noise needs no allowance, and there is no column for one.
    desk.write_study()
    plain = desk.ok("audit", "study.toml", "--epsilon", "1", "--runs", "200")
    assert "limit" not in plain.out
    assert desk.ok("audit", "study.toml", "--epsilon", "1", "--runs", "200", "--json").json["notes"] == []


def test_an_audit_of_quantiles_says_how_weak_it_is(desk: Desk) -> None:
    columns = '[columns.age]\ninteger = [0, 20]\nmissing = "0"\n'
    model = '[model]\nkind = "quantiles"\ncolumn = "age"\nat = ["0.5"]\n'
    desk.write_study(model=model, columns=columns, currency="zcdp")
    call = ("audit", "study.toml", "--rho", "0.5", "--runs", "200")
    notes = desk.ok(*call, "--json").json["notes"]
    assert "little power" in notes[0]
    assert notes[1] == "a choice is audited in epsilon: rho 0.5 is epsilon 2.000 here."
    text = desk.ok(*call)
    assert "note: an audit of quantiles has little power" in text.out
    assert "lower confidence bound on epsilon" in text.out
    assert "would see it" not in text.err  # no number of runs is promised to


def three_columns(desk: Desk, adjacency: str, currency: str) -> None:
    """A study whose network its release chooses."""
    column = '[columns.{}]\ncategories = ["no", "yes"]\nmissing = "no"\n'
    columns = "".join(column.format(name) for name in "abc")
    desk.write_study(model="", columns=columns, adjacency=adjacency, currency=currency)


@pytest.mark.parametrize("select", ["tree", "adaptive"])
def test_an_audit_of_a_chosen_network_follows_its_choices(desk: Desk, select: str) -> None:
    """All rounds by the laws that they state: next to the whole charge, and not past it."""
    three_columns(desk, "replace-one", "pure")
    call = ("audit", "study.toml", "--epsilon", "2", "--select", select, "--runs", "100")
    pairs = desk.ok(*call, "--json").json["pairs"]
    assert all(pair["computed"] == ("law" in pair["neighbours"]) for pair in pairs)
    whole = [pair for pair in pairs if pair["neighbours"].endswith(": laws of all rounds")]
    rounds = [pair for pair in pairs if pair["neighbours"].endswith(": law of one round")]
    assert len(pairs) == 3 * len(whole) == 3 * len(rounds) >= 9
    assert all(0.5 * pair["claim"] < pair["bound"] <= pair["limit"] for pair in whole)
    assert max(pair["bound"] for pair in whole) > 0.8 * 2
    assert all(pair["bound"] == pytest.approx(pair["claim"], rel=1e-6) for pair in rounds)
    text = desk.ok(*call)
    assert "note: a release in rounds is seen twice" in text.out
    assert "would see it" not in text.err


def test_an_audit_of_a_chosen_network_sees_later_rounds(desk: Desk) -> None:
    """What is published in all rounds together shows no more than the one charge."""
    three_columns(desk, "add-remove", "zcdp")
    result = desk.ok("audit", "study.toml", "--rho", "0.7", "--select", "tree", "--runs", "1200", "--json")
    estimated = [pair for pair in result.json["pairs"] if not pair["computed"]]
    assert len(estimated) >= 3
    assert all(pair["claim"] == 0.7 and pair["loss"] == "rho" for pair in estimated)
    assert all(pair["bound"] <= 0.7 for pair in estimated)


@pytest.mark.long
def test_two_thousand_real_releases_of_each_neighbour(desk: Desk) -> None:
    desk.write_study()
    crowd = "smoker,age,cancer\n" + "no,20,no\n" * 10
    desk.write("often.csv", crowd + "yes,20,no\n")
    desk.write("seldom.csv", crowd + "no,20,no\n")

    def batch(side_and_number: tuple[str, int]) -> tuple[str, list[int]]:
        side, number = side_and_number
        ledger = f"{side}{number}.ledger"
        desk.ok("ledger", "init", "study.toml", "--budget", "100", "-o", ledger)
        values = []
        for i in range(100):
            output = f"{side}{number}.{i}.json"
            released = desk.release(data=f"{side}.csv", ledger=ledger, output=output)
            assert released.code == 0, released
            document = json.loads(desk.path(output).read_text())
            values.append(int(document["measurements"][0]["blocks"][0]["values"][0]))
            desk.path(output).unlink()
        return side, values

    found: dict[str, list[int]] = {"often": [], "seldom": []}
    with ThreadPoolExecutor(max_workers=2) as pool:
        for side, values in pool.map(batch, [(side, i) for i in range(20) for side in found]):
            found[side] += values
    assert 0.3 < epsilon_bound(found["often"], found["seldom"]) <= 1
