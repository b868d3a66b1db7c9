"""The analyst's side, outside the wall: plans, posteriors, calibration. Needs nothing of the owner's side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _analyst
from ._calibrate import Calibration, QuantityCalibration, calibrate
from ._difference import Difference, difference
from ._files import PathLike
from ._frames import ArrowTable, wanted_columns
from ._given import flag, word
from ._implied_noise import ImpliedNoise, NoiseBlock
from ._network import Network, read_bif
from ._number_predictions import NumberPredictions
from ._plan import MechanismComparison, MechanismOutlook, Plan, PlanBlock, Width, plan
from ._posterior import Posterior
from ._predictions import Predictions
from ._quantiles import QuantileRow, QuantileTable
from ._release import Check, Release, as_releases, verify
from ._rows import row_columns
from ._study import Study
from ._summary import Summary, SummaryRow
from ._synthetic import SyntheticRecords
from ._warning import NamedWarning, tell
from ._words import Prior, prior_text, whole
from .errors import Error

__all__ = [
    "Calibration",
    "Check",
    "Difference",
    "Error",
    "ImpliedNoise",
    "MechanismComparison",
    "MechanismOutlook",
    "NamedWarning",
    "Network",
    "NoiseBlock",
    "NumberPredictions",
    "Plan",
    "PlanBlock",
    "Posterior",
    "Predictions",
    "QuantileRow",
    "QuantileTable",
    "QuantityCalibration",
    "Release",
    "Study",
    "Summary",
    "SummaryRow",
    "SyntheticRecords",
    "Width",
    "calibrate",
    "difference",
    "infer",
    "plan",
    "read_bif",
    "verify",
]


def infer(
    releases: Release | PathLike | Iterable[Release | PathLike],
    *,
    engine: str = "auto",
    estimator: str | None = None,
    chains: int = 4,
    draws: int = 1000,
    seed: int = 1,
    prior: Prior | None = None,
    public: ArrowTable | PathLike | Mapping[str, Any] | None = None,
    query: str | Iterable[str] = (),
    sensitivity: bool = False,
    threads: int = 0,
    memory_limit: int = 2 << 30,
) -> Posterior:
    """The posterior distribution of a study's parameters, from releases alone.

    Several releases are combined, datasets assumed disjoint. ``prior`` replaces the study's (``"learned"``,
    ``"beta 1 1"``, or the numbers in the study's order, a matrix as its rows); ``public`` holds public
    records of the same kind, used as they are (a frame, a mapping of columns, a CSV file, or with pyarrow a
    Parquet or Arrow file); ``query`` asks for derived probabilities, ``sensitivity`` for the answer under a
    prior worth half and twice as many records as well, or with the scale of a learned one about half and
    twice as large. The same seed gives the same draws as the program, for any number of threads. Past
    ``memory_limit`` bytes the engine refuses with its forecast. ``estimator`` has a Markov network learnt as
    a point without an interval (``"l2"``, ``"em"`` ...). Reasons not to rely on the answer are said as
    Python's warnings and kept in its ``warnings``.

    >>> post = infer("survey.release.json", query="P(cancer = yes | smoker = yes)", seed=1)
    >>> post.labels[-1]
    'P(cancer = yes | smoker = yes)'
    """
    given = as_releases(releases)
    varied = flag(sensitivity, "sensitivity")
    queries = _texts(query)
    settings = (
        whole("chains", chains, 1),
        whole("draws", draws, 1),
        whole("seed", seed),
        whole("threads", threads),
        whole("memory_limit", memory_limit, 1),
    )
    named = (
        "" if estimator is None else word(estimator, "estimator", 'the name of an estimator, such as "l2"')
    )
    documents = [_analyst.Release.parse(release.text) for release in given]
    rows = None if public is None or not given else _public_rows(public, given[0], documents[0])
    sources = ["" if release.source == release.id else release.source for release in given]
    how = word(engine, "engine", 'the name of an engine, such as "auto"')
    request = (how, prior_text(prior), queries, rows, varied)
    posterior = Posterior(_analyst.infer(documents, sources, *request, *settings, named), seed)
    tell(posterior.warnings)
    return posterior


def _texts(query: object) -> list[str]:
    """Queries, of which one may be given alone."""
    wanted = 'a text such as "P(cancer = yes)", or several in a list'
    given = [query] if isinstance(query, (str, bytes)) or not isinstance(query, Iterable) else list(query)
    return [word(one, "query", wanted) for one in given]


def _public_rows(public: object, release: Release, document: _analyst.Release) -> _analyst.PublicRows:
    names = release.model_columns
    columns = row_columns(public, wanted_columns(release._facts["study"], names))
    if columns is None:
        raise Error("column-absent", f"public rows need the columns {', '.join(names)}")
    return _analyst.read_public_rows(columns, document.settled_study)
