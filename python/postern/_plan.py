"""What a release would cost and be worth, before anything is read or charged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from . import _analyst
from ._files import PathLike
from ._study import Study, as_study, undeclared_missing
from ._tables import number, text_table
from ._warning import NamedWarning, named
from ._words import Amount, Truth, noise_words, truth_text, unit_of, whole
from .errors import Error

_FEW = 20  # simulated studies whose quartiles are rough
_MOST_ROWS = 30


@dataclass(frozen=True)
class PlanBlock:
    """One block of noised integers: what is measured, how many cells, and the noise of each."""

    statistic: str
    cells: int
    noise: str
    parameter: str
    sd: float | None
    """Of the noise; nothing where a candidate is chosen."""
    sd_in: str
    """What the noised integers, and so ``sd``, count: ``records``, or for sums ``steps of 0.01``."""


@dataclass(frozen=True)
class Width:
    """Widths of the central 90 % interval of one quantity, over simulated studies."""

    label: str
    prior: float
    """Before any data."""
    q25: float
    median: float
    q75: float
    expected: float
    """The mean, which a few studies of a vague prior may rule."""
    without_noise: float
    """The median, had the statistics been published as they are."""


@dataclass(frozen=True)
class MechanismOutlook:
    """What one way to release a network would do to it."""

    mechanism: str
    cost: Decimal
    loss: float
    """Nats a record that the released network loses to the true one, beyond what exact counts would lose:
    noisy counts and chosen probabilities taken as they are. The mean over simulated studies."""
    loss_error: float
    bound: str
    """What holds of 19 in 20 releases by theory; empty where there is no theorem."""
    limit: float | None
    """The number in it."""
    refused: str
    """Why the network cannot be released so; empty where it can."""


@dataclass(frozen=True, repr=False)
class MechanismComparison:
    """The ways to release a network at one budget, tables first, and which to take."""

    rows: tuple[MechanismOutlook, ...]
    without_noise: float
    """What exact counts lose to the truth, in nats a record."""
    studies: int
    recommended: str
    reason: str

    def __repr__(self) -> str:
        rows = [
            [row.mechanism, "-", "-", row.refused]
            if row.refused
            else [row.mechanism, number(row.loss), number(row.loss_error), row.bound or "-"]
            for row in self.rows
        ]
        return "\n".join(
            [
                f"mechanisms compared in {self.studies} simulated studies; loss: nats a record beyond the "
                f"{number(self.without_noise)} that exact counts lose",
                text_table(["mechanism", "loss", "error", "of 19 in 20 releases"], rows),
                f"recommended: {self.recommended}; {self.reason}",
            ]
        )


@dataclass(frozen=True, repr=False)
class Plan:
    """A planned release. ``widths`` has every quantity of the posterior; it is empty where n is needed and
    was not given, or memory would not do.

    >>> plan = pn.plan("study.toml", epsilon="1", n=500, simulations=20)
    >>> plan.cost, plan.mechanism, [block.cells for block in plan.blocks]
    (Decimal('1'), 'laplace', [4])
    """

    unit: str
    cost: Decimal
    mechanism: str
    blocks: tuple[PlanBlock, ...]
    n: int | None
    at: str | None
    """The truth that was assumed, or nothing: ``truths`` says what parameters were drawn from."""
    simulations: int
    widths: tuple[Width, ...]
    close_to_prior: bool | None
    outside: float | None
    """The share of records outside of their columns' range, in the median of the simulated studies."""
    memory_bytes: float | None
    seconds: float | None
    notes: tuple[str, ...]
    warnings: tuple[NamedWarning, ...] = ()
    """Prior and noise out of proportion to the data, by name."""
    truths: str = "the prior"
    """What parameters are drawn from without ``at``: the prior, or where that is learned the planning law."""
    mechanisms: MechanismComparison | None = None
    """Of a network: the ways to release it at this budget. Nothing for other models, or where n is needed."""

    def __repr__(self) -> str:
        parts = [
            f"Plan({self.unit} {self.cost}, {self.mechanism})",
            text_table(
                ["block", "cells", "noise", "parameter", "sd", "in"],
                [
                    [
                        block.statistic,
                        f"{block.cells:,}",
                        block.noise,
                        block.parameter,
                        "-" if block.sd is None else number(block.sd),
                        block.sd_in,
                    ]
                    for block in self.blocks
                ],
            ),
        ]
        if self.widths:
            parts += self._width_lines()
        parts += [*(f"note: {note}" for note in self.notes), *map(str, self.warnings)]
        return "\n".join([*parts, *([] if self.mechanisms is None else [repr(self.mechanisms)])])

    def _width_lines(self) -> list[str]:
        studies = "1 study" if self.simulations == 1 else f"{self.simulations} studies"
        origin = f"from {self.truths}" if self.at is None else f"at {self.at}"
        # A private n comes last, and is always shown.
        hidden = len(self.widths) - _MOST_ROWS
        last = 1 if self.widths[-1].label == "number of records" else 0
        shown = self.widths
        if hidden > 0:
            shown = self.widths[: _MOST_ROWS - last] + self.widths[len(self.widths) - last :]
        rows = [
            [row.label, *map(number, (row.prior, row.q25, row.median, row.q75, row.without_noise))]
            for row in shown
        ]
        lines = [
            f"width of the 90 % interval, quartiles of {studies} simulated {origin}",
            text_table(["quantity", "prior", "25%", "50%", "75%", "without noise"], rows),
        ]
        return lines + ([f"... and {hidden} more rows, in widths"] if hidden > 0 else [])


