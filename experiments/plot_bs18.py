"""Draws fig1a.svg, fig1b.svg and fig1c.svg from the CSVs of experiments/run, as in Bernstein & Sheldon 2018.

Usage: plot_bs18.py FOLDER
"""

from __future__ import annotations

import csv
import re
import sys
from collections import defaultdict
from pathlib import Path

import matplotlib
from matplotlib import pyplot as plt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Row = dict[str, str]
Panel = tuple[str, str]

# (label, colour, line) of a method; ours are drawn on top.
LOOKS: dict[str, tuple[str, str, str]] = {
    "naive": ("naive", "#c0392b", "-"),
    "ops": ("OPS", "#8e6bbf", "-"),
    "nonprivate": ("non-private", "#777777", "-"),
    "paper_alg1": ("paper Alg. 1", "#e08e0b", "--"),
    "paper_alg2": ("paper Alg. 2", "#e08e0b", "--"),
    "gibbs": ("gibbs (ours)", "#1f77b4", "-"),
    "exact": ("exact (ours)", "#0b7a5c", "-"),
}


def read(file: Path) -> dict[Panel, list[Row]]:
    """The rows of each model and prior, in the order of the file."""
    panels: dict[Panel, list[Row]] = defaultdict(list)
    with file.open(newline="") as rows:
        for row in csv.DictReader(rows):
            panels[row["model"], row["prior"].replace(";", ", ")].append(row)
    return panels


def frame(count: int, rows: int) -> tuple[Figure, list[list[Axes]]]:
    figure, axes = plt.subplots(rows, count, figsize=(2.5 * count, 2.3 * rows), squeeze=False, sharey="row")
    return figure, axes.tolist()


def save(figure: Figure, file: Path) -> None:
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)
    # A smaller file: a hundredth of a point will do, and nobody reads the indentation.
    drawing = re.sub(r"(\d\.\d\d)\d+", r"\1", file.read_text(encoding="utf-8"))
    file.write_text(re.sub(r"\s*\n\s*", "\n", drawing), encoding="utf-8")


def finish(figure: Figure, file: Path) -> None:
    found: dict[str, Artist] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(str(label), handle)
    labels = [look[0] for look in LOOKS.values() if look[0] in found]
    figure.legend([found[label] for label in labels], labels, loc="outside lower center",
                  ncols=len(labels), fontsize=7, frameon=False)
    save(figure, file)


def against_n(source: Path, quantity: str, label: str, logarithmic: bool) -> None:
    """A panel for each model and prior, a row for each epsilon, a line for each method, over n."""
    panels = read(source)
    epsilons = sorted({row["epsilon"] for rows in panels.values() for row in rows}, key=float)
    figure, grid = frame(len(panels), len(epsilons))
    figure.set_layout_engine("constrained")
    for column, ((model, prior), rows) in enumerate(panels.items()):
        for line, epsilon in enumerate(epsilons):
            axes = grid[line][column]
            for method, (name, colour, style) in LOOKS.items():
                here = [r for r in rows if r["method"] == method and r["epsilon"] == epsilon]
                if here:
                    axes.errorbar([float(r["n"]) for r in here], [float(r[quantity]) for r in here],
                                  yerr=[float(r[quantity + "_se"]) for r in here], color=colour,
                                  linestyle=style, marker=".", linewidth=1, label=name)
            axes.set_xscale("log")
            if logarithmic:
                axes.set_yscale("log", nonpositive="clip")
            axes.minorticks_off()
            axes.set_xticks([100, 1000, 10000], ["100", "1000", "10⁴"])
            axes.set_title(f"{model}, {prior}\nε = {epsilon}", fontsize=7)
            axes.tick_params(labelsize=6)
        grid[-1][column].set_xlabel("n", fontsize=7)
    for row_of_axes in grid:
        row_of_axes[0].set_ylabel(label, fontsize=7)
    finish(figure, source.with_suffix(".svg"))


def figure_b(source: Path) -> None:
    """The empirical distribution function of U, thinned to what a picture can show."""
    panels = read(source)
    figure, grid = frame(len(panels), 1)
    figure.set_layout_engine("constrained")
    for axes, ((model, prior), rows) in zip(grid[0], panels.items(), strict=True):
        axes.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=0.6)
        for method, (name, colour, style) in LOOKS.items():
            here = [r for r in rows if r["method"] == method]
            here = here[:: max(1, len(here) // 50)]
            if here:
                axes.plot([0.0, *(float(r["u"]) for r in here), 1.0],
                          [0.0, *(float(r["cdf"]) for r in here), 1.0],
                          color=colour, linestyle=style, linewidth=1, label=name)
        axes.set_title(f"{model}, {prior}", fontsize=7)
        axes.tick_params(labelsize=6)
        axes.set_xlabel("U", fontsize=7)
    grid[0][0].set_ylabel("empirical CDF", fontsize=7)
    finish(figure, source.with_suffix(".svg"))


def main() -> int:
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "bs18"  # the same CSV gives the same file
    matplotlib.rcParams["svg.fonttype"] = "none"  # letters, not their outlines
    folder = Path(sys.argv[1])
    if (folder / "fig1a.csv").exists():
        against_n(folder / "fig1a.csv", "ks", "Kolmogorov-Smirnov", False)
    if (folder / "fig1b.csv").exists():
        figure_b(folder / "fig1b.csv")
    if (folder / "fig1c.csv").exists():
        against_n(folder / "fig1c.csv", "mmd2", "MMD²", True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
