"""Simulation-based calibration: are the intervals of this study right?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _analyst
from ._files import PathLike
from ._given import word
from ._study import Study, as_study
from ._tables import number, text_table
from ._words import Amount, noise_words, whole


def bars(bins: tuple[int, ...]) -> str:
    """Bins as bars; even ones are a calibrated posterior's."""
    most = max(bins)
    return "".join(" ▁▂▃▄▅▆▇█"[(8 * count + most // 2) // most] for count in bins)


@dataclass(frozen=True, eq=False)
class QuantityCalibration:
    """How one quantity fared: ranks of the truth among the draws (uniform if calibrated), their KS distance
    from uniform, the coverage of central intervals, and the ranks counted in twenty even bins."""

    name: str
    label: str
    ranks: npt.NDArray[np.float64]
    ks: float
    coverage_50: float
    coverage_90: float
    coverage_95: float
    histogram: tuple[int, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Calibration:
    """The verdict on a study and its engine.

    >>> result = pn.calibrate("study.toml", epsilon="1", n=100, studies=200, seed=1)
    >>> result.passed
    True
    >>> result.quantities[0].ranks.shape
    (200,)
    >>> print(result.verdict)
    No interval is far too narrow, as far as 200 studies can see: every 90 % interval held at least 73 % of
    the truths. ...
    """

    quantities: tuple[QuantityCalibration, ...]
    studies: int
    ks_limit: float
    """The KS distance that a calibrated posterior exceeds with probability 1e-6."""
    passed: bool
    verdict: str
    """In a sentence, with what so many studies could have seen: a few hundred are no proof."""
    alpha: float
    """How often a calibrated posterior would be called one that is not."""
    truths: str = "the prior"
    """What they were drawn from: the prior, or where that is learned the planning law."""
    cut: tuple[str, ...] = ()
    """What posteriors took from coarse released facts alone."""
    ranks_are_even: bool = True
    """Must ranks be uniform? Not where the prior is learned; the 90 % intervals alone are judged then."""
    notes: tuple[str, ...] = ()
    """What of the prior no chain can follow, and whether cells were left out; none for nearly every study."""

    def __repr__(self) -> str:
        verdict = "calibrated" if self.passed else "NOT calibrated"
        rows = []
        for q in self.quantities:
            figures = (q.ks, q.coverage_50, q.coverage_90, q.coverage_95)
            rows.append([q.label, *map(number, figures), bars(q.histogram)])
        table = text_table(["quantity", "KS", "50 %", "90 %", "95 %", "ranks"], rows)
        basis = f"{self.studies} simulated studies"
        basis += f", KS limit {number(self.ks_limit)}" if self.ranks_are_even else f" from {self.truths}"
        notes = "".join(f"\nnote: {note}" for note in self.notes)
        return f"Calibration({verdict}: {basis})\n{table}\n{self.verdict}{notes}"


def calibrate(
    study: Study | PathLike,
    *,
    epsilon: Amount | None = None,
    rho: Amount | None = None,
    mechanism: str | None = None,
    shares: Mapping[str, Amount] | None = None,
    select: str | None = None,
    n: int | None = None,
    studies: int = 1000,
    draws: int = 99,
    engine: str = "auto",
    seed: int = 1,
    threads: int = 0,
) -> Calibration:
    """Simulates whole studies from the prior, infers each, and asks whether the truth ranks uniformly.

    ``n`` is needed where it is public; a private one is drawn from its prior. No data is read.

    ``select="tree"`` calibrates a tree of the study's columns that the release chooses: probabilities are
    ranked that have a meaning whatever is chosen.

    >>> import postern as pn
    >>> pn.calibrate("study.toml", epsilon="0.5", n=50, studies=100).studies
    100
    """
    declared = as_study(study, select)
    ours = _analyst.Study.parse(declared.text, declared.source)
    plan = ours.plan(*noise_words(epsilon, rho, mechanism, shares))
    found = _analyst.calibrate(
        ours,
        plan,
        whole("studies", studies, 20),
        whole("draws", draws, 1),
        None if n is None else whole("n", n),
        word(engine, "engine", 'the name of an engine, such as "auto"'),
        whole("seed", seed),
        whole("threads", threads),
    )
    quantities = tuple(
        QuantityCalibration(
            q.name, q.label, q.ranks(), q.ks, q.coverage_50, q.coverage_90, q.coverage_95, tuple(q.histogram)
        )
        for q in found.quantities
    )
    return Calibration(
        quantities=quantities,
        studies=found.studies,
        ks_limit=found.ks_limit(),
        passed=found.passed(),
        verdict=found.verdict(),
        alpha=_analyst.calibration_alpha,
        truths=found.truths,
        cut=tuple(found.cut),
        ranks_are_even=found.ranks_are_even(),
        notes=tuple(found.notes),
    )


for _public in (Calibration, QuantityCalibration, calibrate):
    _public.__module__ = "postern.analyst"