def plan(
    study: Study | PathLike,
    *,
    epsilon: Amount | None = None,
    rho: Amount | None = None,
    mechanism: str | None = None,
    shares: Mapping[str, Amount] | None = None,
    select: str | None = None,
    n: int | None = None,
    at: Truth | None = None,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    threads: int = 0,
) -> Plan:
    """What a release would cost, how noisy it would be, and how wide the posterior would be.

    No data is read and nothing is charged. ``n`` is the number of records to plan for; where it is private
    and not given, it is drawn from its prior. ``at`` is a truth to plan for, in the words of the posterior:
    ``{"mean": 38, "variance": 180}`` for a number, probabilities of disjoint events for a table, whose other
    cells share what is left in proportion to their prior. Without it parameters are drawn from the prior, and
    a vague prior says little about the study you will have.

    ``select="tree"`` or ``"adaptive"`` plans for a network of the study's columns that the release chooses.

    Studies are simulated for about ``seconds`` (default 10, or no limit where ``simulations`` says how many),
    a few at least, 200 at most unless ``simulations`` asks for more.

    >>> import postern as pn
    >>> pn.plan("study.toml", epsilon="1").blocks[0].noise
    'discrete-laplace'
    >>> plan = pn.plan("study.toml", epsilon="1", n=500, at={"P(smoker = yes)": 0.3}, simulations=20)
    >>> plan.at
    'P(smoker = yes) 0.3'
    """
    declared = as_study(study, select)
    ours = _analyst.Study.parse(declared.text, declared.source)
    noise = ours.plan(*noise_words(epsilon, rho, mechanism, shares))
    size = None if n is None else whole("n", n)
    truth = truth_text(at)
    outlook = _analyst.look_ahead(
        ours,
        noise,
        size,
        None if simulations is None else whole("simulations", simulations, 1),
        _duration(seconds),
        truth,
        whole("seed", seed),
        whole("threads", threads),
    )
    facts = json.loads(noise.document(ours))
    rows = (
        ()
        if outlook is None
        else tuple(
            Width(row.label, row.prior, row.q25, row.median, row.q75, row.expected, row.without_noise)
            for row in outlook.rows
        )
    )
    close = outlook.close_to_prior if outlook is not None and rows else None
    return Plan(
        unit=unit_of(declared.currency),
        cost=Decimal(noise.cost),
        mechanism=facts["mechanism"],
        blocks=tuple(
            _block(text, unit, fact, block)
            for text, unit, fact, block in zip(
                noise.statistics(ours), noise.units(ours), facts["blocks"], noise.blocks, strict=True
            )
        ),
        n=size,
        at=truth,
        simulations=0 if outlook is None else outlook.simulations,
        widths=rows,
        close_to_prior=close,
        outside=outlook.outside if outlook is not None and rows else None,
        memory_bytes=None if outlook is None else outlook.bytes,
        seconds=outlook.seconds if outlook is not None and rows else None,
        notes=(
            *noise.advice(ours, size),
            *_notes(declared, outlook, close, asked=simulations is not None, assumed=at is not None),
        ),
        warnings=named(_analyst.planned_proportion(ours, noise, size)),
        truths=_analyst.truths_text(ours),
        mechanisms=_comparison(
            _analyst.compare_mechanisms(
                ours, *noise_words(epsilon, rho, None, None)[:2], size, truth, whole("seed", seed), threads
            )
        ),
    )


