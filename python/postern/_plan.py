"""What a release would cost and be worth, before anything is read or charged."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal

from . import _analyst
from ._files import PathLike
from ._study import Study, as_study, undeclared_missing
from ._tables import number, text_table
from ._warning import NamedWarning, named
from ._words import Amount, optional_text, unit_of, whole

_FEW = 20  # simulated studies whose mean is rough


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
    """Widths of the central 90 % interval of one quantity, averaged over simulated studies."""

    label: str
    prior: float
    expected: float
    without_noise: float


@dataclass(frozen=True, repr=False)
class Plan:
    """A planned release. ``widths`` is empty where n is needed and was not given, or memory would not do.

    >>> plan = pn.plan("study.toml", epsilon="1", n=500, simulations=20)
    >>> plan.cost, plan.mechanism, [block.cells for block in plan.blocks]
    (Decimal('1'), 'laplace', [4])
    """

    unit: str
    cost: Decimal
    mechanism: str
    blocks: tuple[PlanBlock, ...]
    n: int | None
    simulations: int
    widths: tuple[Width, ...]
    close_to_prior: bool | None
    memory_bytes: float | None
    seconds: float | None
    notes: tuple[str, ...]
    warnings: tuple[NamedWarning, ...] = ()
    """Prior and noise out of proportion to the data, by name."""

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
            parts += [
                f"width of the 90 % interval, mean of {self.simulations} simulated studies",
                text_table(
                    ["quantity", "prior", "expected", "without noise"],
                    [
                        [row.label, number(row.prior), number(row.expected), number(row.without_noise)]
                        for row in self.widths
                    ],
                ),
            ]
        return "\n".join([*parts, *(f"note: {note}" for note in self.notes), *map(str, self.warnings)])


def plan(
    study: Study | PathLike,
    *,
    epsilon: Amount | None = None,
    rho: Amount | None = None,
    mechanism: str | None = None,
    n: int | None = None,
    simulations: int | None = None,
    seed: int = 1,
    threads: int = 0,
) -> Plan:
    """What a release would cost, how noisy it would be, and how wide the posterior would be.

    No data is read and nothing is charged. ``n`` is the number of records to plan for; where it is private
    and not given, it is drawn from its prior.

    >>> import postern as pn
    >>> pn.plan("study.toml", epsilon="1").blocks[0].noise
    'discrete-laplace'
    """
    declared = as_study(study)
    ours = _analyst.Study.parse(declared.text, declared.source)
    noise = ours.plan(optional_text("epsilon", epsilon), optional_text("rho", rho), mechanism)
    size = None if n is None else whole("n", n)
    outlook = _analyst.look_ahead(
        ours,
        noise,
        size,
        None if simulations is None else whole("simulations", simulations, 1),
        whole("seed", seed),
        whole("threads", threads),
    )
    facts = json.loads(noise.document(ours))
    rows = (
        ()
        if outlook is None
        else tuple(Width(row.label, row.prior, row.expected, row.without_noise) for row in outlook.rows)
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
        simulations=0 if outlook is None else outlook.simulations,
        widths=rows,
        close_to_prior=close,
        memory_bytes=None if outlook is None else outlook.bytes,
        seconds=outlook.seconds if outlook is not None and rows else None,
        notes=tuple(_notes(declared, outlook, close, simulations is not None)),
        warnings=named(_analyst.planned_proportion(ours, noise, size)),
    )


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


def _notes(study: Study, outlook: _analyst.Outlook | None, close: bool | None, asked: bool) -> list[str]:
    notes = [
        f"column {name} names no `missing` value: empty or unreadable fields will count as its first level"
        for name in undeclared_missing(study)
    ]
    if "quantiles" in study._facts["model"]["kind"]:
        notes.append("write the chosen values as the bounds of a study of their own")
    elif outlook is None:
        notes.append("give n to see the expected posterior width")
    elif close is None:
        notes.append("the posterior would need more than infer takes; merge levels, or lower n or n.at_most")
    elif close:
        notes.append(
            "the posterior will be close to the prior: this release would say little; spend more, ask of "
            "more records, or merge levels"
        )
    if close is not None and outlook is not None and not asked and outlook.simulations < _FEW:
        notes.append(
            f"one posterior of this study takes about {number(outlook.seconds)} s: the widths are the mean "
            f"of only {outlook.simulations} simulated, and rough; simulations= asks for more"
        )
    return notes


for _public in (Plan, PlanBlock, Width, plan):
    _public.__module__ = "postern.analyst"
