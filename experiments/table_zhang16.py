"""Prints the tables of docs/experiments/zhang-2016.md from the CSVs of experiments/run zhang16-table1.

In brackets: the figure of an independent prototype, where it has one. Usage: table_zhang16.py FOLDER
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

REFERENCE = Path(__file__).resolve().parent.parent / "tests/experiments/zhang16_reference.json"
EPSILONS = ["0.1", "0.5", "1", "2", "5", "10", "20", "50"]
LABELS = {
    "laplace_continuous": "Laplace, continuous",
    "laplace_discrete": "Laplace, integers",
    "laplace_add_remove": "Laplace, integers, add-remove",
    "fourier_clipped": "Fourier as printed, clipped",
    "fourier_stealthy": "Fourier as printed, stealthy runs",
    "fourier_printed_t": "Fourier as printed, t = ln 10",
    "fourier_least": "Fourier as printed, least increment",
    "fourier_shrunk": "Fourier, exact sensitivity, shrunk",
    "sampler_printed": "posterior draw as printed",
    "sampler_printed_100": "the same, mean of 100 draws",
    "sampler": "posterior draw",
    "sampler_10": "ten draws for ε/10 each",
    "tempered_05": "tempered draw, ω = .05",
    "tempered_20": "tempered draw, ω = .2",
    "tempered_35": "tempered draw, ω = .35",
    "private_map": "private MAP, ω = .2",
    "noise_aware": "**Laplace, integers, noise-aware**",
    "laplace_fair": "Laplace, integers, told that classes are even",
    "noise_aware_fair": "**noise-aware, told that classes are even**",
    "gain": "gain of noise-aware, class given features (nats)",
    "gain_half": "the same, priors Beta(.5, .5)",
    "joint_gain": "gain of noise-aware, whole record",
    "stealth": "share of stealthy runs",
    "increment": "least increment of a cell",
}
NONE = "\N{EN DASH}"
Cells = dict[tuple[str, str], dict[str, str]]


def shown(value: float) -> str:
    return f"{value:.3f}" if abs(value) < 5 else f"{value:.3g}"


def cell(cells: Cells, known: dict[tuple[str, str], float], method: str, epsilon: str) -> str:
    row = cells.get((method, epsilon))
    if row is None:
        return NONE
    theirs = known.get((method, epsilon))
    return shown(float(row["mean"])) + (f" ({theirs:g})" if theirs is not None else "")


def main() -> int:
    with (Path(sys.argv[1]) / "zhang16-accuracy.csv").open(newline="") as source:
        rows = list(csv.DictReader(source))
    cells: Cells = {(row["method"], row["epsilon"]): row for row in rows}
    known = {(e["method"], "" if e["epsilon"] is None else f"{e['epsilon']:g}"): e["mean"]
             for e in json.loads(REFERENCE.read_text())}
    for method in ("nonprivate", "best", "majority"):
        print(f"{method}: {cell(cells, known, method, '')}, se {float(cells[method, '']['se']):.4f}")
    print("\n| ε |", " | ".join(EPSILONS), "|")
    print("|" + "---|" * (1 + len(EPSILONS)))
    methods = [method for method in LABELS if any(key[0] == method for key in cells)]
    for method in methods:
        print(f"| {LABELS[method]} |", " | ".join(cell(cells, known, method, e) for e in EPSILONS), "|")
    print("\n| true ε of | ", " | ".join(EPSILONS), "|")
    print("|" + "---|" * (1 + len(EPSILONS)))
    for method in methods:
        true = [cells.get((method, e), {}).get("true_epsilon", "") for e in EPSILONS]
        if any(true):
            print(f"| {LABELS[method]} |", " | ".join(f"{float(x):.3g}" if x else NONE for x in true), "|")
    return 0


if __name__ == "__main__":
    sys.exit(main())