def _comparison(found: _analyst.MechanismComparison | None) -> MechanismComparison | None:
    if found is None:
        return None
    rows = tuple(
        MechanismOutlook(
            row.mechanism, Decimal(row.cost), row.loss, row.loss_error, row.bound, row.limit, row.refused
        )
        for row in found.rows
    )
    return MechanismComparison(rows, found.without_noise, found.studies, found.recommended, found.reason)


def _block(text: str, unit: str, fact: dict[str, dict[str, str]], block: _analyst.Block) -> PlanBlock:
    noise = fact["noise"]
    name = next(key for key in noise if key != "kind")
    return PlanBlock(
        text,
        block.size,
        noise["kind"],
        f"{name} = {noise[name]}",
        block.noise_sd,
        unit,
    )


def _duration(seconds: float | None) -> float | None:
    if seconds is not None and not (isinstance(seconds, int | float) and seconds >= 0):
        raise Error("bad-option", f"seconds={seconds!r} is not a number of at least 0")
    return None if seconds is None else float(seconds)


def _notes(
    study: Study, outlook: _analyst.Outlook | None, close: bool | None, *, asked: bool, assumed: bool
) -> list[str]:
    notes = [
        f"column {name} names no `missing` value: empty or unreadable fields will count as its first level"
        for name in undeclared_missing(study)
    ]
    if "quantiles" in study._facts["model"]["kind"]:
        notes.append("write the chosen values as the bounds of a study of their own")
    elif outlook is None:
        notes.append("give n to see the expected posterior width")
    elif close is None and "select" in study._facts["model"]:
        notes.append("no width is forecast: what is measured is chosen by the release")
    elif close is None:
        notes.append(
            "no width is forecast: the posterior would need more memory than infer takes, or simulated ones "
            "longer than a plan should"
        )
    elif close:
        notes.append(
            "the posterior will be close to the prior: this release would say little; spend more, ask of "
            "more records, or merge levels"
        )
    if outlook is not None and outlook.most_draws is not None:
        notes.append(
            "infer cannot hold as many draws of so many quantities as it takes unasked: ask it for "
            f"draws={outlook.most_draws}, or fewer"
        )
    if close is None or outlook is None:
        return notes
    if not assumed and outlook.ruled_by_the_prior:
        notes.append(
            "the prior is vague: the studies drawn from it are unlike each other, or have "
            f"{number(100 * outlook.outside)} % of their records outside of the declared range; at= plans "
            "for the parameters that you expect"
        )
    if not asked and outlook.simulations < _FEW:
        notes.append(
            f"one posterior of this study takes about {number(outlook.seconds)} s: only "
            f"{outlook.simulations} were simulated, and the widths are rough; seconds= or simulations= asks "
            "for more"
        )
    return notes


for _public in (MechanismComparison, MechanismOutlook, Plan, PlanBlock, Width, plan):
    _public.__module__ = "postern.analyst"
