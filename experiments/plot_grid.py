"""Draws how the distances of the calibration grid are spread, beside the law that calibrated ranks follow.

Usage, from the root: python -m experiments.plot_grid CSV SVG
"""

from __future__ import annotations

import csv
import math
import sys
from pathlib import Path

from matplotlib import pyplot as plt

from experiments.plot_bs18 import save

LIMIT = 2.70


def kolmogorov(x: float) -> float:
    """P(sqrt(M) KS <= x) of uniform ranks, for many of them."""
    if x < 0.2:
        return 0.0
    return 1 - 2 * sum((1.0 if k % 2 else -1.0) * math.exp(-2 * k * k * x * x) for k in range(1, 40))


def main() -> int:
    with Path(sys.argv[1]).open(newline="") as rows:
        found = sorted(float(row["ks"]) * math.sqrt(float(row["studies"])) for row in csv.DictReader(rows))
    figure, axes = plt.subplots(figsize=(5.6, 3.2))
    axes.step(found, [(i + 1) / len(found) for i in range(len(found))], where="post", color="#0b7a5c",
              linewidth=1.4, label=f"{len(found)} rank distributions of the grid")
    line = [0.2 + 0.01 * i for i in range(261)]
    axes.plot(line, [kolmogorov(x) for x in line], color="#777777", linewidth=1, linestyle="--",
              label="Kolmogorov's law: calibrated posteriors")
    axes.axvline(LIMIT, color="#c0392b", linewidth=1, label="limit of the test (10⁻⁶)")
    axes.set_xlabel("√M · KS")
    axes.set_ylabel("share not above")
    axes.set_xlim(0.2, 2.8)
    axes.set_ylim(0, 1.02)
    axes.legend(fontsize=7, frameon=False, loc="center", bbox_to_anchor=(0.66, 0.45))
    figure.set_layout_engine("constrained")
    save(figure, Path(sys.argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
