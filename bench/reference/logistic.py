"""The likelihood of noisy gradients of a logistic regression, records summed out, in numpy.

One evaluation, as a chain makes it at every move: the expected gradient over 2048 points that stand for the
features' law, and the normal log density of what was published around it. The covariance is inverted once,
and the quadratic form reduced to the ten numbers that move, as in bench/logistic.cpp.
"""

import numpy as np

from bench.peers.timing import cpu_seconds, report

POINTS, COEFFICIENTS, GRADIENTS, RECORDS = 2048, 10, 10, 17_500
EVALUATIONS = 2000


def main() -> None:
    rng = np.random.default_rng(1)
    points = 2 * rng.random((POINTS, COEFFICIENTS)) - 1
    root = rng.normal(size=(COEFFICIENTS, COEFFICIENTS))
    form = root @ root.T
    pull = rng.normal(size=COEFFICIENTS)
    centre = np.full(COEFFICIENTS, 0.04)
    theta = np.full(COEFFICIENTS, 0.5)

    def log_density(at: np.ndarray) -> float:
        p = 1 / (1 + np.exp(-(points @ at)))
        shift = RECORDS * (p @ points / POINTS - centre)
        return float(-0.5 * (shift @ (form @ shift) - 2 * (pull @ shift)) - 0.08 * (at @ at))

    def evaluate() -> None:
        for i in range(EVALUATIONS):
            theta[i % COEFFICIENTS] += 1e-6
            log_density(theta)

    name = "logistic/collapsed likelihood,n=17500,d=10,T=10"
    report(name, "numpy", np.__version__, cpu_seconds(evaluate) / EVALUATIONS, "ratio >= 3")


if __name__ == "__main__":
    main()
