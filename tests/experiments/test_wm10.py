"""The experiments of Williams and McSherry 2010: bounds on a coin, noisy gradients and what inference adds.

The program is $EXPERIMENT_WM10, else build/experiments/experiment_wm10. Order and spread are held to the
paper, not its numbers: it states neither rounds nor steps.
"""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("EXPERIMENT_WM10", str(ROOT / "build/experiments/experiment_wm10"))
Row = dict[str, str]


def run(what: str, out: Path) -> None:
    where = ["--program", PROGRAM, "--out", str(out), "--no-plot", "--quick"]
    subprocess.run([ROOT / "experiments/run", what, *where], check=True)


def read(file: Path) -> list[Row]:
    with file.open(newline="") as rows:
        return list(csv.DictReader(rows))


def test_bounds_hold_the_likelihood_between_them(tmp_path: Path) -> None:
    run("wm10-fig2", tmp_path)
    # largest errors at epsilon 0.5 and 1 (reference: centred clamp)
    known = {"0.5": (0.26501, 0.12444, 0.11221), "1": (0.75458, 4.46998, 0.23403)}
    errors = {row["epsilon"]: row for row in read(tmp_path / "wm10-fig2a.csv")}
    for epsilon, (lower, expected, best) in known.items():
        assert float(errors[epsilon]["lower"]) == pytest.approx(lower, rel=1e-3)
        assert float(errors[epsilon]["upper_expected"]) == pytest.approx(expected, rel=1e-3)
        assert float(errors[epsilon]["upper_best"]) == pytest.approx(best, rel=1e-3)
    assert float(errors["0.01"]["upper_printed"]) == pytest.approx(0.8105, abs=1e-3)
    for row in read(tmp_path / "wm10-fig2b.csv"):
        assert float(row["lower"]) <= float(row["exact"]) + 1e-12
        assert float(row["exact"]) <= float(row["upper_best"]) + 1e-12


def test_inference_comes_near_the_benchmark(tmp_path: Path) -> None:
    run("wm10-tables", tmp_path)
    rows = {(row["data"], row["epsilon"]): row for row in read(tmp_path / "wm10-tables.csv")}
    assert set(rows) == {(data, epsilon) for data in ("SYNTH", "CM1", "CM2") for epsilon in ("0.1", "1")}
    sharp = rows["SYNTH", "1"]
    assert float(sharp["expected"]) < float(sharp["benchmark"]) + 6
    assert float(rows["CM1", "1"]["vote"]) < float(rows["CM1", "1"]["heuristic"])


def test_public_rows_help(tmp_path: Path) -> None:
    run("wm10-fig3b", tmp_path)
    rows = read(tmp_path / "wm10-fig3b.csv")
    assert float(rows[-1]["expected"]) < float(rows[0]["expected"])


def test_the_axis_closes_in_as_epsilon_grows(tmp_path: Path) -> None:
    """Reference, over twelve releases: .313, .631, .835, .924, .974."""
    run("wm10-fig4", tmp_path)
    rows = read(tmp_path / "wm10-fig4.csv")
    assert [row["exponent"] for row in rows] == ["0.001", "0.003", "0.01"]
    resultants = [float(row["resultant"]) for row in rows]
    assert resultants[0] < 0.6
    assert resultants[-1] > 0.7
    assert float(rows[0]["off"]) > float(rows[-1]["off"])
