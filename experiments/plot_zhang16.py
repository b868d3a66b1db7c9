"""Draws zhang16-fig1.svg from zhang16-accuracy.csv of experiments/run, as Figure 1 of Zhang et al. 2016.

Left over the epsilon that a method claims, right over the one that it has.
Usage, from the root: python -m experiments.plot_zhang16 FOLDER
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import matplotlib
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from experiments.plot_bs18 import save

# (label, colour, line) of a method
LOOKS: dict[str, tuple[str, str, str]] = {
    "laplace_discrete": ("Laplace", "#1f77b4", "-"),
    "fourier_stealthy": ("Fourier, stealthy runs (paper)", "#e08e0b", "--"),
    "fourier_shrunk": ("Fourier, shrunk", "#e08e0b", "-"),
    "sampler_printed": ("posterior draw (paper)", "#c0392b", "--"),
    "sampler": ("posterior draw", "#c0392b", "-"),
    "private_map": ("private MAP", "#8e6bbf", "-"),
    "noise_aware": ("Laplace, noise-aware (ours)", "#0b7a5c", "-"),
}
Row = dict[str, str]


def panel(axes: Axes, rows: list[Row], over: str, title: str) -> None:
    for method, (label, colour, style) in LOOKS.items():
        here = [row for row in rows if row["method"] == method and row[over]]
        if here:
            axes.errorbar([float(row[over]) for row in here], [float(row["mean"]) for row in here],
                          yerr=[float(row["se"]) for row in here], color=colour, linestyle=style, marker=".",
                          linewidth=1, label=label)
    for method, label in (("nonprivate", "non-private"), ("majority", "majority class")):
        for row in rows:
            if row["method"] == method:
                axes.axhline(float(row["mean"]), color="#777777", linewidth=0.6, label=label,
                             linestyle="-" if method == "nonprivate" else ":")
    axes.set_xscale("log")
    axes.set_xlabel(title, fontsize=7)
    axes.tick_params(labelsize=6)


def main() -> int:
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "zhang16"  # the same CSV gives the same file
    matplotlib.rcParams["svg.fonttype"] = "none"  # letters, not their outlines
    folder = Path(sys.argv[1])
    with (folder / "zhang16-accuracy.csv").open(newline="") as source:
        rows = list(csv.DictReader(source))
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.5, 3.4), sharey=True)
    figure.set_layout_engine("constrained")
    panel(left, rows, "epsilon", "ε claimed")
    panel(right, rows, "true_epsilon", "ε in truth, n = 50")
    left.set_ylabel("accuracy", fontsize=7)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=7, frameon=False)
    save(figure, folder / "zhang16-fig1.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
