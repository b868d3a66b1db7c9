"""A release that no engine would take is refused before the charge, unless only its values are wanted."""

from __future__ import annotations

import pytest

from tests.cli.desk import Desk, study_text

LEVELS = 200
LOOP = "".join(
    f"[columns.{name}]\ncategories = {[f'v{i}' for i in range(levels)]}\nmissing = 'v0'\n"
    for name, levels in (("a", LEVELS), ("b", LEVELS), ("c", LEVELS), ("d", 5))
)
# Each table is small; a x b x c, which elimination makes of the loop, is not.
LOOP_MODEL = '[model]\nkind = "bayes-net"\nedges = [["a", "b"], ["b", "c"], ["c", "d"], ["a", "d"]]\n'
NUMBERS = "".join(f'[columns.{name}]\nreal = ["0", "10"]\ngrid = "0.1"\nmissing = "5"\n' for name in "xy")


def loop(desk: Desk) -> None:
    desk.write("study.toml", study_text(columns=LOOP, model=LOOP_MODEL, dataset="loop"))
    desk.write("survey.csv", "a,b,c,d\n" + "v1,v2,v3,v4\n" * 50)
    desk.ok("ledger", "init", "study.toml", "--budget", "2", "-o", "survey.ledger")


def test_tables_that_are_too_large_are_named_before_the_charge(desk: Desk) -> None:
    loop(desk)
    result = desk.release()
    desk.refused(result, "engine-limit", 69)
    assert "`postern infer` would refuse this release" in result.err
    assert "a (200) x b (200) x c (200)" in result.err
    assert "--without-posterior" in result.err
    assert desk.balance()["spent"] == {"epsilon": "0"}
    assert not desk.path("out.json").exists()


@pytest.mark.parametrize("version", [1, 2])
def test_a_category_of_too_many_levels_for_a_regression(desk: Desk, version: int) -> None:
    towns = f"[columns.town]\ncategories = {[f'v{i}' for i in range(40)]}\nmissing = 'v0'\n"
    model = '[model]\nkind = "linear-regression"\ntarget = "x"\nfeatures = ["town"]\n'
    study = study_text(columns=NUMBERS + towns, model=model, dataset="towns")
    desk.write("study.toml", study.replace("version = 1", f"version = {version}"))
    desk.write("survey.csv", "x,y,town\n" + "1,2,v3\n" * 50)
    desk.ok("ledger", "init", "study.toml", "--budget", "2", "-o", "survey.ledger")
    result = desk.release()
    desk.refused(result, "engine-limit", 69)
    assert "39 columns" in result.err and "'town' has 40 levels" in result.err
    assert desk.balance()["spent"] == {"epsilon": "0"}
    assert desk.release("--without-posterior").code == 0
    same = desk.run("infer", "out.json")
    desk.refused(same, "engine-limit", 69)
    assert "'town' has 40 levels" in same.err


def test_only_the_values_are_wanted(desk: Desk) -> None:
    loop(desk)
    assert desk.release("--without-posterior").code == 0
    assert desk.balance()["spent"] == {"epsilon": "1"}
    # infer says the same of the release as was said of its plan, and as early.
    result = desk.run("infer", "out.json")
    desk.refused(result, "engine-limit", 69)
    assert "a (200) x b (200) x c (200)" in result.err


def test_what_infer_takes_is_not_refused(ready: Desk) -> None:
    plain = ready.release()
    assert plain.code == 0
    assert ready.release("--without-posterior", output="more.json").code == 0


@pytest.mark.parametrize("select", ["tree", "adaptive"])
def test_a_chosen_network_is_judged_by_the_largest(desk: Desk, select: str) -> None:
    desk.write_study(currency="zcdp", model="")
    desk.write_records(200)
    desk.ok("ledger", "init", "study.toml", "--budget", "2", "-o", "survey.ledger")
    assert desk.release("--select", select, amount=("--rho", "1")).code == 0


def test_quantiles_never_have_a_posterior(desk: Desk) -> None:
    model = '[model]\nkind = "quantiles"\ncolumn = "x"\nat = ["0.5"]\n'
    desk.write("study.toml", study_text(columns=NUMBERS, model=model, dataset="q"))
    desk.write("survey.csv", "x,y\n" + "1,2\n" * 50)
    desk.ok("ledger", "init", "study.toml", "--budget", "2", "-o", "survey.ledger")
    assert desk.release().code == 0
