#!/usr/bin/env python3
"""Runs every benchmark and its peers, and writes one array of entries.

    bench/run.py --build build-bench --output build/bench.json [--data DIR] [--only NAME]...

Ours: each <build>/bench/bench_* prints a JSON array of {name, value, unit, bar, yardstick}.
Peers: each bench/peers/*.py and bench/reference/*.py prints one JSON object a line, {name, peer,
peer_version, peer_value, bar}; `name` is the entry of ours it is compared with. They run in .venv-bench,
made from bench/peers/requirements.txt, with one thread each. A value is the median of a few runs;
of Parquet, where we and the peer run in turn, it is the least.

`ratio` says how many times better we are: their seconds over ours, or our rate over theirs. A bar is
">= 5e6" or "<= 5" for the value, "ratio >= 5" for the ratio, or empty; bench/check.py decides.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "bench" / "peers"
LIBRARIES = {"timing.py"}  # modules that peers import
PARQUET_WRITERS = ("pyarrow", "polars", "duckdb")
PARQUET_ROUNDS = 5
ONE_THREAD = (
    "POLARS_MAX_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_MAX_THREADS",
)
Entry = dict[str, Any]


def peer_python() -> Path:
    """The interpreter of .venv-bench, made anew when the lock file has changed."""
    folder = ROOT / ".venv-bench"
    lock = PEERS / "requirements.txt"
    python = folder / "bin" / "python"
    stamp = folder / "lock.sha256"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if not (python.exists() and stamp.exists() and stamp.read_text() == wanted):
        print("Installing the locked peers into .venv-bench", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--require-hashes", "-r", str(lock)], check=True)
        (folder / ".gitignore").write_text("*\n")
        stamp.write_text(wanted)
    return python


def run_ours(program: Path, arguments: list[str]) -> list[Entry]:
    print(f"{program.name} ...", file=sys.stderr, flush=True)
    plugin = program.resolve().parent.parent / "libpostern_arrow.so"
    environment = os.environ | {"POSTERN_ARROW_PLUGIN": str(plugin)}
    result = subprocess.run(
        [program, *arguments], check=True, stdout=subprocess.PIPE, text=True, env=environment
    )
    entries: list[Entry] = json.loads(result.stdout)
    return entries


def run_peer(python: Path, script: Path, arguments: list[str]) -> list[Entry]:
    print(f"{script.relative_to(ROOT)} ...", file=sys.stderr, flush=True)
    environment = os.environ | dict.fromkeys(ONE_THREAD, "1") | {"PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [python, script, *arguments], check=True, stdout=subprocess.PIPE, text=True, env=environment
    )
    return [json.loads(line) for line in result.stdout.splitlines()]


def compare_parquet(python: Path, program: Path, folder: str) -> tuple[list[Entry], list[Entry]]:
    """Ours and the peer's entries for each file of bench/make_parquet.py: both run in turn, so that a busy
    moment of the machine meets both, and the least CPU time of each counts."""
    subprocess.run([python, ROOT / "bench" / "make_parquet.py", folder], check=True)
    ours, peers = [], []
    for writer in PARQUET_WRITERS:
        name = f"parquet by {writer}: 10^7 rows x 16 columns to coded columns"
        arguments = [str(Path(folder) / f"{writer}.parquet"), name]
        rounds = [
            (run_ours(program, arguments)[0], run_peer(python, PEERS / "parquet_file.py", arguments)[0])
            for _ in range(PARQUET_ROUNDS)
        ]
        ours.append(min((mine for mine, _ in rounds), key=lambda entry: float(entry["value"])))
        peers.append(min((peer for _, peer in rounds), key=lambda entry: float(entry["peer_value"])))
    return ours, peers


def ratio(ours: Entry, peer_value: float) -> float:
    rate = str(ours["unit"]).endswith(("/s", "per second"))
    better, worse = (float(ours["value"]), peer_value) if rate else (peer_value, float(ours["value"]))
    return better / worse


def merge(ours: list[Entry], peers: list[Entry]) -> list[Entry]:
    """One entry for each of ours, and one more for each further peer."""
    merged: list[Entry] = []
    known = {entry["name"] for entry in ours}
    for peer in peers:
        if peer["name"] not in known:
            raise SystemExit(
                f"bench/run.py: {peer['peer']} is compared with '{peer['name']}', which we did not measure"
            )
    for entry in ours:
        matches = [peer for peer in peers if peer["name"] == entry["name"]]
        blank = {"peer": "", "peer_version": "", "peer_value": None, "ratio": None}
        if not matches or entry["bar"]:
            merged.append(entry | blank)
        merged += [entry | peer | {"ratio": ratio(entry, float(peer["peer_value"]))} for peer in matches]
    return merged


def selected(paths: list[Path], only: list[str]) -> list[Path]:
    names = {path: path.stem.removeprefix("bench_").removesuffix("_file") for path in paths}
    return sorted(path for path in paths if not only or names[path] in only)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", type=Path, default=ROOT / "build-bench")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "bench.json")
    parser.add_argument(
        "--data",
        type=Path,
        help="a folder with adult.csv, in place of which a file of its shape is made, and with what has no "
        "stand-in: networks/bif, networks/uai2014, adult-tree",
    )
    parser.add_argument(
        "--only", action="append", default=[], help="the benchmarks of this name: count, csv, ..."
    )
    options = parser.parse_args()

    programs = [
        path
        for path in (options.build / "bench").glob("bench_*")
        if path.is_file() and os.access(path, os.X_OK)
    ]
    scripts = [path for folder in ("peers", "reference") for path in (ROOT / "bench" / folder).glob("*.py")]
    scripts = selected([path for path in scripts if path.name not in LIBRARIES], options.only)
    programs = selected(programs, options.only)
    if not programs:
        raise SystemExit(f"bench/run.py: no benchmark in {options.build}/bench; build them with: make bench")
    python = peer_python()
    with tempfile.TemporaryDirectory(prefix="postern-bench-") as folder:
        file = str(Path(folder) / "adult.csv")
        data = ["--data", str(options.data)] if options.data else []
        with_data = ("bench_markov", "markov", "bench_competition", "competition")
        arguments = dict.fromkeys(with_data, data) | {
            "bench_csv": ["--keep", file, *data],
            "bench_network_tables": data,
            "csv_file": [file],
        }
        if options.data and (networks := options.data / "networks" / "bif").is_dir():
            evidence = ROOT / "tests" / "data" / "networks" / "posteriors.txt"
            arguments["bench_network"] = arguments["network"] = [str(networks), str(evidence)]
            arguments["bench_network_alarm"] = [str(networks)]
        ours: list[Entry] = []
        peers: list[Entry] = []
        for path in programs:
            if path.name == "bench_parquet":
                ours, peers = compare_parquet(python, path, folder)
        for path in programs:
            if path.name != "bench_parquet":
                ours += run_ours(path, arguments.get(path.name, []))
        for path in scripts:
            if path.stem != "parquet_file":
                peers += run_peer(python, path, arguments.get(path.stem, []))
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(merge(ours, peers), indent=2) + "\n")


if __name__ == "__main__":
    main()
