"""What accounting for noise gains over the plug-in, on networks of the shape of Adult's columns.

The program is $EXPERIMENT_ADULT_NETWORKS, else build/experiments/experiment_adult_networks. The quick run
makes up its records. Its seed is fixed; by the full run's standard errors a right program misses a bar less
than once in 10^4 runs.
"""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMED = os.environ.get("EXPERIMENT_ADULT_NETWORKS")
PROGRAM = NAMED or str(ROOT / "build/experiments/experiment_adult_networks")
Row = dict[str, str]


def read(file: Path) -> list[Row]:
    with file.open(newline="") as rows:
        return list(csv.DictReader(rows))


def test_noise_aware_networks_beat_the_plug_in(tmp_path: Path) -> None:
    where = ["--program", PROGRAM, "--out", str(tmp_path), "--quick"]
    subprocess.run([ROOT / "experiments/run", "adult-networks", *where], check=True)
    gains = {(row["network"], row["of"]): row for row in read(tmp_path / "adult-networks-gain.csv")}
    assert set(gains) == {(name, of) for name in ("two-parents", "tree") for of in ("joint", "income")}
    for name in ("two-parents", "tree"):
        row = gains[name, "joint"]
        assert float(row["gain"]) > 3 * float(row["se"])
    for row in read(tmp_path / "adult-networks-coverage.csv"):
        assert abs(float(row["noise_aware"]) - 0.9) < 0.07
        assert float(row["plug_in"]) < 0.75
