"""A choice among candidates through the program: from a study to a posterior."""

from __future__ import annotations

import pytest

from tests.cli.desk import Desk

COIN = """
[model]
kind = "choice"
family = "bernoulli"
column = "smoker"
candidates = ["0.1", "0.3", "0.5", "0.7", "0.9"]
draws = 2
"""
LEVELS = """
[model]
kind = "choice"
family = "categorical"
column = "age"
candidates = [["0.1", "0.2", "0.3", "0.4"], ["0.25", "0.25", "0.25", "0.25"]]
"""
SCORED = """
[model]
kind = "choice"
family = "categorical"
column = "age"
scores = "scores.csv"
"""
SCORES = "best age,60-99,18-29,30-44,45-59\nyoung,-1,3,1,0\nold,4,-1,0,1\n"


@pytest.mark.parametrize("model", [COIN, LEVELS, SCORED])
@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
def test_from_study_to_posterior(desk: Desk, model: str, adjacency: str) -> None:
    (desk.folder / "scores.csv").write_text(SCORES)
    desk.write_study(model=model, adjacency=adjacency)
    desk.write_records(60)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert (
        "chosen   candidate for "
        in desk.ok(
            "release",
            "study.toml",
            "survey.csv",
            "--epsilon",
            "1",
            "--ledger",
            "survey.ledger",
            "-o",
            "survey.release.json",
        ).out
    )
    checks = desk.ok("verify", "survey.release.json").out
    assert "as recomputed" in checks and "FAILED" not in checks
    posterior = desk.ok(
        "infer",
        "survey.release.json",
        "--query",
        "P(smoker = yes)" if model == COIN else "P(age = 18-29)",
        "--json",
    ).json
    assert posterior["engine"] in ("exact", "augment")
    assert desk.run("infer", "survey.release.json", "--engine", "naive").error == "engine-unsuitable"


def test_a_file_of_scores_is_read_by_its_titles(desk: Desk) -> None:
    (desk.folder / "scores.csv").write_text(SCORES)
    desk.write_study(model=SCORED)
    desk.write_records(60)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")
    assert desk.release().code == 0
    release = (desk.folder / "out.json").read_text()
    assert '"scores":["3","1","0","-1","-1","0","1","4"]' in release


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ("x,18-29,30-44,45-59\na,1,2,3\nb,3,2,1\n", "every level"),
        ("x,18-29,30-44,45-59,old\na,1,2,3,4\nb,3,2,1,0\n", "no level"),
        ("x,18-29,30-44,45-59,60-99\na,1,2,3,0.5\nb,3,2,1,0\n", "whole numbers"),
        ("x,18-29,30-44,45-59,60-99\na,1,1,1,1\nb,0,0,0,0\n", "nothing is learnt"),
        ("x,18-29,30-44,45-59,60-99\na,1,2,3,4\n", "two or more"),
    ],
)
def test_scores_that_are_none_are_refused(desk: Desk, scores: str, said: str) -> None:
    (desk.folder / "scores.csv").write_text(scores)
    desk.write_study(model=SCORED)
    result = desk.run("plan", "study.toml", "--epsilon", "1", "--n", "10")
    assert result.error == "bad-value"
    assert said in result.err
