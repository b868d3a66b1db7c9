"""Posterior distributions, as draws and as a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
import numpy.typing as npt

from . import _analyst
from ._arviz import variables_of
from ._files import PathLike
from ._frames import ArrowTable
from ._given import flag, path_text, word
from ._implied_noise import ImpliedNoise, implied_noise
from ._number_predictions import NumberPredictions
from ._predictions import Predictions, predictions
from ._quantiles import QuantileRow, QuantileTable, is_one, probability
from ._summary import Summary, SummaryRow, summary_of
from ._synthetic import SyntheticRecords
from ._warning import NamedWarning, named, tell
from ._words import whole
from .errors import Error

if TYPE_CHECKING:
    import pandas
    import polars


class Posterior:
    """A posterior distribution that knows how much noise the gate added.

    >>> post = pn.infer("survey.release.json", seed=1)
    >>> post.names
    ('p.1', 'p.2', 'p.3', 'p.4')
    >>> post["p.1"].shape          # chains, draws
    (4, 1000)
    >>> post.engine
    'exact'
    """

    def __init__(self, inner: _analyst.Posterior, seed: int) -> None:
        """Use `infer`."""
        self._inner = inner
        self.seed = seed

    @property
    def names(self) -> tuple[str, ...]:
        """CmdStan-legal names of the quantities: ``theta``, ``p.1``, ``n``, ``query.1``."""
        return tuple(self._inner.names)

    @property
    def labels(self) -> tuple[str, ...]:
        """The same quantities in words: ``P(smoker = yes)``."""
        return tuple(self._inner.labels)

    @property
    def engine(self) -> str:
        """The engine that was used."""
        return self._inner.engine

    @property
    def reason(self) -> str:
        """Why that engine."""
        return self._inner.reason

    @property
    def warnings(self) -> tuple[NamedWarning, ...]:
        """Reasons not to rely on it, each with a stable name; `infer` has said them already.

        >>> post.warnings
        ()
        """
        return named(self._inner.warnings)

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions, in plain words."""
        return tuple(self._inner.notes)

    @property
    def cut(self) -> tuple[str, ...]:
        """What the draws take from coarse released facts alone ("n", "centres"): see docs/priors.md."""
        return tuple(self._inner.cut)

    @property
    def log_evidence(self) -> float | None:
        """log p(released values), where the engine knows it."""
        return self._inner.log_evidence

    @property
    def implied_noise(self) -> ImpliedNoise | None:
        """How plausible the noise is that this posterior implies, block by block; None where it is not told.

        >>> [block.block for block in post.implied_noise.blocks]
        ['table of smoker x cancer']
        """
        return implied_noise(json.loads(self._inner.facts()))

    @property
    def draws(self) -> tuple[npt.NDArray[np.float64], ...]:
        """One array a chain, of shape (draws, quantities): the library's own memory, which cannot be written.

        >>> [chain.shape for chain in post.draws]
        [(1000, 4), (1000, 4), (1000, 4), (1000, 4)]
        """
        return tuple(self._inner.draws(chain).T for chain in range(self._inner.chains))

    def __getitem__(self, name: str) -> npt.NDArray[np.float64]:
        """The draws of one quantity, by name or label, of shape (chains, draws)."""
        for names in (self.names, self.labels):
            if name in names:
                return np.stack([chain[:, names.index(name)] for chain in self.draws])
        if isinstance(name, str) and "(" in name:
            raise KeyError(f"{name!r} was not asked for; write infer(release, query={name!r})")
        raise KeyError(f"{name!r}; there are {', '.join(self.names)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def summary(self) -> Summary:
        """Mean, sd and quantiles of every quantity; exact where the engine is.

        >>> post.summary()
        quantity                         mean        sd       5%      50%      95%
        P(smoker = no, cancer = no)    ...
        """
        return summary_of(self._inner.summary)

    @property
    def sensitivity(self) -> dict[float, Summary]:
        """The summary under other priors, by how many times as many records they are worth: 0.5 and 2.

        Empty unless `infer` was asked with ``sensitivity=True``.

        >>> sorted(infer("survey.release.json", sensitivity=True).sensitivity)
        [0.5, 2.0]
        """
        return {one.prior_times: summary_of(one.summary) for one in self._inner.sensitivity}

    @overload
    def quantile(self, p: float) -> dict[str, float]: ...
    @overload
    def quantile(self, p: Iterable[float]) -> QuantileTable: ...
    def quantile(self, p: float | Iterable[float]) -> dict[str, float] | QuantileTable:
        """The p-quantile of the draws of every quantity, by name; of several p, a table.

        >>> sorted(post.quantile(0.9))
        ['p.1', 'p.2', 'p.3', 'p.4']
        >>> post.quantile([0.025, 0.975])
        quantity                         2.5%    97.5%
        P(smoker = no, cancer = no)    ...
        """
        wanted = [probability(p)] if is_one(p) else [probability(one) for one in cast(Iterable[Any], p)]
        values = np.quantile(np.concatenate(self.draws), wanted, axis=0).T.tolist()
        if is_one(p):
            return {name: value for name, (value,) in zip(self.names, values, strict=True)}
        rows = zip(self.names, self.labels, values, strict=True)
        return QuantileTable((QuantileRow(name, label, tuple(of)) for name, label, of in rows), wanted)

    @classmethod
    def load(cls, folder: PathLike) -> Posterior:
        """Reads what `save` or ``postern infer -o`` wrote.

        >>> post.save("saved")
        >>> Posterior.load("saved").names
        ('p.1', 'p.2', 'p.3', 'p.4')
        """
        place = path_text(folder, "folder", "the path of a folder that `save` or `infer -o` made")
        inner = _analyst.Posterior.read(place)
        return cls(inner, json.loads(inner.facts())["seed"])

    def save(self, folder: PathLike, *, force: bool = False, format: str = "csv") -> None:
        """Writes what the program writes: chain_1.csv ... in CmdStan's form, summary.csv, posterior.json.

        ``format="npy"`` writes chain_1.npy ... instead: arrays of shape (draws, quantities) for
        ``numpy.load``, in less than half the room.

        >>> post.save("posterior")
        """
        place = path_text(folder, "folder", "the path of a new folder")
        word(format, "format", '"csv" or "npy"')
        replace = flag(force, "force")
        tell(named(self._inner.output_warnings(format)))
        self._inner.write(place, replace, format)

    def to_bif(self) -> str:
        """The network at its posterior means, as the text of a BIF file, which bnlearn, pgmpy, aGrUM and
        GeNIe read. `save` writes it as ``network.bif``. Only of a Bayesian or Markov network.

        >>> try:
        ...     post.to_bif()  # of a table of two columns
        ... except pn.Error as refusal:
        ...     print(refusal.code)
        unsupported
        """
        refusal = "only the posterior of a network whose names BIF can write makes a BIF file"
        return self._model_file("network.bif", refusal)

    def to_uai(self) -> str:
        """A Markov network at its posterior means, as the text of a UAI file: tables over its largest cliques
        whose product is the law of a record. `save` writes it as ``network.uai``. The form has no names;
        variables, levels and tables are in the order of `to_json`.

        >>> try:
        ...     post.to_uai()  # of a table of two columns
        ... except pn.Error as refusal:
        ...     print(refusal.code)
        unsupported
        """
        return self._model_file("network.uai", "only the posterior of a Markov network makes a UAI file")

    def to_json(self) -> str:
        """A Markov network at its posterior means, as JSON: columns with their levels, and of each of the
        largest cliques the factor and the probabilities of its cells. `save` writes it as ``network.json``.

        >>> try:
        ...     post.to_json()  # of a table of two columns
        ... except pn.Error as refusal:
        ...     print(refusal.code)
        unsupported
        """
        return self._model_file("network.json", "only the posterior of a Markov network makes a network.json")

    def _model_file(self, name: str, refusal: str) -> str:
        text = self._inner.model_files().get(name)
        if text is None:
            raise Error("unsupported", refusal)
        return text

    def predict_proba(
        self,
        rows: ArrowTable | PathLike | Mapping[str, Any],
        *,
        target: str | None = None,
        draws: int = 1000,
        threads: int = 0,
    ) -> Predictions:
        """The probabilities of one column's values in rows that the posterior has not seen, given their other
        fields, with 90 % intervals from at most ``draws`` draws.

        ``rows`` are a frame, a mapping of columns, a CSV file, or with pyarrow a Parquet or Arrow file;
        fields may be missing and columns absent. ``target`` is the class of a naive Bayes model unless it
        is named. Of a Markov chain the rows are sequences, with the column of people's ids, and each state is
        predicted from the one before. Values that the study does not declare count as missing, and a warning
        names them.

        >>> found = post.predict_proba({"smoker": ["yes", "no"]}, target="cancer")
        >>> found.probabilities.sum(axis=1).round(9).tolist()
        [1.0, 1.0]
        """
        found = predictions(self._inner, rows, target, draws, threads)
        if isinstance(found, NumberPredictions):
            raise Error("unsupported", "a regression predicts a number: take predict or predict_interval")
        tell(found.warnings)
        return found

    def predict_interval(
        self, rows: ArrowTable | PathLike | Mapping[str, Any], *, draws: int = 1000, threads: int = 0
    ) -> NumberPredictions:
        """The target of a regression in rows that the posterior has not seen: its mean, and the 90 % interval
        of a new record's value, from at most ``draws`` draws.

        ``rows`` are as for `predict_proba`. A row that lacks a feature has no prediction, and a warning
        counts such rows. Where the target is among the rows, ``rmse``, ``coverage`` and ``log_score`` judge.

        >>> try:
        ...     post.predict_interval({"smoker": ["yes"]})  # of a table of two columns
        ... except pn.Error as refusal:
        ...     print(refusal.code)
        unsupported
        """
        if "beta.1" in self.names:  # a regression; else which column is meant would have to be named
            found = predictions(self._inner, rows, None, draws, threads)
            if isinstance(found, NumberPredictions):
                tell(found.warnings)
                return found
        raise Error("unsupported", "only a regression predicts a number; predict_proba tells probabilities")

    def predict(
        self, rows: ArrowTable | PathLike | Mapping[str, Any], *, target: str | None = None, threads: int = 0
    ) -> npt.NDArray[Any]:
        """The most probable value of one column in each row; `predict_proba` tells how probable. Of a
        regression the mean of its target; `predict_interval` tells how far off it may be.

        >>> post.predict({"smoker": ["yes", "no"]}, target="cancer").tolist()
        ['no', 'no']
        """
        found = predictions(self._inner, rows, target, 1000, threads)
        tell(found.warnings)
        return found.mean if isinstance(found, NumberPredictions) else found.labels

    @overload
    def synthesize(
        self,
        n: int,
        *,
        seed: int = 1,
        datasets: None = None,
        plug_in: bool = False,
        intervals: bool = False,
        length: int | None = None,
        threads: int = 0,
    ) -> SyntheticRecords: ...
    @overload
    def synthesize(
        self,
        n: int,
        *,
        seed: int = 1,
        datasets: int,
        plug_in: bool = False,
        intervals: bool = False,
        length: int | None = None,
        threads: int = 0,
    ) -> tuple[SyntheticRecords, ...]: ...
    def synthesize(
        self,
        n: int,
        *,
        seed: int = 1,
        datasets: int | None = None,
        plug_in: bool = False,
        intervals: bool = False,
        length: int | None = None,
        threads: int = 0,
    ) -> SyntheticRecords | tuple[SyntheticRecords, ...]:
        """``n`` synthetic records, each under a posterior draw of its own; or several data sets of as many,
        each under a draw of its own, whose results are combined as the ``notes`` of each say.

        ``plug_in`` draws all of them at the posterior mean; ``intervals`` writes a number with cuts as its
        interval, not as a number from it. Of a Markov chain the records are people's sequences, of ``length``
        records each (as many transitions as count, unless said). The same seed gives the same records as the
        program. They cost no privacy beyond the releases, and are only as good as the model.

        >>> len(post.synthesize(10_000, seed=2))
        10000
        """
        size, sets = whole("n", n, 1), 1 if datasets is None else whole("datasets", datasets, 1)
        how = flag(plug_in, "plug_in"), flag(intervals, "intervals")
        inner = _analyst.synthesize(
            self._inner,
            size,
            sets,
            *how,
            whole("seed", seed),
            whole("threads", threads),
            None if length is None else whole("length", length, 1),
        )
        made = tuple(SyntheticRecords(inner, i, size) for i in range(sets))
        return made[0] if datasets is None else made

    def to_pandas(self) -> pandas.DataFrame:
        """All draws as a pandas frame: one column a quantity, indexed by chain and draw.

        >>> post.to_pandas().shape
        (4000, 4)
        """
        import pandas

        shape = (self._inner.chains, self._inner.iterations)
        index = pandas.MultiIndex.from_product([range(shape[0]), range(shape[1])], names=["chain", "draw"])
        return pandas.DataFrame(np.concatenate(self.draws), index=index, columns=list(self.names))

    def to_polars(self) -> polars.DataFrame:
        """All draws as a polars frame: chain, draw, and one column a quantity.

        >>> post.to_polars().columns
        ['chain', 'draw', 'p.1', 'p.2', 'p.3', 'p.4']
        """
        import polars

        chains, iterations = self._inner.chains, self._inner.iterations
        columns = {
            "chain": np.repeat(np.arange(chains), iterations),
            "draw": np.tile(np.arange(iterations), chains),
        }
        draws = np.concatenate(self.draws)
        return polars.DataFrame(columns | {name: draws[:, i] for i, name in enumerate(self.names)})

    def to_arviz(self) -> Any:
        """The draws as ArviZ takes them: the cells ``p.1 ...`` of a table are one variable, with a dimension
        for each column and its levels as coordinates.

        >>> p = post.to_arviz().posterior["p"]
        >>> p.dims
        ('chain', 'draw', 'smoker', 'cancer')
        >>> p.sel(smoker="yes", cancer="no").shape
        (4, 1000)
        """
        import arviz

        variables, dims, coords = variables_of(self.names, self.labels, np.stack(self.draws), self.table)
        attributes = {"inference_library": "postern", "engine": self.engine}
        if arviz.__version__.startswith("0."):
            return arviz.from_dict(posterior=variables, dims=dims, coords=coords, posterior_attrs=attributes)
        return arviz.from_dict(
            {"posterior": variables}, dims=dims, coords=coords, attrs={"posterior": attributes}
        )

    @property
    def table(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The columns of the table whose cells ``p.1 ...`` are, each with its levels; empty for other models.

        >>> post.table
        (('smoker', ('no', 'yes')), ('cancer', ('no', 'yes')))
        """
        columns = json.loads(self._inner.facts()).get("table", [])
        return tuple((column["column"], tuple(column["levels"])) for column in columns)

    def __reduce__(self) -> tuple[Any, ...]:
        draws = [chain.T for chain in self.draws]
        sensitivity = [(times, _cells(summary)) for times, summary in self.sensitivity.items()]
        facts = json.loads(self._inner.facts())
        source = (self._inner.documents, self._inner.public_counts, self._inner.public_sums)
        return _restored, (facts, _cells(self.summary()), draws, self.seed, sensitivity, source)

    def __repr__(self) -> str:
        # A folder that was loaded may come from a stranger.
        engine, reason, *notes = map(_analyst.printable, (self.engine, self.reason, *self.notes))
        lines = "".join(f"\n{line}" for line in (*self.warnings, *(f"note: {note}" for note in notes)))
        size = f"{self._inner.chains} x {self._inner.iterations} draws, seed {self.seed}"
        return f"Posterior({engine}: {reason}; {size})\n{self.summary()!r}{lines}"


def _cells(summary: Summary) -> list[Any]:
    return [tuple(vars(row).values()) for row in summary]


def _restored(
    facts: dict[str, Any],
    summary: list[Any],
    draws: list[Any],
    seed: int,
    sensitivity: Sequence[Any] = (),
    source: tuple[Any, Any, Any] = ((), None, None),
) -> Posterior:
    """What a pickle of a posterior calls."""
    return Posterior(_analyst.Posterior.restore(facts, summary, sensitivity, draws, *source), seed)


for _public in (Posterior, Summary, SummaryRow):
    _public.__module__ = "postern.analyst"
