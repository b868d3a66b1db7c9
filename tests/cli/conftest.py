"""What the tests of the program share: a desk in a folder of its own, and the program as people call it.

The program is $POSTERN, else $POSTERN_PROGRAM, else build/postern. Tests marked `long` need POSTERN_LONG=1.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.cli.desk import Desk


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: minutes of work; only with POSTERN_LONG=1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("POSTERN_LONG"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="long; set POSTERN_LONG=1"))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """An empty folder to work in."""
    return Desk(tmp_path)


@pytest.fixture
def ready(desk: Desk) -> Desk:
    """A study of one binary column, 200 records and a ledger with a budget of epsilon 2."""
    desk.write_study()
    desk.write_records(200)
    desk.ok("ledger", "init", "study.toml", "--budget", "2", "-o", "survey.ledger")
    return desk
