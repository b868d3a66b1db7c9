"""Posteriors of every variable of well-known networks given five others, by pgmpy's variable elimination.

    python tests/data/networks/make.py FOLDER > tests/data/networks/posteriors.txt

FOLDER has the networks as BIF files. Needs pgmpy (1.1.2 made what is here). Of each network:

    network <name>
    evidence <variable> <level> ...     five pairs
    <variable> <probability of each level> ...

Levels of the evidence are those of a record drawn from the network, so that they are possible. Rows of files
of few digits are divided by their sums first, as Postern's reader does.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

from pgmpy.inference import VariableElimination
from pgmpy.readwrite import BIFReader

EVIDENCE = 5


def draw_record(model: Any, order: list[str], rng: random.Random) -> dict[str, str]:
    record: dict[str, str] = {}
    for name in order:
        table = model.get_cpds(name)
        given = {parent: record[parent] for parent in table.variables[1:]}
        row = table.reduce(list(given.items()), inplace=False) if given else table
        record[name] = rng.choices(table.state_names[name], weights=row.values.ravel())[0]
    return record


def write(path: Path) -> None:
    reader = BIFReader(str(path))
    model = reader.get_model()
    for table in model.get_cpds():
        table.normalize()
    names = reader.variable_names
    rng = random.Random(path.stem)
    parents = {name: set(model.get_parents(name)) for name in names}
    order: list[str] = []
    while len(order) < len(names):
        order += [name for name in names if name not in order and parents[name] <= set(order)]
    record = draw_record(model, order, rng)
    seen = rng.sample(names, min(EVIDENCE, len(names) - 1))
    evidence = {name: record[name] for name in seen}
    print("network", path.stem)
    print("evidence", *(f"{name} {level}" for name, level in evidence.items()))
    engine = VariableElimination(model)
    for name in names:
        if name in evidence:
            continue
        answer = engine.query([name], evidence=evidence, show_progress=False)
        values = {state: float(answer.get_value(**{name: state})) for state in reader.variable_states[name]}
        print(name, *(repr(value) for value in values.values()), flush=True)


if __name__ == "__main__":
    for file in sorted(Path(sys.argv[1]).glob("*.bif")):
        print(file.stem, file=sys.stderr, flush=True)
        write(file)
