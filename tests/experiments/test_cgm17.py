"""The experiments of Bernstein et al. 2017, each with few trials: what is known of them shows.

The program is $EXPERIMENT_CGM17, else build/experiments/experiment_cgm17.
"""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("EXPERIMENT_CGM17", str(ROOT / "build/experiments/experiment_cgm17"))
Row = dict[str, str]


def run(figure: str, out: Path, *options: str) -> list[Row]:
    where = ["--program", PROGRAM, "--out", str(out), "--no-plot", "--quick", "--threads", "1", *options]
    subprocess.run([ROOT / "experiments/run", f"cgm17-{figure}", *where], check=True)
    with (out / f"cgm17-{figure}.csv").open(newline="") as rows:
        return list(csv.DictReader(rows))


def test_errors_of_noisy_tables_are_as_predicted(tmp_path: Path) -> None:
    for row in run("fig1a", tmp_path):
        assert abs(float(row["noisy_tables"]) / float(row["predicted"]) - 1) < 0.4
        assert float(row["naive"]) < 1.2 * float(row["noisy_tables"])


def test_projection_helps_where_noise_is_large(tmp_path: Path) -> None:
    first = run("fig1b", tmp_path)[0]
    assert first["n"] == "1000"
    assert float(first["projected"]) < float(first["not_projected"])


def test_only_noise_needs_a_ridge(tmp_path: Path) -> None:
    rows = run("fig1c", tmp_path)
    noisy = [float(row["private"]) for row in rows]
    exact = [float(row["without_privacy"]) for row in rows]
    assert noisy[0] > 10 * min(noisy)
    assert exact[0] < 2 * min(exact)


def test_every_method_learns(tmp_path: Path) -> None:
    rows = run("fig2", tmp_path)
    for graph in ("third-order chain", "random graph"):
        here = [row for row in rows if row["graph"] == graph]
        mean = {
            method: fmean(float(row["kl"]) for row in here if row["method"] == method)
            for method in {row["method"] for row in here}
        }
        assert len(mean) == 10
        for method in set(mean) - {"without privacy", "uniform", "random", "naive (best ridge)"}:
            assert mean["without privacy"] < mean[method] < mean["uniform"] / 10, (graph, method)
        assert mean["na-map"] < mean["cgm (nlbp)"]
    alone = run("fig2", tmp_path / "part", "--only", "random", "--n", "10000")
    assert [row["kl"] for row in alone] == [row["kl"] for row in rows if row["graph"] == "random graph"]
    assert not run("fig2", tmp_path / "none", "--only", "random", "--n", "1000")


def test_margins_are_near_the_truth(tmp_path: Path) -> None:
    rows = run("fig3a", tmp_path)
    error = {
        key: fmean((float(row[key]) - float(row["truth"])) ** 2 for row in rows)
        for key in ("without_privacy", "naive", "na_map")
    }
    assert error["without_privacy"] < error["na_map"] < error["naive"]


def test_moves_among_fifty_places_are_learnt(tmp_path: Path) -> None:
    score = {row["method"]: float(row["held_out"]) for row in run("fig3b", tmp_path)}
    assert score["uniform"] < score["dp-sgd"] < score["na-map"] < score["without privacy"]
    assert score["uniform"] < score["cgm (nlbp)"] < score["naive"]
