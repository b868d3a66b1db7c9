"""polars materialises a file of bench/parquet.cpp, all its columns, with one thread.

bench/peers/parquet_file.py FILE NAME
"""

import sys
import time

import polars as pl

from bench.peers.timing import report

RUNS = 3  # the first of them warms up


def main() -> None:
    path, name = sys.argv[1:]
    assert pl.thread_pool_size() == 1
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        frame = pl.read_parquet(path)
        times.append(time.process_time() - start)
        assert frame.shape == (10_000_000, 16)
        del frame
    report(name, "polars", pl.__version__, min(times[1:]), "ratio >= 1")


if __name__ == "__main__":
    main()
