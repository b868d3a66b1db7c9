#!/usr/bin/env python3
"""Shows the entries of bench.json against their bars; exit code 1 if a bar is missed.

bench/check.py build/bench.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

BAR = re.compile(r"(ratio )?(>=|<=|>|<) *([0-9.]+(?:e[+-]?[0-9]+)?)")
COMPARE = {
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
}
LINE = "{:<42} {:>9} {:<9.9} {:<8.8} {:>7} {:<13.13} {}"


def passes(entry: dict[str, Any]) -> bool | None:
    """Whether the entry reaches its bar; nothing if it has none."""
    if not entry["bar"]:
        return None
    match = BAR.fullmatch(entry["bar"])
    if match is None:
        raise SystemExit(f"bench/check.py: '{entry['name']}' has a bar that cannot be read: {entry['bar']}")
    measured = entry["ratio"] if match[1] else entry["value"]
    return measured is not None and bool(COMPARE[match[2]](float(measured), float(match[3])))


def show(entry: dict[str, Any], verdict: bool | None) -> str:
    times = "" if entry.get("ratio") is None else f"{entry['ratio']:.3g}x"
    word = {None: "", True: "ok", False: "MISSED"}[verdict]
    name = entry["name"] if len(entry["name"]) <= 42 else entry["name"][:41] + "…"
    return LINE.format(
        name, f"{entry['value']:.4g}", entry["unit"], entry.get("peer") or "", times, entry["bar"], word
    )


def main() -> int:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    entries = json.loads(Path(sys.argv[1]).read_text())
    verdicts = [passes(entry) for entry in entries]
    print(LINE.format("benchmark", "value", "unit", "peer", "ratio", "bar", ""))
    for entry, verdict in zip(entries, verdicts, strict=True):
        print(show(entry, verdict).rstrip())
    missed = verdicts.count(False)
    print(f"{verdicts.count(True)} bars reached, {missed} missed, {verdicts.count(None)} without a bar")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
