"""Release documents: everything that leaves the owner."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._files import PathLike, read_text, write_text
from ._given import file_text, is_tabular, path_text, what_is
from ._side import any_side
from ._study import Study, columns_of_model
from ._toml import toml_text
from .errors import Error

if TYPE_CHECKING:
    from ._ledger import Ledger

_MOST = 64 << 20
_MOST_DECLARED = 16 << 20
_OTHER_KINDS = {".toml": "a study", ".csv": "a file of records", ".ledger": "a ledger"}


class Release:
    """A published release: noisy statistics, the law of their noise, and what they cost. All of it is public.

    Made by `release`, `load` or `parse`; a document that is malformed, not
    canonical or of a newer version is refused.

    >>> release = Release.load("survey.release.json")
    >>> release.cost, release.unit, release.n
    (Decimal('1'), 'epsilon', 500)
    >>> release.values
    {'table of smoker x cancer': ...}
    """

    __slots__ = ("_facts", "source", "text")
    text: str
    """The document, byte for byte as it is published."""
    source: str
    """The file it was read from, or its id."""
    _facts: dict[str, Any]

    def __init__(self, text: str, source: str | None = None) -> None:
        file_text(text, "Release", "the JSON of a release")
        try:
            any_side().Release.parse(text)
        except Error as error:
            if source is None:
                raise
            raise Error(error.code, f"'{source}': {error.message}") from None
        self.text = text
        self._facts = json.loads(text)
        self.source = source or self.id

    @classmethod
    def load(cls, path: PathLike) -> Release:
        """Reads a release document.

        >>> Release.load("survey.release.json").dataset
        'survey-2026'
        """
        name = path_text(path, "release", "a Release, or the path of its document")
        kind = _OTHER_KINDS.get(Path(name).suffix)
        if kind is not None:
            raise Error(
                "release-malformed",
                f"'{name}' is no release by its name but {kind}; a release is a .json document that "
                "release() made",
            )
        return cls(read_text(name, _MOST), name)

    @classmethod
    def parse(cls, text: str) -> Release:
        """Reads a release document from its text.

        >>> Release.parse(open("survey.release.json").read()).mechanism
        'laplace'
        """
        return cls(text)

    @classmethod
    def foreign(cls, declared: PathLike | Mapping[str, Any]) -> Release:
        """A release made by another tool, as a file declares it, or as a dictionary with that file's keys.

        Values may be floats, and ``None`` (or NaN) where a threshold held one back. The noise is taken at its
        word, and every answer from it says so. Give it to `infer` like any other release.

        >>> facts = Study.load("study.toml").to_dict()
        >>> facts["foreign"] = {
        ...     "made_by": "OpenDP 0.16.0", "n": 500, "measured": [{
        ...         "what": "table", "columns": ["smoker", "cancer"], "noise": "laplace", "scale": 2.0,
        ...         "values": [351.3, 10.9, 126.4, 11.2]}]}
        >>> release = Release.foreign(facts)
        >>> release.made_by, release.n
        ('OpenDP 0.16.0', 500)
        """
        if isinstance(declared, Mapping):
            text, name = toml_text(_with_absent(declared)), "foreign"
        else:
            name = path_text(declared, "declared", "the path of a file, or a dictionary with its keys")
            text = read_text(name, _MOST_DECLARED)
        return cls(any_side().Release.foreign(text, name), None if name == "foreign" else name)

    def save(self, path: PathLike, *, force: bool = False) -> None:
        """Writes the document, whole or not at all; an existing file is replaced only with ``force``.

        >>> Release.load("survey.release.json").save("copy.release.json")
        """
        write_text(path, self.text, force)

    @property
    def id(self) -> str:
        """32 hex digits that name this release in the ledger."""
        return str(self._facts["release_id"])

    @property
    def made_by(self) -> str | None:
        """The tool that is said to have made it, of a release made elsewhere; ``None`` of one of ours."""
        return str(self._facts["foreign"]["made_by"]) if self._is_foreign else None

    @property
    def _is_foreign(self) -> bool:
        return "foreign" in self._facts

    def _known(self, what: str) -> dict[str, Any]:
        if self._is_foreign:
            raise Error(
                "unsupported",
                f"{what} of a release made elsewhere is not known; of what it declares nothing is verified",
            )
        return self._facts

    @property
    def created(self) -> str:
        """The day it was made."""
        return str(self._known("the day")["created"])

    @property
    def study_name(self) -> str:
        """The name of its study."""
        return str(self._facts["study"]["name"])

    @property
    def dataset(self) -> str:
        """The dataset whose budget paid."""
        return str(self._facts["study"]["dataset"])

    @property
    def model_columns(self) -> tuple[str, ...]:
        """The columns whose levels its model counts."""
        return columns_of_model(self._facts["study"])

    @property
    def unit(self) -> str:
        """What the cost is counted in: ``epsilon`` or ``rho``."""
        return str(next(iter(self._known("the cost")["privacy"]["cost"])))

    @property
    def cost(self) -> Decimal:
        """What it cost, exactly, as the document claims; `verify` recomputes it."""
        exact = Fraction(self._known("the cost")["privacy"]["cost"][self.unit])
        return Decimal(exact.numerator) / Decimal(exact.denominator)

    @property
    def mechanism(self) -> str:
        """How it was noised: ``laplace``, ``gaussian``, or ``exponential`` for quantiles."""
        return str(self._known("the mechanism")["measurements"][0]["mechanism"])

    @property
    def n(self) -> int | None:
        """The number of records if it is public, else ``None``."""
        if self._is_foreign:
            known = self._facts["foreign"].get("n")
            return None if known is None else int(known)
        n = self._facts["n"]
        return int(n["value"]) if n["kind"] == "public" else None

    @property
    def values(self) -> dict[str, list[Any]]:
        """The noisy integers of every block, by what was measured; numbers of a release made elsewhere."""
        texts = any_side().Release.parse(self.text).statistics()
        if self._is_foreign:
            measured = self._facts["foreign"]["measured"]
            return {
                text: [None if y is None else float(Fraction(y)) for y in block["values"]]
                for text, block in zip(texts, measured, strict=True)
            }
        blocks = [block for measurement in self._facts["measurements"] for block in measurement["blocks"]]
        return {text: [int(y) for y in block["values"]] for text, block in zip(texts, blocks, strict=True)}

    @property
    def chosen(self) -> dict[str, str]:
        """The values that a release of quantiles chose, by what they are; empty for any other release.

        ``values`` holds their places among the column's levels.
        """
        return dict(any_side().Release.parse(self.text).chosen())

    @property
    def key_id(self) -> str | None:
        """The id of the key that signed it, or ``None``."""
        signature = self._facts.get("signature")
        return str(signature["key_id"]) if signature else None

    def __repr__(self) -> str:
        n = "private" if self.n is None else f"{self.n:,}"
        if self.made_by is not None:
            return (
                f"Release({self.id[:8]}, {self.study_name!r}, by {self.made_by}, noise not verified, n {n})"
            )
        cost = f"{self.unit} {self.cost}"
        return f"Release({self.id[:8]}, {self.study_name!r}, {cost}, {self.mechanism}, n {n})"

    def __reduce__(self) -> tuple[type[Release], tuple[str, str]]:
        return Release, (self.text, self.source)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Release) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


Release.__module__ = "postern"


def _with_absent(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The same keys, with a word for values that were held back."""
    foreign = facts.get("foreign")
    if not isinstance(foreign, Mapping) or not isinstance(foreign.get("measured"), list | tuple):
        return dict(facts)
    measured = [
        {**block, "values": [_or_absent(value) for value in block["values"]]}
        if isinstance(block, Mapping) and isinstance(block.get("values"), Iterable)
        else block
        for block in foreign["measured"]
    ]
    return {**facts, "foreign": {**foreign, "measured": measured}}


