"""Tries to show that the gate loses more privacy than it says, on records that are made up."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from . import _rehearsal
from ._files import PathLike
from ._study import Study, as_study
from ._tables import number, text_table
from ._words import Amount, noise_words, whole
from .errors import Error

_DATA = (".csv", ".tsv", ".parquet", ".arrow", ".feather", ".json")
_MOST_RUNS = 10_000_000


@dataclass(frozen=True)
class AuditPair:
    """What releases of two neighbouring datasets showed.

    >>> pair = pn.audit("study.toml", epsilon="2", runs=400).pairs[0]
    >>> pair.loss, pair.bound <= pair.limit
    ('epsilon', True)
    """

    neighbours: str
    """How the two differ."""
    loss: str
    """What claim, limit and bound are counted in: ``epsilon`` or ``rho``."""
    claim: float
    limit: float
    """What the test may find of the claim: a little more than it for Gaussian noise on whole numbers."""
    bound: float
    """With probability 1 - alpha the true loss is at least this."""
    passed: bool
    computed: bool = False
    """The bound is what the stated laws show, computed and not estimated: of releases in rounds."""


@dataclass(frozen=True, repr=False)
class Audit:
    """The findings of an audit. None proves privacy: one that passed did not disprove it.

    >>> result = pn.audit("study.toml", epsilon="2", runs=400)
    >>> result.passed, result.runs
    (True, 400)
    """

    pairs: tuple[AuditPair, ...]
    runs: int
    """Releases of each neighbour."""
    alpha: float
    """How often such an audit cries wolf, per pair."""
    passed: bool
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        verdict = "not contradicted" if self.passed else "CONTRADICTED"
        rows = [
            [
                pair.neighbours,
                *map(number, (pair.claim, pair.limit, pair.bound)),
                "not contradicted" if pair.passed else "CONTRADICTED",
            ]
            for pair in self.pairs
        ]
        table = text_table(["neighbours", "claim", "limit", "bound", "verdict"], rows)
        notes = "".join(f"\nnote: {note}" for note in self.notes)
        return f"Audit({verdict}: {self.runs:,} runs a side, alpha {self.alpha:g})\n{table}{notes}"


def audit(
    study: Study | PathLike,
    *,
    epsilon: Amount | None = None,
    rho: Amount | None = None,
    mechanism: str | None = None,
    shares: Mapping[str, Amount] | None = None,
    select: str | None = None,
    runs: int | None = None,
) -> Audit:
    """Runs the whole gate many times on neighbouring made-up records and bounds the privacy loss from below.

    It takes a study, never data: thousands of uncharged releases of anybody's records would give them away.
    ``runs`` is how often each neighbour is released; unless said, as often as it takes to see halved noise,
    100,000 times at most (a release in rounds 1000 times, and 100 where a model is fitted in between).
    Nothing is charged but ledgers in memory.

    ``select="tree"`` or ``"adaptive"`` audits a network of the study's columns that the release chooses.

    >>> import postern as pn
    >>> pn.audit("study.toml", epsilon="2", runs=400).pairs[0].claim
    2.0
    """
    if isinstance(study, str | os.PathLike) and os.fspath(study).endswith(_DATA):
        raise Error("usage", f"audit takes a study, never a data file such as '{os.fspath(study)}'")
    declared = as_study(study, select)
    ours = _rehearsal.Study.parse(declared.text, declared.source)
    plan = ours.plan(*noise_words(epsilon, rho, mechanism, shares))
    enough = _rehearsal.recommended_runs(plan)
    times = _rehearsal.usual_runs(ours, plan) if runs is None else min(whole("runs", runs, 100), _MOST_RUNS)
    choices = declared._facts["model"]["kind"] == "quantiles"
    if times < enough and not choices and not plan.in_rounds:
        warnings.warn(f"{times} runs may miss even halved noise; {enough} would see it", stacklevel=2)
    pairs = tuple(
        AuditPair(row.what, row.loss, row.claim, row.limit, row.bound, row.passed(), row.computed)
        for row in _rehearsal.audit_runs(ours, plan, times)
    )
    return Audit(
        pairs=pairs,
        runs=times,
        alpha=_rehearsal.alpha,
        passed=all(pair.passed for pair in pairs),
        notes=tuple(_notes(pairs, choices)),
    )


def _notes(pairs: tuple[AuditPair, ...], choices: bool) -> list[str]:
    notes = []
    if any(number(pair.limit) != number(pair.claim) for pair in pairs):
        notes.append(
            "the limit, which the bound is held against, is above the claim: thresholds are judged as if the "
            "noise were continuous, and noise on whole numbers falls in steps"
        )
    if any(pair.computed for pair in pairs):
        notes.append(
            "rows of laws are computed: what the noise and the choices that the rounds state show of these "
            "neighbours, in the worst of all runs; the others are estimated, and so few runs see little"
        )
    if choices:
        notes.append(
            "an audit of quantiles has little power: even half the noise would hardly be seen; rely on the "
            "proof and on the library's own tests"
        )
    return notes


for _public in (Audit, AuditPair, audit):
    _public.__module__ = "postern"
