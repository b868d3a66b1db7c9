"""How numbers of people become the exact texts that the library reads."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ._given import word
from .errors import Error

Amount = str | int | Decimal | Fraction
"""An exact amount of privacy: text, a whole number, a Decimal or a Fraction, never a float."""

Prior = str | Iterable[Amount | Iterable[Amount | Iterable[Amount]]]
"""A prior in words, or its numbers; a matrix as its rows."""

Truth = str | Mapping[str, float | Decimal | Fraction]
"""Parameters that are assumed: in words, or each by its words."""

_PLACES = 9


def decimal_text(name: str, value: Amount) -> str:
    """The exact decimal text of an amount; a float has none and is refused."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        raise Error(
            "bare-float",
            f"{name}={value!r} is a float, and most decimals are not floats; "
            f'write the text {name}="{value}", or a Decimal or Fraction',
        )
    if isinstance(value, Fraction):
        return _exact(name, value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise Error("bad-budget", f"{name}={value} is not a number that can be spent")
        return _exact(name, Fraction(value))
    try:
        if not isinstance(value, bool):
            return str(operator.index(value))
    except TypeError:
        pass
    raise Error("wrong-type", f"{name} is a {type(value).__name__}; give a str, int, Decimal or Fraction")


def optional_text(name: str, value: Amount | None) -> str | None:
    """As decimal_text, where nothing stays nothing."""
    return None if value is None else decimal_text(name, value)


def share_texts(shares: Mapping[str, Amount] | None) -> list[str]:
    """Shares of blocks in the words that the library reads: ["sum=2"]."""
    if shares is None:
        return []
    if not isinstance(shares, Mapping):
        raise Error("wrong-type", f'shares is a {type(shares).__name__}; write them as {{"sum": 2}}')
    return [f"{name}={decimal_text('share', share)}" for name, share in shares.items()]


def noise_words(
    epsilon: Amount | None, rho: Amount | None, mechanism: str | None, shares: Mapping[str, Amount] | None
) -> tuple[str | None, str | None, str | None, list[str]]:
    """What noise is asked for, in the words that the library reads."""
    if mechanism is not None:
        word(mechanism, "mechanism", 'the name of one, such as "laplace"')
    return optional_text("epsilon", epsilon), optional_text("rho", rho), mechanism, share_texts(shares)


def prior_text(prior: Prior | None) -> str | None:
    """A prior in the words that the library reads: text as it is, numbers as a list."""
    if prior is None or isinstance(prior, str):
        return prior
    if isinstance(prior, Mapping) or not isinstance(prior, Iterable):
        raise Error(
            "wrong-type",
            f'prior is a {type(prior).__name__}; write it as text, such as "beta 1 1", or give its numbers',
        )
    return " ".join(decimal_text("prior", number) for number in _flat(prior))


def truth_text(truth: Truth | None) -> str | None:
    """An assumed truth in the words that the library reads."""
    if truth is None or isinstance(truth, str):
        return truth
    if not isinstance(truth, Mapping):
        raise Error(
            "wrong-type",
            f'at is a {type(truth).__name__}; give a mapping such as {{"mean": 38}}, or text: "mean 38"',
        )
    return ", ".join(f"{name} {_plain('at', name, value)}" for name, value in truth.items())


def _plain(argument: str, name: str, value: object) -> str:
    """A number that no privacy hangs on, with all its digits."""
    try:
        return repr(float(value)).removesuffix(".0")  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise Error("wrong-type", f"{argument}: {name!r} is {value!r}, and no number") from None


def _flat(numbers: Iterable[Any]) -> Iterator[Amount]:
    """The numbers of lists in lists, such as the rows of a matrix, in order."""
    for number in numbers:
        if isinstance(number, Iterable) and not isinstance(number, str | Mapping):
            yield from _flat(number)
        else:
            yield number


def whole(name: str, value: int, least: int = 0) -> int:
    """A whole number of at least `least`."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least or number >= 2**63:
        raise Error("bad-option", f"{name}={value!r} is not a whole number of at least {least}")
    return number


def unit_of(currency: str) -> str:
    """What a currency is counted in."""
    return "epsilon" if currency == "pure" else "rho"


def _exact(name: str, value: Fraction) -> str:
    scaled = value * 10**_PLACES
    if scaled.denominator != 1:
        raise Error(
            "bad-budget", f"{name}={value} has more than {_PLACES} decimal places; round it down yourself"
        )
    whole_part, rest = divmod(abs(scaled.numerator), 10**_PLACES)
    digits = f"{rest:0{_PLACES}d}".rstrip("0")
    return ("-" if scaled < 0 else "") + str(whole_part) + (f".{digits}" if digits else "")
