"""Writes the few kinds of value that a study has as TOML, one line a key, so that refusals can name it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from numbers import Integral
from typing import Any

from .errors import Error


def toml_text(facts: Mapping[str, Any]) -> str:
    """The text of a file with these keys: plain ones first, then a section for each mapping."""
    if not isinstance(facts, Mapping):
        raise Error("wrong-type", f"a study is made from a dictionary, not from a {type(facts).__name__}")
    plain = {key: value for key, value in facts.items() if not isinstance(value, Mapping)}
    lines = _lines(plain)
    for key, value in facts.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{_quoted(key)}]", *_lines(value)]
    return "\n".join(lines) + "\n"


def _lines(facts: Mapping[str, Any]) -> list[str]:
    return [f"{_quoted(key)} = {_value(key, value)}" for key, value in facts.items()]


def _value(key: str, value: object) -> str:
    if hasattr(value, "item") and not getattr(value, "shape", ()):
        value = value.item()  # of NumPy, as Python has it
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Decimal) and value.is_finite():
        return _quoted(f"{value:f}")
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, float):
        return repr(value)  # the reader refuses it, and says what to write
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_lines(value)) + " }"
    if isinstance(value, set | frozenset):
        raise Error(
            "wrong-type",
            f"{key} is a {type(value).__name__}, which has no order, and a study has one; give a list",
        )
    if isinstance(value, Iterable):
        return "[" + ", ".join(_value(key, one) for one in value) + "]"
    kind = type(value).__name__
    raise Error("wrong-type", f"{key} is a {kind}; a study has text, numbers, lists and mappings")


def _quoted(text: object) -> str:
    if not isinstance(text, str):
        raise Error("wrong-type", f"a key of a study is text, not {text!r}")
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
