"""DuckDB and numpy count the 100 family tables of bench/families.cpp: same sizes and rows, one thread."""

import duckdb
import numpy as np
import pandas as pd

from bench.peers.timing import cpu_seconds, report

NAME = "families: 100 tables of a network, 10^6 rows"
COLUMNS = 100
LEVELS = 3
ROWS = 1_000_000


def main() -> None:
    rng = np.random.default_rng(1)
    codes = [rng.integers(0, LEVELS, ROWS, dtype=np.uint8) for _ in range(COLUMNS)]
    frame = pd.DataFrame({f"c{i}": column for i, column in enumerate(codes)})
    families = [[*rng.choice(i, min(i, 3), replace=False), i] for i in range(COLUMNS)]

    connection = duckdb.connect(config={"threads": 1})
    connection.register("frame", frame)
    connection.execute("CREATE TABLE records AS SELECT * FROM frame")

    def count_with_duckdb() -> None:
        for family in families:
            names = ", ".join(f"c{i}" for i in family)
            connection.execute(f"SELECT {names}, count(*) FROM records GROUP BY {names}").fetchnumpy()

    def count_with_numpy() -> None:
        for family in families:
            cell = codes[family[0]]
            for i in family[1:]:
                cell = cell * np.uint8(LEVELS) + codes[i]
            np.bincount(cell, minlength=LEVELS ** len(family))

    report(NAME, "duckdb", duckdb.__version__, cpu_seconds(count_with_duckdb), "ratio >= 5")
    connection.close()
    report(NAME, "numpy", np.__version__, cpu_seconds(count_with_numpy), "")


if __name__ == "__main__":
    main()
