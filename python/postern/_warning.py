"""Reasons not to rely on a result, with names that programs can act upon."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from ._dialect import in_python
from ._side import any_side


@dataclass(frozen=True)
class NamedWarning:
    """Something to know before a result is used: a stable ``name``, and a ``text`` that says what to do.

    >>> [warning.name for warning in post.warnings]
    []
    """

    name: str
    text: str

    def __str__(self) -> str:
        return f"warning {_shown(self)}"


class _WarningLike(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...


def named(found: Iterable[_WarningLike]) -> tuple[NamedWarning, ...]:
    """The library's warnings, as Python's own."""
    return tuple(NamedWarning(warning.name, in_python(warning.text)) for warning in found)


def tell(found: Iterable[NamedWarning], stacklevel: int = 3) -> None:
    """Says each of them the way Python does, to whoever called the function that calls this."""
    for warning in found:
        warnings.warn(_shown(warning, " "), stacklevel=stacklevel)


def _shown(warning: NamedWarning, between: str = ": ") -> str:
    """What would command a terminal is shown: its names may come from a stranger."""
    return any_side().printable(f"[{warning.name}]{between}{warning.text}")


NamedWarning.__module__ = "postern.analyst"
