"""Gathers what the long calibration grid measured: a CSV of every cell, and a table of the families.

    engines --gtest_filter='Long/FullGridCalibration.*' --gtest_output=json:grid.json

A later file wins where two hold the same cell; files may be such CSVs as well.
Usage: table_grid.py CSV FILE [FILE ...]
"""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from dataclasses import astuple, dataclass, fields
from pathlib import Path

Cell = tuple[str, int, float, str]
NAME = re.compile(r"(?P<family>.+)_n(?P<n>\d+)_eps(?P<epsilon>[\d_]+)_(?P<number>public|private)_n")


@dataclass(frozen=True)
class Ranks:
    """How far the ranks of one quantity are from uniform in one cell."""

    family: str
    n: int
    epsilon: float
    number: str  # of records: public or private
    quantity: str
    studies: int
    ks: float

    @property
    def cell(self) -> Cell:
        return self.family, self.n, self.epsilon, self.number

    @property
    def scaled(self) -> float:
        return self.ks * math.sqrt(self.studies)


def ranks_of(test: dict[str, str]) -> list[Ranks]:
    match = NAME.fullmatch(test["value_param"])
    if match is None or "ks_limit" not in test:
        raise SystemExit(f"not a cell of the grid: {test['name']}")
    studies = round((2.70 / float(test["ks_limit"])) ** 2)
    return [
        Ranks(match["family"].replace("_", "-"), int(match["n"]), float(match["epsilon"].replace("_", ".")),
              match["number"], key.removeprefix("ks_"), studies, float(value))
        for key, value in test.items() if key.startswith("ks_") and key != "ks_limit"
    ]


def read_json(file: Path) -> list[list[Ranks]]:
    tests = [test for suite in json.loads(file.read_text())["testsuites"] for test in suite["testsuite"]]
    return [ranks_of(test) for test in tests if test["result"] == "COMPLETED"]


def read_csv(file: Path) -> list[list[Ranks]]:
    with file.open(newline="") as rows:
        found = [Ranks(row["family"], int(row["n"]), float(row["epsilon"]), row["number"], row["quantity"],
                       int(row["studies"]), float(row["ks"])) for row in csv.DictReader(rows)]
    cells: dict[Cell, list[Ranks]] = {}
    for one in found:
        cells.setdefault(one.cell, []).append(one)
    return list(cells.values())


def read(files: list[Path]) -> list[Ranks]:
    cells: dict[Cell, list[Ranks]] = {}
    for file in files:
        for ranks in read_csv(file) if file.suffix == ".csv" else read_json(file):
            cells[ranks[0].cell] = ranks
    return [one for ranks in cells.values() for one in ranks]


def write(rows: list[Ranks], file: Path) -> None:
    with file.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(field.name for field in fields(Ranks))
        writer.writerows(astuple(row) for row in rows)


def main() -> int:
    rows = read([Path(name) for name in sys.argv[2:]])
    rows.sort(key=lambda r: (r.family, r.n, r.epsilon, r.number, r.quantity))
    write(rows, Path(sys.argv[1]))
    print("| family | cells | studies a cell | ranks | largest √M·KS | where |\n|---|---|---|---|---|---|")
    for family in dict.fromkeys(row.family for row in rows):
        here = [row for row in rows if row.family == family]
        worst = max(here, key=lambda row: row.scaled)
        cells = {row.cell for row in here}
        studies = ", ".join(str(m) for m in sorted({row.studies for row in here}))
        print(f"| {family} | {len(cells)} | {studies} | {len(here)} | {worst.scaled:.2f} | {worst.quantity}, "
              f"n {worst.n} {worst.number}, ε {worst.epsilon:g} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
