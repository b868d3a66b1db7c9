"""Turns bench.json into the page docs/benchmarks.md.

    python3 -m bench.table build/bench.json > docs/benchmarks.md

Only what has a peer or a bar is shown; machines differ, ratios less.
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

from bench.check import passes

HEAD = """# Benchmarks

`make bench` measures us and, in the same run, the peers we compare with: versions pinned in `bench/peers`,
one thread each, CPU time of one or of several runs; `bench/reference` holds programs of our own in numpy. A
ratio says how many times better we are: their seconds over ours, or our rate over theirs. The numbers below
were measured on {machine}, {cores} cores; run it on yours.

| what | ours | peer | peer's | ratio | bar | |
|---|--:|---|--:|--:|---|---|
"""


def number(value: float, unit: str) -> str:
    if unit.endswith("/s"):
        return f"{value / 1e6:.3g} M{unit}"
    if unit == "s" and value < 0.1:
        return f"{value * 1e3:.3g} ms"
    return f"{value:.3g} {unit}"


def row(entry: dict[str, Any]) -> str:
    peer = f"{entry['peer']} {entry['peer_version']}" if entry["peer"] else ""
    theirs = number(entry["peer_value"], entry["unit"]) if entry["peer"] else ""
    ratio = f"{entry['ratio']:.3g}" if entry["ratio"] is not None else ""
    verdict = {None: "", True: "met", False: "**missed**"}[passes(entry)]
    cells = [
        entry["name"],
        number(entry["value"], entry["unit"]),
        peer,
        theirs,
        ratio,
        entry["bar"].replace("ratio ", ""),
        verdict,
    ]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    entries = json.loads(Path(sys.argv[1]).read_text())
    info = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    names = [line.split(":", 1)[1].strip() for line in info.splitlines() if line.startswith("model name")]
    machine = f"a machine with {names[0] if names else platform.processor()}"
    print(HEAD.format(machine=machine, cores=len(names) or 1), end="")
    print("\n".join(row(entry) for entry in entries if entry["peer"] or entry["bar"]))


if __name__ == "__main__":
    main()