def _or_absent(value: Any) -> Any:
    return "absent" if value is None or value != value else value


@dataclass(frozen=True)
class Check:
    """One line of a verification: what was claimed, and what was recomputed."""

    name: str
    passed: bool
    detail: str


def verify(
    release: Release | PathLike,
    ledger: Ledger | PathLike | None = None,
    *,
    key: PathLike | None = None,
) -> tuple[Check, ...]:
    """Recomputes sensitivity, noise and cost from the study inside a release, and compares with its claims.

    With a ledger (the owner's), also checks that it was charged for this very document; with ``key``, the
    file of the owner's ed25519 public key (PEM), that this very key signed it. Returns the checks; raises
    `Error` ``release-inconsistent`` if one fails.

    >>> import postern as pn
    >>> [check.name for check in pn.verify("survey.release.json")]
    ['study', 'sensitivity', 'cost', 'shape', 'noise', 'n', 'counted-by', 'members', 'signature']
    """
    document = as_release(release)
    if document.made_by is not None:
        raise Error(
            "unsupported",
            f"'{document.source}' was made elsewhere, by {document.made_by}; its noise and cost are a claim "
            "that cannot be verified here",
        )
    parsed = any_side().Release.parse(document.text)
    made = list(parsed.verify())
    if key is not None:
        made.append(parsed.verify_key(read_text(path_text(key, "key", "the path of a public key"), 1 << 16)))
    checks = [Check(check.name, check.passed, check.detail) for check in made]
    if ledger is not None:
        from ._ledger import as_ledger

        book = as_ledger(ledger)
        held = book.holds(document)
        checks.append(
            Check("ledger", held, "the ledger paid for this release" if held else book._why_not(document))
        )
    failed = "; ".join(f"{check.name}: {check.detail}" for check in checks if not check.passed)
    if failed:
        only_key = all(check.passed or check.name == "key" for check in checks)
        fault = "is not signed with this key" if only_key else "does not hold what it claims"
        raise Error("release-inconsistent", f"'{document.source}' {fault}: {failed}")
    return tuple(checks)


def as_release(release: Release | PathLike) -> Release:
    """The release itself, or the one in that file."""
    return release if isinstance(release, Release) else Release.load(release)


def as_releases(releases: Release | PathLike | Iterable[Release | PathLike]) -> list[Release]:
    """One release or several, given as such or as files."""
    if isinstance(releases, Release | str | os.PathLike):
        return [as_release(releases)]
    _refuse_other(releases)
    found = list(releases)
    for one in found:
        _refuse_other(one)
    return [as_release(release) for release in found]


def _refuse_other(given: object) -> None:
    """Names what people give by mistake, before it is taken for a list of files."""
    if isinstance(given, Release | str | os.PathLike):
        return
    kind = type(given).__name__
    if what_is(given) == "a posterior":
        what = (
            "which is the answer already. For another, give infer the release that it was made of: "
            'infer("survey.release.json")'
        )
    elif isinstance(given, Study):
        what = "but infer takes the release that postern.release made of a study and of records"
    elif is_tabular(given) or isinstance(given, Mapping):
        what = (
            "a table of records, which infer never sees: postern.release makes a release of it, "
            "and infer takes that; public rows go into public="
        )
    elif not isinstance(given, Iterable) or isinstance(given, bytes):
        what = "no release: give one, the path of one, or a list of them"
    else:
        return
    raise Error("wrong-type", f"what was given is a {kind}, {what}")
