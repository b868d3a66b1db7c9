"""The noise that a posterior implies, held against the law that it was drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class NoiseBlock:
    """A released block: its noise is the released values less what the posterior says is behind them.

    ``size`` and ``sum`` are the probabilities, averaged over draws, that noise of the stated law is as large,
    or adds up to as much, as the posterior implies. ``deviations`` is the sum of the implied noise in
    standard deviations. ``worst`` names the part of the block that looks strangest ("" for all of it), and
    ``chance`` is a bound on how often any part looks so strange if the prior and the noise are as stated.
    """

    block: str
    values: int
    size: float
    sum: float
    deviations: float
    worst: str
    worst_deviations: float
    by_sum: bool
    chance: float


@dataclass(frozen=True)
class ImpliedNoise:
    """What the check of the implied noise found in every block.

    >>> post.implied_noise.implausible
    False
    """

    chance: float
    tests: int
    blocks: tuple[NoiseBlock, ...]

    @property
    def implausible(self) -> bool:
        """Whether a chance is below 1 in 1000, as the warning ``noise-implausible`` says."""
        return self.chance < 1e-3


def implied_noise(facts: dict[str, Any]) -> ImpliedNoise | None:
    """From what posterior.json says."""
    found = facts.get("implied_noise")
    if found is None:
        return None
    blocks = tuple(NoiseBlock(**block) for block in found["blocks"])
    return ImpliedNoise(found["chance"], found["tests"], blocks)


for _kind in (ImpliedNoise, NoiseBlock):
    _kind.__module__ = "postern.analyst"
