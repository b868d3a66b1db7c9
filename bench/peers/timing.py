"""What every peer shares: CPU seconds, the median of three runs, one line of output format."""

import json
import statistics
import time
from collections.abc import Callable

RUNS = 3


def cpu_seconds(work: Callable[[], object]) -> float:
    """The median CPU time of a few runs, all threads of this process."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def report(name: str, peer: str, version: str, value: float, bar: str) -> None:
    """One line for bench/run.py: `name` is the entry of ours that this is the peer of."""
    print(
        json.dumps({"name": name, "peer": peer, "peer_version": version, "peer_value": value, "bar": bar}),
        flush=True,
    )
