"""numpy multiplies the ten columns of bench/moments.cpp in floating point: X.T @ X, one thread."""

import numpy as np

from bench.peers.timing import cpu_seconds, report

NAME = "moments: products of 10 columns, 10^7 rows"
ROWS = 10_000_000


def main() -> None:
    rng = np.random.default_rng(1)
    records = rng.uniform(-1, 1, (ROWS, 10))
    report(NAME, "numpy", np.__version__, cpu_seconds(lambda: records.T @ records), "ratio >= 0.35")


if __name__ == "__main__":
    main()
