"""Networks that their releases choose, from a study that only names columns: --select."""

from __future__ import annotations

import json

import pytest

from tests.cli.desk import ROOT, Desk, canonical

FOUR = """
[columns.smoker]
categories = ["no", "yes"]
missing = "no"
[columns.age]
integer = [18, 99]
cuts = [30, 45, 60]
missing = "45-59"
outside = "clamp"
[columns.cancer]
categories = ["no", "yes"]
missing = "no"
[columns.sex]
categories = ["f", "m"]
missing = "f"
"""
RHO = ("--rho", "1")


def set_up(desk: Desk, *, model: str = "", adjacency: str = "add-remove") -> None:
    desk.write_study(model=model, columns=FOUR, adjacency=adjacency, currency="zcdp")
    rows = [
        f"{'yes' if i % 10 < 3 else 'no'},{18 + i % 80},{'yes' if i % 7 < 2 else 'no'},{'fm'[i % 3 == 0]}"
        for i in range(800)
    ]
    desk.write("survey.csv", "smoker,age,cancer,sex\n" + "\n".join(rows) + "\n")
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize("select", ["tree", "adaptive"])
def test_one_line_from_columns_to_synthetic_records(desk: Desk, select: str, adjacency: str) -> None:
    set_up(desk, adjacency=adjacency)
    made = desk.release("--select", select, amount=RHO)
    assert made.code == 0, made
    assert list(desk.balance()["left"].values()) == ["9"]
    checks = desk.ok("verify", "out.json", "--json").json["checks"]
    assert all(check["passed"] for check in checks), checks
    document = json.loads(desk.path("out.json").read_text())
    assert document["study"]["model"]["select"] == select
    chosen = 3 if select == "tree" else 6
    assert made.out.count("\nchosen ") == chosen
    desk.ok("infer", "out.json", "-o", "post", "--draws", "100")
    desk.ok("synth", "post", "-n", "20", "-o", "made.csv")
    assert len(desk.path("made.csv").read_text().splitlines()) == 21


def test_what_an_adaptive_release_says_is_replayed(desk: Desk) -> None:
    set_up(desk)
    assert desk.release("--select", "adaptive", amount=RHO).code == 0
    document = json.loads(desk.path("out.json").read_text())
    rounds = document["measurements"]
    assert len(rounds) == 5 + 2 * 3
    assert [len(r.get("table", [])) > 0 for r in rounds] == [False] * 4 + [True, False] * 3 + [False]

    def refused(edit: str) -> None:
        desk.path("edited.json").write_text(canonical(document))
        found = desk.run("verify", "edited.json")
        assert found.error == "release-inconsistent", edit

    rounds[4]["table"][-1] += 1  # what was expected
    refused("table")
    rounds[4]["table"][-1] -= 1
    lost = rounds[0]["blocks"].pop()  # a column's table
    refused("block")
    rounds[0]["blocks"].append(lost)
    rounds[5]["blocks"][0]["noise"]["scale"] = "1"
    refused("scale")


def test_plan_forecasts_before_anything_is_spent(desk: Desk) -> None:
    set_up(desk)
    for select, width in (("tree", "treewidth of at most 1"), ("adaptive", "treewidth of at most 3")):
        found = desk.ok("plan", "study.toml", *RHO, "--select", select, "--n", "800")
        assert width in " ".join(found.out.split())
        assert "no width is forecast: what is measured is chosen by the release" in " ".join(
            found.out.split()
        )
        facts = desk.ok("plan", "study.toml", *RHO, "--select", select, "--n", "800", "--json").json
        assert facts["memory_bytes"] > 0
        assert facts["rounds"]["rule"] == f"markov-{select}"


def test_what_is_refused_and_why(desk: Desk) -> None:
    set_up(desk)
    assert desk.release(amount=RHO).error == "missing-key"
    other = desk.release("--select", "forest", amount=RHO)
    assert (other.error, "tree or adaptive" in other.err) == ("bad-option", True)
    refused = desk.run("calibrate", "study.toml", *RHO, "--select", "adaptive")
    assert (refused.error, "calibrate a tree" in refused.err) == ("unsupported", True)
    assert desk.release("--select", "tree", "--share", "age=2", amount=RHO).error == "bad-option"
    assert list(desk.balance()["left"].values()) == ["10"], "nothing was spent"


def test_a_tree_that_is_chosen_is_calibrated(desk: Desk) -> None:
    """Whatever is chosen has probabilities; intervals that take noisy counts for the truth are seen."""
    set_up(desk, adjacency="replace-one")
    noise = ("--rho", "0.1", "--select", "tree", "--n", "300")
    call = ("calibrate", "study.toml", *noise, "--studies", "100", "--json")
    found = desk.ok(*call).json
    assert [one["name"] for one in found["quantities"]] == ["pair", *(f"first.{i}" for i in (1, 2, 3, 4))]
    assert found["quantities"][2]["label"] == "P(age = its first level)"
    assert found["calibrated"]
    assert any("the tree that was chosen" in note for note in found["notes"])
    naive = desk.run(*call, "--engine", "naive")
    assert (naive.code, naive.json["error"]["name"]) == (70, "not-calibrated")


def test_select_takes_the_columns_of_the_model(desk: Desk) -> None:
    model = (
        '\n[model]\nkind = "markov-net"\nselect = "adaptive"\ncolumns = ["age", "sex", "cancer"]\npairs = 1\n'
    )
    set_up(desk, model=model)
    assert desk.release(amount=RHO).code == 0
    kept = json.loads(desk.path("out.json").read_text())["study"]["model"]
    assert (kept["pairs"], kept["columns"]) == (1, ["age", "cancer", "sex"])
    assert desk.release("--select", "tree", amount=RHO, output="tree.json").code == 0
    assert "pairs" not in json.loads(desk.path("tree.json").read_text())["study"]["model"]


def test_public_rows_join_a_tree_that_was_chosen(desk: Desk) -> None:
    set_up(desk)
    assert desk.release("--select", "tree", amount=RHO).code == 0
    desk.write("public.csv", "smoker,age,cancer,sex\n" + "no,40,no,f\n" * 50)
    desk.ok("infer", "out.json", "-o", "post", "--draws", "50", "--public", "public.csv")
    refused = desk.run("infer", "out.json", "-o", "mode", "--engine", "map", "--public", "public.csv")
    assert refused.error == "bad-option"


def test_the_columns_of_adult_are_declared(desk: Desk) -> None:
    study = str(ROOT / "examples" / "adult" / "study.toml")
    found = desk.ok("plan", study, "--rho", "0.01497", "--select", "adaptive", "--n", "32561", "--json").json
    assert len(found["blocks"]) == 14
    assert sum(block["cells"] for block in found["blocks"]) == 248
