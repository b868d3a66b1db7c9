"""Prints the tables of docs/experiments/adult-networks.md from the CSVs of experiments/run adult-networks.

Usage: table_adult_networks.py FOLDER
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

COLUMNS = {
    ("two-parents", "joint"): "two parents, whole record",
    ("two-parents", "income"): "income given the rest",
    ("tree", "joint"): "tree, whole record",
    ("tree", "income"): "income given the rest",
}


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as source:
        return list(csv.DictReader(source))


def gain(row: dict[str, str]) -> str:
    value, se = float(row["gain"]), float(row["se"])
    digits = 3 if abs(value) > 0.1 else 4 if abs(value) > 0.001 else 5
    return f"{value:.{digits}f} ({value / se:.1f})"


def main() -> int:
    folder = Path(sys.argv[1])
    gains = rows_of(folder / "adult-networks-gain.csv")
    print("| ε | " + " | ".join(COLUMNS.values()) + " |")
    print("|---|" + "---|" * len(COLUMNS))
    for epsilon in dict.fromkeys(row["epsilon"] for row in gains):
        cells = {(row["network"], row["of"]): gain(row) for row in gains if row["epsilon"] == epsilon}
        print(f"| {epsilon} | " + " | ".join(cells.get(column, "") for column in COLUMNS) + " |")
    print("\n| network | ε | noise-aware | its standard error | plug-in |\n|---|---|---|---|---|")
    for row in rows_of(folder / "adult-networks-coverage.csv"):
        numbers = [float(row[name]) for name in ("noise_aware", "se", "plug_in")]
        print(f"| {row['network']} | {row['epsilon']} | " + " | ".join(f"{x:.3f}" for x in numbers) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
