"""DuckDB and pandas count the 91 two-way tables of bench/count.cpp: same sizes and rows, one thread."""

import itertools

import duckdb
import numpy as np
import pandas as pd

from bench.peers.timing import cpu_seconds, report

NAME = "count: 91 two-way tables, 10^7 rows"
LEVELS = [9, 16, 7, 15, 6, 5, 2, 42, 85, 16, 100, 100, 99, 2]
ROWS = 10_000_000


def main() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {f"c{i}": rng.integers(0, size, ROWS, dtype=np.uint8) for i, size in enumerate(LEVELS)}
    )
    pairs = list(itertools.combinations(frame.columns, 2))

    connection = duckdb.connect(config={"threads": 1})
    connection.execute("CREATE TABLE records AS SELECT * FROM frame")
    types = {row[1] for row in connection.execute("DESCRIBE records").fetchall()}
    assert types == {"UTINYINT"}, types

    def count_with_duckdb() -> None:
        for a, b in pairs:
            connection.execute(f"SELECT {a}, {b}, count(*) FROM records GROUP BY {a}, {b}").fetchnumpy()

    def count_with_pandas() -> None:
        for a, b in pairs:
            frame.groupby([a, b], sort=False).size()

    report(NAME, "duckdb", duckdb.__version__, cpu_seconds(count_with_duckdb), "ratio >= 5")
    connection.close()
    report(NAME, "pandas", pd.__version__, cpu_seconds(count_with_pandas), "ratio >= 20")


if __name__ == "__main__":
    main()
