"""What was given for an argument: a path, a word, yes or no; anything else is refused by what it is.

Privacy: a refusal names the type of what was given and never shows it: it may be a table of records.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .errors import Error

_LONGEST_NAME = 1000  # of a file
_SUFFIXES = (".toml", ".json")
_OURS = {"Study": "study", "Release": "release", "Ledger": "ledger", "Posterior": "posterior"}


def path_text(given: object, name: str, wanted: str) -> str:
    """The path that was given as `name`; a refusal says what is `wanted`."""
    path: Any = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if isinstance(path, str) and "\0" not in path:
        return path
    found = what_is(given) if path is None else "no path that a file can have"
    raise Error("wrong-type", f"{name} is {found}; give {wanted}")


def file_text(given: object, kind: str, wanted: str) -> str:
    """The text that makes a `kind`. Given the name of a file instead, the refusal says what reads it."""
    name = os.fspath(given) if isinstance(given, os.PathLike) else given
    if isinstance(name, str) and (name is not given or _names_a_file(name)):
        shown = repr(name) if name.endswith(_SUFFIXES) else "path"
        raise Error("wrong-type", f"{kind}() takes {wanted}, not a file; write {kind}.load({shown})")
    return word(given, "text", f"{wanted}, or a file to {kind}.load")


def _names_a_file(text: str) -> bool:
    """Neither a study nor a release is one short line that a file could be called."""
    if len(text) > _LONGEST_NAME or any(c in text for c in "\n={\0"):
        return False
    return text.endswith(_SUFFIXES) or Path(text).is_file()


def what_is(given: object) -> str:
    """What a thing is, in the words of a refusal."""
    if given is None:
        return "None"
    kind = type(given)
    if kind.__module__.split(".")[0] == "postern" and kind.__name__ in _OURS:
        return f"a {_OURS[kind.__name__]}"
    if is_tabular(given):
        return f"a table of records (a {kind.__name__})"
    return f"a {kind.__name__}"


def is_tabular(given: object) -> bool:
    """Whether it looks like a table; its type is asked, since a LazyFrame itself may run into its faults."""
    return hasattr(type(given), "__arrow_c_stream__") or hasattr(type(given), "columns")


def word(given: object, name: str, wanted: str) -> str:
    """The text that was given as `name`; a refusal says what is `wanted`."""
    if isinstance(given, str):
        return given
    raise Error("wrong-type", f"{name} is {what_is(given)}; give {wanted}")


def flag(given: object, name: str) -> bool:
    """Yes or no: a text such as "no" is neither."""
    if isinstance(given, bool) or type(given).__name__ in ("bool", "bool_"):  # Python's, or NumPy's
        return bool(given)
    raise Error("wrong-type", f"{name} is {what_is(given)}; give True or False")
