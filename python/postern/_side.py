"""Whichever extension is at hand, for the questions that both can answer.

A study and a release are public, so either side reads them; asking the side that is already loaded keeps the
other one out of the process.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Protocol, cast


class CheckLike(Protocol):
    """One line of a verification."""

    @property
    def name(self) -> str: ...
    @property
    def passed(self) -> bool: ...
    @property
    def detail(self) -> str: ...


class _StudyLike(Protocol):
    def document(self) -> str: ...
    def silent_rules(self) -> str: ...


class _ReleaseLike(Protocol):
    def verify(self) -> Sequence[CheckLike]: ...
    def verify_key(self, public_key_pem: str) -> CheckLike: ...
    def statistics(self) -> Sequence[str]: ...
    def chosen(self) -> Sequence[tuple[str, str]]: ...


class _Studies(Protocol):
    def parse(self, text: str, file_name: str) -> _StudyLike: ...


class _Releases(Protocol):
    def parse(self, document: str) -> _ReleaseLike: ...
    def foreign(self, text: str, file_name: str) -> str: ...


class Side(Protocol):
    """What both extensions have."""

    @property
    def Study(self) -> _Studies: ...  # noqa: N802
    @property
    def Release(self) -> _Releases: ...  # noqa: N802
    def printable(self, text: str) -> str: ...


def any_side() -> Side:
    """The extension that is loaded already; the analyst's if none is."""
    loaded = sys.modules.get("postern._analyst") or sys.modules.get("postern._owner")
    if loaded is None:
        from . import _analyst

        loaded = _analyst
    return cast(Side, loaded)
