"""Draws figures 1 to 3 of Bernstein et al. 2017 from the CSVs of experiments/run cgm17-...

Usage, from the root: python -m experiments.plot_cgm17 FOLDER
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import matplotlib
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from experiments.plot_bs18 import save

Row = dict[str, str]

EPSILON = "\N{GREEK SMALL LETTER EPSILON}"
LOOKS: dict[str, tuple[str, str]] = {
    "random": ("#bbbbbb", ":"),
    "uniform": ("#777777", ":"),
    "without privacy": ("#000000", "-"),
    "naive": ("#c0392b", "-"),
    "naive (best ridge)": ("#c0392b", "--"),
    "dp-sgd": ("#8e6bbf", "-"),
    "cgm (nlbp)": ("#e08e0b", "-"),
    "cgm (exact E step)": ("#e08e0b", "--"),
    "na-map": ("#0b7a5c", "-"),
    "na-map (normal noise)": ("#0b7a5c", "--"),
}


def rows_of(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="") as source:
        return list(csv.DictReader(source))


def means(rows: list[Row], at: str, key: str) -> tuple[list[float], list[float]]:
    """The mean of a column at each value of another."""
    groups: dict[float, list[float]] = defaultdict(list)
    for row in rows:
        groups[float(row[at])].append(float(row[key]))
    where = sorted(groups)
    return where, [fmean(groups[x]) for x in where]


def draw_errors(folder: Path, rows: list[Row]) -> None:
    figure, axes = plt.subplots(figsize=(5, 3.4))
    for epsilon, shade in (("0.1", "#c0392b"), ("1", "#e08e0b")):
        here = [row for row in rows if row["epsilon"] == epsilon]
        lines = (("naive", "learnt", "-"), ("noisy_tables", "tables", ":"), ("predicted", "predicted", "--"))
        for key, label, style in lines:
            axes.plot(*means(here, "n", key), style, color=shade, label=f"{label}, {EPSILON} = {epsilon}")
    axes.plot(*means(rows, "n", "without_privacy"), "k-", label="without privacy")
    axes.set(xlabel="n", ylabel="mean squared error of margins", xscale="log", yscale="log")
    axes.legend(fontsize=7)
    save(figure, folder / "cgm17-fig1a.svg")


def draw_lines(file: Path, rows: list[Row], at: str, keys: tuple[str, ...], label: str) -> None:
    figure, axes = plt.subplots(figsize=(5, 3.4))
    for key in keys:
        axes.plot(*means(rows, at, key), ".-", label=key.replace("_", " "))
    axes.set(xlabel=label, ylabel="KL divergence, nats", xscale="log", yscale="log")
    axes.legend(fontsize=7)
    save(figure, file)


def draw_methods(axes: Axes, rows: list[Row], at: str, key: str) -> None:
    for method, (shade, style) in LOOKS.items():
        here = [row for row in rows if row["method"] == method]
        if here:
            axes.plot(*means(here, at, key), style, color=shade, label=method)


def draw_divergences(folder: Path, rows: list[Row]) -> None:
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    few = min(int(row["levels"]) for row in rows)
    rows = [row for row in rows if int(row["levels"]) == few]
    epsilons = sorted({row["epsilon"] for row in rows}, key=float)
    figure, grid = plt.subplots(len(graphs), len(epsilons), figsize=(2.9 * len(epsilons), 5.4), squeeze=False,
                                sharey="row")
    for i, graph in enumerate(graphs):
        for j, epsilon in enumerate(epsilons):
            axes = grid[i, j]
            here = [row for row in rows if row["graph"] == graph and row["epsilon"] == epsilon]
            draw_methods(axes, here, "n", "kl")
            axes.set(xscale="log", yscale="log", title=f"{graph}, {EPSILON} = {epsilon}")
            if i + 1 == len(graphs):
                axes.set_xlabel("n")
        grid[i, 0].set_ylabel("KL divergence, nats")
    grid[0, 0].legend(fontsize=6)
    figure.tight_layout()
    save(figure, folder / "cgm17-fig2.svg")


def draw_marginals(folder: Path, rows: list[Row]) -> None:
    figure, grid = plt.subplots(1, 4, figsize=(11, 3), sharex=True, sharey=True)
    some = rows[:: max(1, len(rows) // 600)]
    truth = [float(row["truth"]) for row in some]
    for axes, key in zip(grid, ("without_privacy", "naive", "cgm", "na_map"), strict=True):
        axes.plot(truth, [float(row[key]) for row in some], ".", markersize=2)
        axes.axline((0, 0), slope=1, color="k", linewidth=0.5)
        axes.set(title=key.replace("_", " "), xlabel="true margin")
    figure.tight_layout()
    save(figure, folder / "cgm17-fig3a.svg")


def draw_mobility(folder: Path, rows: list[Row]) -> None:
    figure, axes = plt.subplots(figsize=(5, 3.4))
    draw_methods(axes, rows, "epsilon", "held_out")
    axes.set(xlabel=EPSILON, ylabel="held-out log-probability of a move, nats", xscale="log")
    axes.legend(fontsize=7)
    save(figure, folder / "cgm17-fig3b.svg")


def main() -> int:
    matplotlib.use("svg")
    folder = Path(sys.argv[1])
    if rows := rows_of(folder / "cgm17-fig1a.csv"):
        draw_errors(folder, rows)
    if rows := rows_of(folder / "cgm17-fig1b.csv"):
        draw_lines(folder / "cgm17-fig1b.svg", rows, "n", ("projected", "not_projected", "uniform"), "n")
    if rows := rows_of(folder / "cgm17-fig1c.csv"):
        draw_lines(folder / "cgm17-fig1c.svg", rows, "ridge", ("private", "without_privacy"), "ridge")
    if rows := rows_of(folder / "cgm17-fig2.csv"):
        draw_divergences(folder, rows)
    if rows := rows_of(folder / "cgm17-fig3a.csv"):
        draw_marginals(folder, rows)
    if rows := rows_of(folder / "cgm17-fig3b.csv"):
        draw_mobility(folder, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
