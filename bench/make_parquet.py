"""Writes the file of bench/parquet.cpp: 10^7 made-up rows, eight text and six integer columns.

bench/make_parquet.py FILE
"""

import sys

import numpy as np
import polars as pl

LEVELS = [9, 16, 7, 15, 6, 5, 2, 42, 85, 16, 100, 100, 99, 2]
TEXTS = 8
ROWS = 10_000_000


def main() -> None:
    rng = np.random.default_rng(1)
    columns = {}
    for place, size in enumerate(LEVELS):
        numbers = pl.Series(rng.integers(0, size, ROWS, dtype=np.int64))
        labels = pl.Series([f"level-{level}" for level in range(size)])
        columns[f"c{place}"] = labels.gather(numbers) if place < TEXTS else numbers
    pl.DataFrame(columns).write_parquet(sys.argv[1], row_group_size=1 << 20)


if __name__ == "__main__":
    main()
