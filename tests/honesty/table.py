"""The figures of docs/honesty.md: one row a case, old prior beside learned, from the CSV files that
`honesty --csv` writes. Of a case that is in several files the last one counts.

Usage: table.py CSV...
"""

from __future__ import annotations

import csv
import sys

Row = dict[str, str]


def share(text: str) -> str:
    value = float(text)
    return "1.00" if value >= 0.995 else f"{value:.2f}".removeprefix("0")


def held(row: Row | None) -> str:
    if row is None:
        return ""
    if row["verdict"] in ("no answer", "not yet"):
        return f"no answer ({row['refused']})" if row["verdict"] == "no answer" else "not yet"
    return f"{share(row['held'])} ± {share(row['se'])}{' **fails**' if row['verdict'] == 'FAILS' else ''}"


def warned(row: Row | None) -> str:
    if row is None or not float(row["answered"]):
        return ""
    return share(row["cause_warned"])


def seconds(row: Row | None) -> str:
    return "" if row is None or not float(row["answered"]) else f"{float(row['cpu_seconds']):.2g}"


def main() -> None:
    rows: dict[str, dict[str, Row]] = {}
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                rows.setdefault(row["case"], {})[row["prior"]] = row
    print("| case | releases | old | learned | warned, old | learned | unbiased sum | CPU s, old | learned |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case, both in rows.items():
        old, new = both.get("old"), both.get("learned")
        some = new or old
        assert some is not None
        plain = share(some["plain"]) if some["plain"] else ""
        cells = [case, some["rounds"], held(old), held(new), warned(old), warned(new), plain]
        print(f"| {' | '.join([*cells, seconds(old), seconds(new)])} |")


if __name__ == "__main__":
    main()
