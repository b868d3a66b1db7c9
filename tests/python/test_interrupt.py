"""Ctrl-C stops long calls with KeyboardInterrupt, and other threads run meanwhile."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import postern as pn
import pytest

CALLS = {
    "infer": "pn.infer('survey.release.json', draws=250_000, chains=64)",
    "calibrate": "pn.calibrate('study.toml', epsilon='1', n=100_000, studies=1_000_000)",
    "plan": "pn.plan('study.toml', epsilon='1', n=100_000, simulations=1_000_000)",
    "release": "pn.release(endless(), 'study.toml', epsilon='1', ledger='survey.ledger')",
}

SCRIPT = """
import pyarrow
import postern as pn
import postern.owner, postern.analyst

def endless():
    # a stream of tables that never ends; it is read after the charge
    table = pyarrow.table({{"smoker": ["no"] * 1000, "age": [30] * 1000, "cancer": ["no"] * 1000}})
    batch = table.to_batches()[0]
    def batches():
        print("begun", flush=True)
        while True:
            yield batch
    return pyarrow.RecordBatchReader.from_batches(table.schema, batches())

try:
    {begin}
    {call}
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def seconds_worked(pid: int) -> float:
    """Processor time in user mode, of all threads of a process (proc(5), utime)."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    return int(after_name.split()[11]) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_stops(desk: Path, name: str) -> None:
    begin = "pass" if name == "release" else "print('begun', flush=True)"
    script = SCRIPT.format(begin=begin, call=CALLS[name])
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "begun\n"
    begun = seconds_worked(child.pid)
    while child.poll() is None and seconds_worked(child.pid) < begun + 0.2:
        time.sleep(0.01)  # only the call works after that line, on any machine; so this is well inside it
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert out == "interrupted\n"
    assert child.returncode == 0
    charges = pn.Ledger.open("survey.ledger").balance().charges
    assert charges == (2 if name == "release" else 1)  # a charge stands


def test_the_interpreter_is_free_meanwhile(desk: Path) -> None:
    """Another thread counts while a long call runs."""
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counter = threading.Thread(target=tick)
    counter.start()
    pn.infer("survey.release.json", draws=100_000, threads=1)
    done.set()
    counter.join()
    assert ticks > 5


@pytest.mark.skipif(os.getuid() != 0, reason="becoming another user, whose processes are limited, needs root")
def test_a_thread_that_cannot_start_is_an_error_before_the_charge(desk: Path) -> None:
    user = 40_000 + os.getpid() % 20_000
    code = (
        "import os, resource, postern as pn\n"
        "pn.Ledger.open('survey.ledger')\n"
        f"os.setgroups([]); os.setgid({user}); os.setuid({user})\n"
        "resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))\n"
        "try:\n"
        "    pn.release('survey.csv', 'study.toml', epsilon='1', ledger='survey.ledger')\n"
        "except pn.Error as error:\n"
        "    print(error.code, getattr(error, '__notes__', 'no charge'))\n"
        "print(pn.Ledger.open('survey.ledger').balance().charges)\n"
    )
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "desk"
        shutil.copytree(desk, folder)
        for path in (folder.parent, folder, *folder.iterdir()):
            os.chown(path, user, user)
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=folder, check=True, capture_output=True, text=True
        )
    assert done.stdout.splitlines() == ["out-of-memory no charge", "1"]
