"""Figures of papers. Tests marked `long` need POSTERN_LONG=1."""

from __future__ import annotations

import os

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long: minutes of work; only with POSTERN_LONG=1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("POSTERN_LONG"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="long; set POSTERN_LONG=1"))
