"""The tables of docs/experiments/bernstein-2017.md, from the CSVs of experiments/run cgm17-...

Usage: table_cgm17.py FOLDER
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

Row = dict[str, str]


def read(file: Path) -> list[Row]:
    with file.open(newline="") as rows:
        return list(csv.DictReader(rows))


def table(rows: list[Row], row_of: Callable[[Row], tuple[str, ...]], value: str) -> None:
    """A line for each row_of, a column for each method."""
    cells: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        cells[row_of(row)][row["method"]].append(float(row[value]))
    methods = list(dict.fromkeys(row["method"] for row in rows))
    print("| " + " | ".join(["", *methods]) + " |")
    print("|---" * (len(methods) + 1) + "|")
    for key, found in cells.items():
        values = [f"{fmean(found[method]):.3g}" if method in found else "-" for method in methods]
        print("| " + " | ".join([", ".join(key), *values]) + " |")
    print()


def ratios(rows: list[Row], group: str) -> None:
    """CPU time in proportion to the naive estimate's."""
    seconds: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        seconds[row.get(group, "")][row["method"]].append(float(row["seconds"]))
    for key, found in seconds.items():
        naive = fmean(found["naive"])
        print(f"{key}: naive {1000 * naive:.2f} ms; " +
              ", ".join(f"{method} {fmean(times) / naive:.3g}x" for method, times in found.items()))
    print()


def main() -> int:
    folder = Path(sys.argv[1])
    divergences = read(folder / "cgm17-fig2.csv")
    table(divergences, lambda row: (row["graph"], f"|X| = {row['levels']}", row["epsilon"], row["n"]), "kl")
    for levels in sorted({row["levels"] for row in divergences}):
        print(f"|X| = {levels}")
        ratios([row for row in divergences if row["levels"] == levels], "graph")
    mobility = read(folder / "cgm17-fig3b.csv")
    table(mobility, lambda row: (row["epsilon"],), "held_out")
    ratios(mobility, "people")
    return 0


if __name__ == "__main__":
    sys.exit(main())
