"""Predictions and synthetic records, from the folder of a posterior alone."""

from __future__ import annotations

import csv
import json
import math
import shutil
from pathlib import Path

import pytest

from tests.cli.desk import CATEGORICAL, COLUMNS, Desk, Result

NAIVE_BAYES = """
[model]
kind = "naive-bayes"
class = "cancer"
features = ["smoker", "age"]
"""
NETWORK = """
[model]
kind = "bayes-net"
columns = ["smoker", "age", "cancer"]
edges = [["smoker", "cancer"], ["age", "cancer"]]
"""
POISSON = """
[model]
kind = "family"
family = "poisson"
column = "age"
prior = { gamma = [2, "0.05"] }
"""


def posterior(desk: Desk, model: str = NAIVE_BAYES, *infer: str) -> None:
    """A posterior of 400 records in the folder `post`."""
    columns = COLUMNS.replace("cuts = [30, 45, 60]\n", "") if model == POISSON else COLUMNS
    desk.write_study(model=model, columns=columns.replace("45-59", "45") if model == POISSON else columns)
    desk.write_records(400)
    desk.ok("ledger", "init", "study.toml", "--budget", "100", "-o", "survey.ledger")
    assert desk.release(amount=("--epsilon", "5")).code == 0
    desk.ok("infer", "out.json", "-o", "post", "--draws", "100", "--chains", "2", *infer)


def write_rows(desk: Desk, text: str) -> None:
    desk.path("rows.csv").write_text(text)


def refusal(desk: Desk, *arguments: str) -> Result:
    """What the program says where it must refuse."""
    result = desk.run(*arguments)
    assert result.code != 0, result
    assert result.error, result
    return result


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


ROWS = "age,cancer,id,smoker\n70,yes,1,yes\n,no,2,no\n20,,3,\n33,no,4,maybe\n"


@pytest.mark.parametrize("model", [NAIVE_BAYES, NETWORK], ids=["naive-bayes", "network"])
def test_rows_are_predicted_from_the_folder_alone(desk: Desk, model: str) -> None:
    posterior(desk, model)
    shutil.rmtree(desk.path("elsewhere"), ignore_errors=True)
    desk.path("post").rename(desk.path("elsewhere"))
    desk.path("out.json").unlink()
    write_rows(desk, ROWS)
    target = () if model == NAIVE_BAYES else ("--target", "cancer")
    found = desk.ok("predict", "elsewhere", "rows.csv", *target, "-o", "p.csv", "--json").json
    assert found["target"] == "cancer"
    assert found["levels"] == ["no", "yes"]
    assert found["rows"] == 4
    assert found["judged"] == 3
    assert found["exact"] is (model == NAIVE_BAYES)
    assert [warning["name"] for warning in found["warnings"]] == ["rows-undeclared"]
    assert "'maybe' (1)" in found["warnings"][0]["text"]
    table = read_csv(desk.path("p.csv"))
    assert [row["truth"] for row in table] == ["yes", "no", "", "no"]
    for row in table:
        assert float(row["P(no)"]) + float(row["P(yes)"]) == pytest.approx(1)
        assert 0 <= float(row["q05(yes)"]) <= float(row["q95(yes)"]) <= 1
        assert row["prediction"] == ("yes" if float(row["P(yes)"]) > 0.5 else "no")
    losses = [-math.log(float(row[f"P({row['truth']})"])) for row in table if row["truth"]]
    assert found["log_loss"] == pytest.approx(sum(losses) / 3)


def test_any_column_of_a_table_given_the_others(desk: Desk) -> None:
    posterior(desk, CATEGORICAL)
    write_rows(desk, "smoker\nyes\nno\n\n")
    answer = desk.ok("predict", "post", "rows.csv", "--target", "cancer", "--json").json
    means = {
        row["name"]: float(row["mean"]) for row in read_csv(desk.path("post/summary.csv"))
    }  # p.1 ... are no-no, no-yes, yes-no, yes-yes
    smokers = means["p.4"] / (means["p.3"] + means["p.4"])
    assert answer["predictions"][0]["probability"][1] == pytest.approx(smokers)
    assert answer["predictions"][2]["probability"][1] == pytest.approx(means["p.2"] + means["p.4"])
    text = desk.ok("predict", "post", "rows.csv", "--target", "cancer").out
    assert "exact: ratio of the cells' posterior means" in text
    error = refusal(desk, "predict", "post", "rows.csv")
    assert error.error == "bad-option"
    assert "--target" in error.err


def test_what_cannot_be_predicted_says_so(desk: Desk) -> None:
    posterior(desk)
    write_rows(desk, ROWS)
    assert refusal(desk, "predict", "post", "rows.csv", "--target", "smokr").error == "bad-option"
    assert refusal(desk, "predict", "nowhere", "rows.csv").error == "input-missing"
    assert refusal(desk, "predict", "post", "nowhere.csv").error == "input-missing"
    write_rows(desk, "weight,height\n1,2\n")
    assert refusal(desk, "predict", "post", "rows.csv").error == "no-header"
    write_rows(desk, ROWS)
    desk.ok("predict", "post", "rows.csv", "-o", "p.csv")
    assert refusal(desk, "predict", "post", "rows.csv", "-o", "p.csv").error == "output-exists"
    desk.path("post/release_1.json").unlink()
    error = refusal(desk, "predict", "post", "rows.csv")
    assert error.error == "unsupported"
    assert "make it again" in error.err


