"""Rows that a page shows, held against what a command printed: numbers to the digits shown, and what differs
from run to run left open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

NUMBER = r"(?:(?<![\w)])-)?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[-+]?\d+)?)"
ANY_NUMBER = rf"(?<!\d)(?:{NUMBER})(?!\d|\.\d|,\d{{3}})"
DURATION = r"\d+(?:\.\d+)? (?:[nmu]?s|seconds?|min|minutes?|hours?)\b"
# What is in a row -> what may stand there. The first that fits counts, so numbers come late.
VARYING = {
    r"[0-9a-f]{16,}": r"[0-9a-f]+",  # an id or a hash
    r"\d{4}-\d\d-\d\d": r"\d{4}-\d\d-\d\d",
    r"\d\d?:\d\d(?::\d\d)?": r"\d\d?:\d\d(?::\d\d)?",
    r"\d+\.\d+\.\d+": r"\d+\.\d+\.\d+",  # a version
    DURATION: DURATION,
    r"(?<![\w.])/(?:[\w.-]+/)+[\w.-]*": r"/(?:[\w.-]+/)+[\w.-]*",
    r"\.\.\.": r".*?",
    NUMBER: f"({ANY_NUMBER})",
    r"\s+": r"\s+",
}
# Rows whose numbers no seed repeats: what a release chose by private noise.
NO_SEED = re.compile(r"chosen\b")


@dataclass(frozen=True)
class Seen:
    """Where a row was seen: the text, its numbers, and whether they are those of the row."""

    text: str
    numbers: list[str]
    end: int
    agrees: bool


def pieces_of(row: str) -> list[tuple[str, str]]:
    """(text, pattern of what may stand there), for the whole row."""
    out = []
    for i, piece in enumerate(re.split("(" + "|".join(VARYING) + ")", row.strip())):
        known = (
            next((to for what, to in VARYING.items() if re.fullmatch(what, piece)), None) if i % 2 else None
        )
        out.append((piece, known or re.escape(piece)))
    return out


def numbers_of(row: str) -> list[str]:
    return [piece for piece, pattern in pieces_of(row) if pattern == VARYING[NUMBER]]


def agree(shown: str, printed: str) -> bool:
    """Whether the printed number, rounded to the digits shown, is the shown one."""
    if shown == printed:
        return True
    one, other = Decimal(shown.replace(",", "")), Decimal(printed.replace(",", ""))
    exponent = one.as_tuple().exponent
    return isinstance(exponent, int) and abs(one - other) <= Decimal(5).scaleb(exponent - 1)


def with_label(output: str, row: str) -> str:
    """The output, with the row's label in full where a table that would be too wide has it as head…tail."""
    label = re.split(r"\s{2,}", row)[0]

    def full(shortened: re.Match[str]) -> str:
        head, tail = shortened.group(1), shortened.group(2)
        return label if label.startswith(head) and label.endswith(tail) else shortened.group(0)

    return re.sub(r"(?m)^(.*?)…(.*?)(?=  )", full, output)


def places(row: str, output: str, position: int) -> Iterator[Seen]:
    """All places of the output from `position` on where the row may stand, whatever its numbers."""
    pieces = [one for _, one in pieces_of(row) if one]
    # After `...` a last number is the last of its line.
    last = r"(?=[ \t]*$)" if "..." in row and pieces[-1] == VARYING[NUMBER] else ""
    pattern = re.compile("".join(pieces) + last, re.MULTILINE)
    shown = numbers_of(row)
    while match := pattern.search(output, position):
        printed = list(match.groups())
        fits = all(agree(one, other) for one, other in zip(shown, printed, strict=True))
        yield Seen(match[0], printed, match.end(), fits)
        position = match.start() + 1


def find(row: str, output: str, position: int, compare: bool) -> tuple[Seen | None, str]:
    """Where the row is first seen, with its numbers if they are compared; else without regard to them."""
    output = output[:position] + with_label(output[position:], row)
    first = None
    for seen in places(row, output, position):
        if seen.agrees or not compare or NO_SEED.match(row.strip()):
            return Seen(seen.text, seen.numbers, seen.end, True), output
        first = first or seen
    return first, output


def renewed(row: str, seen: Seen) -> str:
    """The row with the numbers that were printed, laid out as there unless it has `...`."""
    indent = row[: len(row) - len(row.lstrip())]
    if "..." not in row and "\n" not in seen.text:
        return indent + seen.text
    numbers = iter(seen.numbers)
    return indent + "".join(
        next(numbers) if pattern == VARYING[NUMBER] else piece for piece, pattern in pieces_of(row)
    )
