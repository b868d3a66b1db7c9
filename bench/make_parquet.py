"""Writes the files of bench/parquet.cpp, one for each of three writers, just as each writes by default.

bench/make_parquet.py FOLDER

10^7 made-up rows in the shape of UCI Adult: eight text columns of 2 to 42 labels, six of small whole
numbers, one of whole numbers that seldom repeat (as the census weights do), one of amounts in cents; no
nulls, but every column may hold them.

pyarrow.parquet  snappy; row groups of 2^20; dictionaries, with plain pages once they are full
polars.parquet   zstd; row groups of some 10^5; dictionaries, or plain columns
duckdb.parquet   snappy; row groups of 122880; dictionaries, or plain columns
"""

import sys
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
from pyarrow import parquet

LEVELS = [9, 16, 7, 15, 6, 5, 2, 42, 85, 16, 100, 100, 99, 2]
TEXTS = 8
ROWS = 10_000_000


def make_frame() -> pl.DataFrame:
    rng = np.random.default_rng(1)
    columns = []
    for place, size in enumerate(LEVELS):
        numbers = pl.Series(rng.integers(0, size, ROWS, dtype=np.int64))
        labels = pl.Series([f"level-{level}" for level in range(size)])
        columns.append(labels.gather(numbers) if place < TEXTS else numbers)
    columns.append(pl.Series(rng.integers(12_000, 1_500_000, ROWS, dtype=np.int64)))
    columns.append(pl.Series(rng.gamma(2.0, 20_000.0, ROWS).round(2)))
    return pl.DataFrame({f"c{place}": column for place, column in enumerate(columns)})


def main() -> None:
    folder = Path(sys.argv[1])
    frame = make_frame()
    frame.write_parquet(folder / "polars.parquet")
    table = frame.to_arrow()
    parquet.write_table(table, folder / "pyarrow.parquet")
    duckdb.from_arrow(table).write_parquet(str(folder / "duckdb.parquet"))


if __name__ == "__main__":
    main()
