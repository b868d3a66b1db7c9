"""OpenDP and Google's library (PyDP) add noise: draws per CPU second, one thread, as their users call them.

OpenDP takes a vector of integers and adds exact discrete noise, as we do. Google's mechanism takes one number
a call and adds noise on a grid of a power of two; there is no vector form.
"""

from collections.abc import Callable
from importlib.metadata import version

import numpy as np
import opendp.prelude as dp
from pydp.algorithms.numerical_mechanisms import GaussianMechanism, LaplaceMechanism

from bench.peers.timing import cpu_seconds, report

COUNT = 100_000
OURS = {
    ("laplace", 1.0): "laplace epsilon 1",
    ("laplace", 10.0): "laplace epsilon 1/10",
    ("gaussian", 1.0): "gaussian sigma 1",
    ("gaussian", 10.0): "gaussian sigma 10",
}
BARS = {("laplace", 10.0): "ratio >= 50", ("gaussian", 10.0): "ratio >= 25"}


def rate(work: Callable[[], object]) -> float:
    return COUNT / cpu_seconds(work)


def opendp_rate(kind: str, scale: float) -> float:
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    if kind == "laplace":
        mechanism = dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale=scale)
    else:
        mechanism = dp.m.make_gaussian(domain, dp.l2_distance(T=float), scale=scale)
    zeros = np.zeros(COUNT, dtype=np.int64)
    return rate(lambda: mechanism(zeros))


def google_rate(kind: str, scale: float) -> float:
    if kind == "laplace":
        mechanism = LaplaceMechanism(1 / scale, 1.0)
    else:
        # Its sigma follows from (epsilon, delta); a draw costs the same at any of them.
        mechanism = GaussianMechanism(min(4 / scale, 1.0), 1e-5, 1.0)
    return rate(lambda: [mechanism.add_noise(0) for _ in range(COUNT)])


def main() -> None:
    dp.enable_features("contrib")
    for (kind, scale), name in OURS.items():
        bar = BARS.get((kind, scale), "")
        report(name, "opendp", version("opendp"), opendp_rate(kind, scale), bar)
        report(name, "google", version("python-dp"), google_rate(kind, scale), "")


if __name__ == "__main__":
    main()
