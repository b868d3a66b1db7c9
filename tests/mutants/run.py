"""Shows that each planted bug is caught: its test passes without the bug and fails with it.

    python tests/mutants/run.py [--build DIR] [--short-prefix-build DIR] [number ...]

The bugs are in mutants.toml. A bug that no test catches, a test that fails without its bug, and a filter that
matches no test are all failures of this run.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TIMEOUT_SECONDS = 600


@dataclass(frozen=True)
class Mutant:
    number: int
    what: str
    executable: str
    tests: str
    short_prefix: bool
    every: bool


@dataclass(frozen=True)
class Run:
    status: int
    tests: int
    failed: int
    seconds: float
    output: str


def read_table(path: Path) -> list[Mutant]:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return [Mutant(**{"short_prefix": False, "every": False, **row}) for row in table["mutant"]]


def command_of(mutant: Mutant, build: Path) -> list[str]:
    if mutant.executable == "pytest":
        return [sys.executable, "-m", "pytest", "-x", "-k", mutant.tests, str(ROOT / "tests" / "cli")]
    return [str(build / "tests" / mutant.executable), f"--gtest_filter={mutant.tests}"]


def tests_run(output: str) -> int:
    """How many tests the runner says it ran."""
    google = re.search(r"(\d+) tests? (?:from \d+ test suites? )?ran", output)
    if google:
        return int(google.group(1))
    return sum(int(count) for count in re.findall(r"(\d+) (?:passed|failed|error)", output))


def tests_failed(output: str) -> int:
    """How many of them Google's runner says failed."""
    failed = re.search(r"(\d+) FAILED TESTS?", output)
    return int(failed.group(1)) if failed else 0


def run(mutant: Mutant, build: Path, number: int) -> Run:
    environment = {**os.environ, "POSTERN_MUTANT": str(number), "POSTERN": str(build / "postern")}
    begin = time.monotonic()
    try:
        done = subprocess.run(
            command_of(mutant, build),
            env=environment,
            timeout=TIMEOUT_SECONDS,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Run(124, 0, 0, time.monotonic() - begin, "took too long")
    return Run(
        done.returncode,
        tests_run(done.stdout),
        tests_failed(done.stdout),
        time.monotonic() - begin,
        done.stdout,
    )


def judge(mutant: Mutant, build: Path) -> tuple[str, str, float]:
    """The verdict, what to show of a bad one, and the seconds it took."""
    sound = run(mutant, build, 0)
    if sound.status != 0:
        return "FAILS WITHOUT THE BUG", sound.output, sound.seconds
    if sound.tests == 0:
        return "NO SUCH TEST", sound.output, sound.seconds
    bugged = run(mutant, build, mutant.number)
    seconds = sound.seconds + bugged.seconds
    if bugged.status == 0:
        return "SURVIVES", "", seconds
    if bugged.status == 124:
        return "HANGS", "", seconds
    if mutant.every and bugged.failed < sound.tests:
        passed = [line for line in bugged.output.splitlines() if "OK ]" in line]
        return "NOT SEEN BY EVERY TEST", "\n".join(passed), seconds
    return "caught", "", seconds


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Shows that each planted bug is caught.")
    parser.add_argument("--build", type=Path, default=ROOT / "build-mutants")
    parser.add_argument("--short-prefix-build", type=Path, default=ROOT / "build-mutants-short-prefix")
    parser.add_argument("numbers", type=int, nargs="*", help="only these")
    options = parser.parse_args(arguments)
    mutants = [
        mutant
        for mutant in read_table(Path(__file__).with_name("mutants.toml"))
        if not options.numbers or mutant.number in options.numbers
    ]
    builds = [options.short_prefix_build if mutant.short_prefix else options.build for mutant in mutants]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        verdicts = list(pool.map(judge, mutants, builds))

    print(f"{'':>4} {'verdict':<22} {'seconds':>7}  planted bug")
    for mutant, (verdict, output, seconds) in zip(mutants, verdicts, strict=True):
        print(f"{mutant.number:>4} {verdict:<22} {seconds:7.1f}  {mutant.what}")
        if output:
            print(output)
    caught = sum(verdict == "caught" for verdict, _, _ in verdicts)
    print(f"mutants: {caught} passed, {len(mutants) - caught} failed")
    return 0 if mutants and caught == len(mutants) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
