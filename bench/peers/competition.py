"""pyAgrum finds the marginals of the problems of bench/competition.cpp.

    competition.py [--data DIR]    DIR/networks/uai2014; without it there is nothing to measure

It gets the tables as they are read here: its own reader disagrees with ten of the files. Tables over the same
variables are multiplied, as it holds one of each. Reading is no part of what is measured; building the engine
is, as it is of ours. What it answers is compared with nothing.
"""

from __future__ import annotations

import math
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyagrum as gum

from bench.peers.timing import report

NAME = "competition: marginals of all 14 problems"


def read_tables(path: Path) -> tuple[list[int], dict[tuple[int, ...], Any]]:
    """The numbers of levels, and the product of the tables of each set of variables, in increasing order."""
    words = iter(path.read_text().split())
    assert next(words) == "MARKOV"
    sizes = [int(next(words)) for _ in range(int(next(words)))]
    scopes = [[int(next(words)) for _ in range(int(next(words)))] for _ in range(int(next(words)))]
    products: dict[tuple[int, ...], Any] = {}
    for scope in scopes:
        count = int(next(words))
        assert count == math.prod(sizes[v] for v in scope)
        weights = np.array([float(next(words)) for _ in range(count)])
        table = weights.reshape([sizes[v] for v in scope]).transpose(np.argsort(scope))
        key = tuple(sorted(scope))
        products[key] = products.get(key, 1.0) * table
    return sizes, products


def read_evidence(path: Path) -> dict[str, int]:
    """Pairs of a variable and its level, after their number, which itself may come after a 1."""
    words = [int(word) for word in path.read_text().split()]
    words = words[len(words) % 2 == 0 and len(words) > 0 :]
    return {f"v{variable}": level for variable, level in zip(words[1::2], words[2::2], strict=True)}


def network_of(sizes: list[int], products: dict[tuple[int, ...], Any]) -> Any:
    network = gum.MarkovRandomField()
    for v, size in enumerate(sizes):
        network.add(gum.RangeVariable(f"v{v}", "", 0, size - 1))
    for key, table in products.items():
        factor = network.addFactor([f"v{v}" for v in key])
        order = [key.index(int(name[1:])) for name in factor.names]
        # Its arrays have the last variable first.
        factor[:] = np.ascontiguousarray(table.transpose(order[::-1]))
    return network


def seconds_of(path: Path) -> float:
    network = network_of(*read_tables(path))
    evidence = read_evidence(path.with_name(path.name + ".evid"))
    start = time.process_time()
    engine = gum.ShaferShenoyMRFInference(network)
    engine.setNumberOfThreads(1)
    engine.setEvidence(evidence)
    engine.makeInference()
    for name in network.names():
        engine.posterior(name)
    return time.process_time() - start


def main() -> None:
    if sys.argv[1:2] != ["--data"]:
        return
    files = sorted((Path(sys.argv[2]) / "networks" / "uai2014").glob("*.uai"))
    if not files:
        return
    report(NAME, "pyAgrum", version("pyagrum"), sum(seconds_of(file) for file in files), "")


if __name__ == "__main__":
    main()
