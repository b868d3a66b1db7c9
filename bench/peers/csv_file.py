"""polars reads the file of bench/csv.cpp, given as the one argument, with one thread (see bench/run.py)."""

import sys

import polars as pl

from bench.peers.timing import cpu_seconds, report

NAME = "csv: Adult x 100 to coded columns"


def main() -> None:
    path = sys.argv[1]
    assert pl.thread_pool_size() == 1
    assert pl.read_csv(path, n_rows=10).width == 15
    report(NAME, "polars", pl.__version__, cpu_seconds(lambda: pl.read_csv(path)), "ratio >= 2")


if __name__ == "__main__":
    main()
