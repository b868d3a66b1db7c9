"""A machine that gives no thread, no memory, or no room: a run ends with an error of its own and says whether
the charge stands."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.desk import PROGRAM, Desk, Result

STANDS = "the charge stands"


def run(desk: Desk, before: Callable[[], None], output: str) -> Result:
    command = [str(PROGRAM), "release", "study.toml", "survey.csv", "--epsilon", "0.1"]
    command += ["--ledger", "survey.ledger", "-o", output]
    done = subprocess.run(command, cwd=desk.folder, preexec_fn=before, capture_output=True, check=False)
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def fill(desk: Desk) -> None:
    desk.write_study()
    desk.write_records(400_000)
    desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger")


def expect_honest(desk: Desk, result: Result, spent: str, output: str) -> None:
    """It worked, or it failed by itself and said that the charge stands if and only if there is one."""
    assert result.code >= 0, result  # else a signal ended it
    charged = desk.balance()["spent"] != {"epsilon": spent}
    if result.code == 0:
        assert charged
        assert desk.path(output).exists()
    else:
        assert result.error, result
        assert (STANDS in result.err) == charged, result


@pytest.fixture
def stranger() -> Iterator[tuple[Desk, int]]:
    """A desk of a user who runs nothing else, so that a limit on processes counts this program alone."""
    if os.getuid() != 0:
        pytest.skip("becoming another user needs root")
    user = 40_000 + os.getpid() % 20_000
    folder = Path(tempfile.mkdtemp(prefix="postern-scarcity-"))
    desk = Desk(folder)
    fill(desk)
    for path in (folder, *folder.iterdir()):
        os.chown(path, user, user)
    yield desk, user
    shutil.rmtree(folder)


def test_threads_that_cannot_start(stranger: tuple[Desk, int]) -> None:
    desk, user = stranger

    def limit(most: int) -> Callable[[], None]:
        def before() -> None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            resource.setrlimit(resource.RLIMIT_NPROC, (most, most))

        return before

    if subprocess.run([str(PROGRAM), "--version"], preexec_fn=limit(100), check=False).returncode != 0:
        pytest.skip("another user may not run the program here")
    said = ""
    for most in range(1, 7):  # at 2: one thread to listen for interrupts, none to share the work
        spent = desk.balance()["spent"]["epsilon"]
        result = run(desk, limit(most), f"{most}.json")
        expect_honest(desk, result, spent, f"{most}.json")
        assert STANDS not in result.err, result
        said += result.err
    assert "the system starts no further thread" in said
    assert result.code == 0, result


@pytest.mark.parametrize("mebibytes", [20, 25, 30, 35, 40, 60])
def test_memory_that_is_not_there(desk: Desk, mebibytes: int) -> None:
    fill(desk)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))

    if subprocess.run([str(PROGRAM), "--version"], preexec_fn=limit, check=False).returncode != 0:
        pytest.skip("not even the program fits")
    result = run(desk, limit, "out.json")
    expect_honest(desk, result, "0", "out.json")


@pytest.mark.parametrize("limit", [0, 600, 4096, 30_000, 2_000_000])
def test_files_that_may_not_grow(desk: Desk, limit: int) -> None:
    fill(desk)
    result = run(desk, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)), "out.json")
    expect_honest(desk, result, "0", "out.json")
    assert [path.name for path in desk.folder.iterdir() if path.name.endswith(".tmp")] == []
