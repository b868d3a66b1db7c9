"""Prints the tables of docs/experiments/bernstein-sheldon-2018.md from the CSVs of experiments/run.

In brackets: the figure of an independent prototype, where it has one.
Usage: table_bs18.py FOLDER
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

REFERENCE = Path(__file__).resolve().parent.parent / "tests/experiments/bs18_reference.json"
Row = dict[str, str]
Key = tuple[str, str, str, str]
Known = dict[Key, dict[str, dict[str, list[float]]]]

# (our method, heading, the prototype's name)
COLUMNS: dict[str, list[tuple[str, str, str]]] = {
    "binomial": [("nonprivate", "non-private", "nonpriv"), ("exact", "exact", "exact"),
                 ("paper_alg1", "paper Alg. 1", "gibbs"),
                 ("naive", "naive", "naive"), ("ops", "OPS", "ops")],
    "multinomial": [("nonprivate", "non-private", "nonpriv"), ("exact", "exact", ""), ("gibbs", "gibbs", ""),
                    ("paper_alg1", "paper Alg. 1", "gibbs"),
                    ("naive", "naive", "naive")],
    "exponential": [("nonprivate", "non-private", "nonpriv"), ("exact", "exact, clamp", ""),
                    ("paper_alg2", "paper Alg. 2", "paper"),
                    ("naive", "naive", "naive")],
}


def key_of(row: Row) -> Key:
    return row["model"], row["prior"], row["n"], row["epsilon"]


def cell(row: Row | None, quantity: str, known: dict[str, list[float]], name: str) -> str:
    if row is None:
        return ""
    value = float(row[quantity])
    shown = f"{value:.3f}" if quantity == "ks" else f"{value:.2e}"
    if name not in known:
        return shown
    return f"{shown} ({known[name][0]:.3f})" if quantity == "ks" else f"{shown} ({known[name][0]:.2e})"


def table(rows: list[Row], model: str, quantity: str, known: Known) -> None:
    found = {(*key_of(row), row["method"]): row for row in rows if row["model"] == model}
    methods = {row["method"] for row in rows if row["model"] == model}
    columns = [column for column in COLUMNS[model] if column[0] in methods]
    print("\n| prior | n | ε |", " | ".join(heading for _, heading, _ in columns), "|")
    print("|" + "---|" * (3 + len(columns)))
    for key in dict.fromkeys(key_of(row) for row in rows if row["model"] == model):
        cells = [cell(found.get((*key, method)), quantity, known[key].get(quantity, {}), name)
                 for method, _, name in columns]
        print(f"| {key[1].replace(';', ', ')} | {key[2]} | {key[3]} |", " | ".join(cells), "|")


def main() -> int:
    folder = Path(sys.argv[1])
    entries = json.loads(REFERENCE.read_text())
    known: Known = {(e["model"], e["prior"], str(e["n"]), str(e["epsilon"])): e for e in entries}
    for file, quantity in (("fig1a.csv", "ks"), ("fig1c.csv", "mmd2")):
        with (folder / file).open(newline="") as source:
            rows = list(csv.DictReader(source))
        for model in dict.fromkeys(row["model"] for row in rows):
            table(rows, model, quantity, known)
    return 0


if __name__ == "__main__":
    sys.exit(main())
