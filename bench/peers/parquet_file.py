"""polars materialises the file of bench/parquet.cpp, given as the one argument, with one thread."""

import sys

import polars as pl

from bench.peers.timing import cpu_seconds, report

NAME = "parquet: 10^7 rows x 14 columns to coded columns"


def main() -> None:
    path = sys.argv[1]
    assert pl.thread_pool_size() == 1
    frame = pl.read_parquet(path)
    assert frame.shape == (10_000_000, 14)
    report(NAME, "polars", pl.__version__, cpu_seconds(lambda: pl.read_parquet(path)), "ratio >= 1")


if __name__ == "__main__":
    main()
