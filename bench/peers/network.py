"""pyAgrum and pgmpy answer the questions of bench/network.cpp: posteriors of all variables given five others.

    network.py [FOLDER POSTERIORS]

Both get the probabilities that pgmpy read. Reading is no part of what is measured; building the engine is,
as it is of ours.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyagrum as gum
from pgmpy.inference import VariableElimination
from pgmpy.readwrite import BIFReader

from bench.peers.timing import cpu_seconds, report

LEAST = 20


def agrum_network(model: Any) -> Any:
    """The network of pgmpy, cell by cell: pyAgrum's reader takes neither every name nor every digit."""
    network = gum.BayesNet()
    for table in model.get_cpds():
        name = table.variables[0]
        network.add(gum.LabelizedVariable(name, name, table.state_names[name]))
    for table in model.get_cpds():
        for parent in table.variables[1:]:
            network.addArc(parent, table.variables[0])
    for table in model.get_cpds():
        target = network.cpt(table.variables[0])
        for at in np.ndindex(*table.values.shape):
            levels = {
                name: table.state_names[name][i] for name, i in zip(table.variables, at, strict=True)
            }
            target[levels] = float(table.values[at])
    return network


def with_agrum(network: Any, names: list[str], evidence: dict[str, str]) -> None:
    engine = gum.LazyPropagation(network)
    engine.setEvidence(evidence)
    engine.makeInference()
    for name in names:
        engine.posterior(name)


def with_pgmpy(model: Any, names: list[str], evidence: dict[str, str]) -> None:
    engine = VariableElimination(model)
    for name in names:
        if name not in evidence:
            engine.query([name], evidence=evidence, show_progress=False)


def measure(path: Path, evidence: dict[str, str]) -> None:
    reader = BIFReader(str(path))
    names = reader.variable_names
    if len(names) < LEAST:
        return
    model = reader.get_model()
    for table in model.get_cpds():
        table.normalize()
    network = agrum_network(model)
    name = f"network/{path.stem}"
    agrum = cpu_seconds(lambda: with_agrum(network, names, evidence))
    report(name, "pyAgrum", version("pyagrum"), agrum, "ratio >= 3")
    pgmpy = cpu_seconds(lambda: with_pgmpy(model, names, evidence))
    report(name, "pgmpy", version("pgmpy"), pgmpy, "ratio >= 30")


def main() -> None:
    if len(sys.argv) < 3:
        return
    file = Path()
    for line in Path(sys.argv[2]).read_text().splitlines():
        words = line.split()
        if words[0] == "network":
            file = Path(sys.argv[1]) / f"{words[1]}.bif"
        elif words[0] == "evidence":
            measure(file, dict(zip(words[1::2], words[2::2], strict=True)))


if __name__ == "__main__":
    main()