def test_a_folder_of_a_stranger_is_refused_by_name(desk: Desk) -> None:
    posterior(desk)
    write_rows(desk, ROWS)
    whole = desk.path("post/release_1.json").read_bytes()
    facts = desk.path("post/posterior.json").read_text()
    chain = desk.path("post/chain_1.csv").read_text()

    def refused(name: str, content: bytes | str) -> str:
        path = desk.path(f"post/{name}")
        before = path.read_bytes()
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        error = refusal(desk, "predict", "post", "rows.csv")
        path.write_bytes(before)
        return error.error

    assert refused("release_1.json", whole[:-10]).startswith("release-")
    assert refused("posterior.json", "[" * 100_000) == "input-unreadable"
    assert refused("posterior.json", facts.replace('"chains": 2', '"chains": 3')) == "input-missing"
    changed = json.loads(facts) | {"releases": ["0" * 32]}
    assert refused("posterior.json", json.dumps(changed)) == "input-unreadable"
    assert refused("chain_1.csv", chain[:-5]) == "input-unreadable"
    assert refused("chain_1.csv", "") == "input-unreadable"
    lines = chain.splitlines()
    lines[-1] = ",".join("-1" for _ in lines[-1].split(","))
    assert refused("chain_1.csv", "\n".join(lines) + "\n") == "input-unreadable"


@pytest.mark.parametrize("model", [NAIVE_BAYES, CATEGORICAL], ids=["naive-bayes", "categorical"])
def test_public_rows_and_prior_stay_with_the_posterior(desk: Desk, model: str) -> None:
    write_rows(desk, "smoker,age,cancer\n" + "yes,70,yes\n" * 30 + "no,20,no\n" * 30)
    posterior(desk, model, "--public", "rows.csv", "--prior", "dirichlet 2")
    write_rows(desk, ROWS)
    kept = json.loads(desk.path("post/public_rows.json").read_text())
    assert kept["rows"] == 60
    with_rows = desk.ok("predict", "post", "rows.csv", "--target", "cancer", "--json").json
    if model == NAIVE_BAYES:  # the engine is made again, without them
        desk.path("post/public_rows.json").unlink()
        without = desk.ok("predict", "post", "rows.csv", "--json").json
        assert without["predictions"] != with_rows["predictions"]


def test_synthetic_records_are_like_the_records(desk: Desk) -> None:
    posterior(desk)
    done = desk.ok("synth", "post", "-n", "20000", "-o", "synthetic.csv")
    assert "synthetic.csv: 20,000 synthetic records" in done.out
    assert "cost no privacy" in done.err
    rows = read_csv(desk.path("synthetic.csv"))
    assert len(rows) == 20_000
    assert list(rows[0]) == ["smoker", "age", "cancer"]
    assert all(18 <= int(row["age"]) <= 99 for row in rows)
    assert sum(row["smoker"] == "yes" for row in rows) / 20_000 == pytest.approx(0.3, abs=0.1)
    assert desk.ok("synth", "post", "-n", "3", "--intervals", "-q").out.splitlines()[0] == "smoker,age,cancer"
    assert "45-59" in desk.ok("synth", "post", "-n", "100", "--intervals", "-q").out
    one = desk.ok("synth", "post", "-n", "5000", "--seed", "3", "--threads", "1", "-q").out
    assert desk.ok("synth", "post", "-n", "5000", "--seed", "3", "--threads", "2", "-q").out == one
    # They are read by the study they came from, as records would be.
    desk.ok("ledger", "init", "study.toml", "--budget", "1", "-o", "other.ledger", "--another-ledger")
    desk.ok(
        "release", "study.toml", "synthetic.csv", "--epsilon", "1", "--ledger", "other.ledger", "-o", "o.json"
    )


def test_several_data_sets_come_with_their_rule(desk: Desk) -> None:
    posterior(desk)
    done = desk.ok("synth", "post", "-n", "50", "--datasets", "3", "-o", "many.csv", "--json").json
    assert done["files"] == ["many_1.csv", "many_2.csv", "many_3.csv"]
    assert any("(1 + 1/m) B - U" in note for note in done["notes"])
    texts = {desk.path(name).read_text() for name in done["files"]}
    assert len(texts) == 3
    assert refusal(desk, "synth", "post", "--datasets", "3").error == "bad-option"
    assert refusal(desk, "synth", "post", "-n", "50", "-o", "many_1.csv").error == "output-exists"
    plug_in = desk.ok("synth", "post", "-n", "50", "--plug-in", "-o", "plug.csv", "--json").json
    assert plug_in["from"] == "one point"


def test_models_of_numbers_say_that_they_cannot(desk: Desk) -> None:
    posterior(desk, POISSON)
    write_rows(desk, ROWS)
    assert refusal(desk, "synth", "post").error == "unsupported"
    assert refusal(desk, "predict", "post", "rows.csv", "--target", "age").error == "unsupported"
