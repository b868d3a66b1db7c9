"""Draws figures 2, 3 and 4 of Williams and McSherry 2010 from the CSVs of experiments/run wm10-...

Usage, from the root: python -m experiments.plot_wm10 FOLDER
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import matplotlib
from matplotlib import pyplot as plt

from experiments.plot_bs18 import save

Row = dict[str, str]


def rows_of(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="") as source:
        return list(csv.DictReader(source))


def column(rows: list[Row], key: str) -> list[float]:
    return [float(row[key]) for row in rows]


def draw_bounds(folder: Path, errors: list[Row], shape: list[Row]) -> None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
    for key, label, style in (
        ("lower", "lower bound", "-"),
        ("upper_expected", "upper bound, q with \N{GREEK SMALL LETTER EPSILON}", "--"),
        ("upper_best", "upper bound, best q", "-"),
    ):
        left.plot(column(errors, "epsilon"), column(errors, key), style, label=label)
        right.plot(column(shape, "theta"), column(shape, key), style, label=label)
    right.plot(column(shape, "theta"), column(shape, "exact"), "k", label="exact")
    left.set(xlabel="\N{GREEK SMALL LETTER EPSILON}", ylabel="largest error", ylim=(0, 1))
    right.set(xlabel="\N{GREEK SMALL LETTER THETA}", ylabel="P(z = 0.7)")
    left.legend()
    right.legend()
    save(figure, folder / "wm10-fig2.svg")


def draw_paths(folder: Path, rows: list[Row]) -> None:
    figure, axes = plt.subplots(figsize=(5, 3.4))
    for a_round in sorted({row["epsilon_a_round"] for row in rows}, key=float):
        here = [row for row in rows if row["epsilon_a_round"] == a_round]
        axes.plot([float(row["epsilon"]) for row in here], [float(row["expected"]) for row in here], ".-",
                  label=f"{a_round} a round")
    axes.set(xlabel="\N{GREEK SMALL LETTER EPSILON} in all", ylabel="expected error, %", xscale="log")
    axes.legend()
    save(figure, folder / "wm10-fig3a.svg")


def draw_public(folder: Path, rows: list[Row]) -> None:
    figure, axes = plt.subplots(figsize=(5, 3.4))
    axes.errorbar([float(row["public_rows"]) for row in rows], [float(row["expected"]) for row in rows],
                  yerr=[float(row["expected_sd"]) for row in rows], marker=".", label="inference")
    axes.axhline(float(rows[0]["benchmark"]), color="k", linewidth=0.8, label="without privacy")
    axes.set(xlabel="public rows", ylabel="expected error, %")
    axes.legend()
    save(figure, folder / "wm10-fig3b.svg")


def draw_axes(folder: Path, rows: list[Row]) -> None:
    exponents = sorted({row["exponent"] for row in rows}, key=float)
    figure, panels = plt.subplots(1, len(exponents), figsize=(2.2 * len(exponents), 2.4), sharex=True)
    for panel, exponent in zip(panels, exponents, strict=True):
        here = [row for row in rows if row["exponent"] == exponent]
        for release in sorted({row["release"] for row in here}):
            one = [row for row in here if row["release"] == release]
            panel.plot(column(one, "degrees"), column(one, "mass"), drawstyle="steps-mid")
        panel.axvline(0, color="k", linewidth=0.6)
        panel.set(title=f"\N{GREEK SMALL LETTER EPSILON} = {exponent}", xlabel="degrees", yticks=[])
    save(figure, folder / "wm10-fig4.svg")


def main() -> int:
    matplotlib.use("svg")
    folder = Path(sys.argv[1])
    errors, shape = rows_of(folder / "wm10-fig2a.csv"), rows_of(folder / "wm10-fig2b.csv")
    if errors:
        draw_bounds(folder, errors, shape)
    paths = rows_of(folder / "wm10-fig3a.csv")
    if paths:
        draw_paths(folder, paths)
    public = rows_of(folder / "wm10-fig3b.csv")
    if public:
        draw_public(folder, public)
    axes = rows_of(folder / "wm10-fig4-angles.csv")
    if axes:
        draw_axes(folder, axes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
