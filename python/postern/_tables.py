"""Tables for people: aligned text with the digits that matter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ._side import any_side

_NUMBER = re.compile(r"-?[\d,]*\.?\d*(e[-+]?\d+)?|-?inf|nan")  # or nothing, or a dash for it


def number(value: float) -> str:
    """Four significant digits, no exponent where a person would write none."""
    if value == 0 or not (1e-4 <= abs(value) < 1e15):
        return f"{value:.4g}"
    digits = f"{value:#.4g}"
    return f"{value:,.0f}" if "e" in digits or abs(value) >= 1e4 else digits.rstrip(".")


def text_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Words to the left, and columns of numbers to the right; what would command a terminal is shown."""
    rows = [[any_side().printable(cell) for cell in row] for row in rows]
    words = [not all(_NUMBER.fullmatch(row[i]) for row in rows) for i in range(len(titles))]
    widths = [max(len(row[i]) for row in [titles, *rows]) for i in range(len(titles))]
    lines = [
        "  ".join(
            cell.ljust(width) if words[i] else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [titles, *rows]
    ]
    return "\n".join(lines)
