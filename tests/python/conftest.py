"""A desk in a fresh folder: the example study, 500 records, a ledger, and a release of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import postern as pn
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.python.desk import NETWORK, ROOT, write_survey

# Interpreters that tests start stand in other folders, and must import this package, not one built elsewhere.
os.environ["PYTHONPATH"] = str(Path(pn.__file__).absolute().parents[1])
# Ledgers that tests make are not listed in the home of whoever runs them.
_state = tempfile.TemporaryDirectory(prefix="postern-state-")
os.environ["XDG_STATE_HOME"] = _state.name


@pytest.fixture(autouse=True)
def state_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list of ledgers of its own for each test."""
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    shutil.copy(ROOT / "examples" / "smoking" / "study.toml", folder / "study.toml")
    write_survey(folder / "survey.csv")
    (folder / "network.bif").write_text(NETWORK)
    ledger = pn.Ledger.create(folder / "survey.ledger", folder / "study.toml", budget="10")
    release = pn.release(folder / "survey.csv", folder / "study.toml", epsilon="1", ledger=ledger)
    release.save(folder / "survey.release.json")
    return folder


@pytest.fixture
def desk(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the desk, where the test stands."""
    for file in made.iterdir():
        shutil.copy2(file, tmp_path / file.name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def program() -> Callable[..., str]:
    """The C++ program, called with arguments; its stdout."""

    def call(*arguments: str) -> str:
        done = subprocess.run([os.environ["POSTERN"], *arguments], check=True, capture_output=True, text=True)
        return done.stdout

    return call
