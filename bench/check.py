#!/usr/bin/env python3
"""Shows the entries of bench.json against their bars; exit code 1 if a bar is missed.

    bench/check.py build/bench.json [--partial]

Two more things must hold. Every bar of bench/required.json is there, unless the run was partial: a bar
that is no longer measured is not met. And no numpy program of bench/reference is a straw man: its time,
scaled by the yardstick to the machine that bench/reference/oracle.json was timed on, is at most 1.5 times
what is written there: the timings of an independent prototype.
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
FOLDER = Path(__file__).resolve().parent
ORACLE_YARDSTICK = 0.17  # s; not recorded with the oracle: what machines of its kind need
MOST_OF_ORACLE = 1.5
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


def absent(entries: list[dict[str, Any]]) -> list[str]:
    """The required bars that no entry has."""
    required: dict[str, list[str]] = json.loads((FOLDER / "required.json").read_text())
    there = {(entry["name"], entry["bar"]) for entry in entries}
    return [f"{name} {bar}" for name, bars in required.items() for bar in bars if (name, bar) not in there]


def straw_men(entries: list[dict[str, Any]]) -> list[str]:
    """The numpy references that are slower than the oracle allows; shows all of them."""
    oracle: dict[str, float] = json.loads((FOLDER / "reference" / "oracle.json").read_text())
    slow = []
    for entry in entries:
        if entry["name"] not in oracle or entry.get("peer") != "numpy":
            continue
        scaled = float(entry["peer_value"]) * ORACLE_YARDSTICK / float(entry["yardstick"])
        times = scaled / oracle[entry["name"]]
        print(f"numpy reference of {entry['name']}: {times:.2f} of its oracle's time, <= {MOST_OF_ORACLE}")
        if times > MOST_OF_ORACLE:
            slow.append(entry["name"])
    return slow


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--partial"]
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    entries = json.loads(Path(arguments[0]).read_text())
    verdicts = [passes(entry) for entry in entries]
    print(LINE.format("benchmark", "value", "unit", "peer", "ratio", "bar", ""))
    for entry, verdict in zip(entries, verdicts, strict=True):
        print(show(entry, verdict).rstrip())
    slow = straw_men(entries)
    for name in slow:
        print(f"MISSED: the numpy reference of {name} is too slow to be compared with")
    unmeasured = [] if "--partial" in sys.argv else absent(entries)
    for bar in unmeasured:
        print(f"MISSED: not measured: {bar}")
    missed = verdicts.count(False) + len(slow) + len(unmeasured)
    print(f"{verdicts.count(True)} bars reached, {missed} missed, {verdicts.count(None)} without a bar")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
