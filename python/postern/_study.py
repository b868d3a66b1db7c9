"""The public facts, declared before any data is read."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from ._files import PathLike, read_text
from ._given import file_text, path_text
from ._side import any_side
from ._toml import toml_text
from .errors import Error

_MOST = 16 << 20


class Study:
    """The public facts of a study: columns, model, prior, and what privacy means here.

    Made by `load`, `parse` or `from_dict`, which refuse what cannot be released and say where.

    >>> study = Study.load("study.toml")
    >>> study
    Study('smoking-and-cancer', dataset 'survey-2026', pure, replace-one)
    >>> study.columns
    ('smoker', 'age', 'cancer')
    """

    __slots__ = ("_facts", "document", "source", "text")
    text: str
    """The TOML it was made from."""
    source: str
    """The file it came from, as messages name it."""
    document: str
    """The canonical JSON that every release of this study carries."""
    _facts: dict[str, Any]

    def __init__(self, text: str, source: str = "study") -> None:
        self.text = file_text(text, "Study", "the TOML of a study")
        self.source = source
        self.document = any_side().Study.parse(text, source).document()
        self._facts = json.loads(self.document)

    @classmethod
    def load(cls, path: PathLike, *, select: str | None = None) -> Study:
        """Reads a study file.

        With ``select="tree"`` or ``"adaptive"`` it needs no ``[model]``: the release chooses a network of its
        columns.

        >>> Study.load("study.toml").name
        'smoking-and-cancer'
        """
        name = path_text(path, "study", "a Study, or the path of its file")
        text = read_text(name, _MOST)
        return cls(text if select is None else _selected(text, name, select), name)

    @classmethod
    def parse(cls, text: str, *, select: str | None = None) -> Study:
        """Reads a study from TOML text; ``select`` as for ``load``.

        >>> Study.parse(open("study.toml").read()).dataset
        'survey-2026'
        """
        return cls(text if select is None else _selected(text, "study", select))

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> Study:
        """A study from the keys that its file would have; decimals as text or Decimal, never as floats.

        >>> facts = Study.load("study.toml").to_dict()
        >>> facts["name"] = "second-look"
        >>> Study.from_dict(facts).name
        'second-look'
        """
        return cls(toml_text(facts))

    def selecting(self, how: str) -> Study:
        """The same study with a Markov network of its model's columns that the release chooses.

        ``"tree"``, or ``"adaptive"``: a tree and more pairs.

        >>> Study.load("study.toml").selecting("tree").to_dict()["model"]["select"]
        'tree'
        """
        return Study(_selected(self.text, self.source, how), self.source)

    def to_dict(self) -> dict[str, Any]:
        """The keys of its file, as a dictionary of your own.

        >>> Study.load("study.toml").to_dict()["columns"]["smoker"]["categories"]
        ['no', 'yes']
        """
        return tomllib.loads(self.text)

    @property
    def name(self) -> str:
        """The study's own name."""
        return str(self._facts["name"])

    @property
    def dataset(self) -> str:
        """Whose budget is spent; many studies may share one dataset."""
        return str(self._facts["dataset"])

    @property
    def columns(self) -> tuple[str, ...]:
        """The declared columns, in order."""
        return tuple(column["name"] for column in self._facts["columns"])

    @property
    def model_columns(self) -> tuple[str, ...]:
        """The columns whose levels the model counts."""
        return columns_of_model(self._facts)

    @property
    def currency(self) -> str:
        """``pure`` (epsilon) or ``zcdp`` (rho)."""
        return str(self._facts["privacy"]["currency"])

    @property
    def adjacency(self) -> str:
        """``replace-one`` (the number of records is public) or ``add-remove`` (it is private)."""
        return str(self._facts["privacy"]["adjacency"])

    @property
    def silent_rules(self) -> str:
        """What a release does, without a word, with fields and records that are not as declared here.

        >>> print(Study.load("study.toml").silent_rules)
        By the study's rules, and silently: ...
        """
        return any_side().Study.parse(self.text, self.source).silent_rules()

    def __repr__(self) -> str:
        return f"Study({self.name!r}, dataset {self.dataset!r}, {self.currency}, {self.adjacency})"

    def __reduce__(self) -> tuple[type[Study], tuple[str, str]]:
        return Study, (self.text, self.source)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Study) and self.document == other.document

    def __hash__(self) -> int:
        return hash(self.document)


Study.__module__ = "postern"


def as_study(study: Study | PathLike, select: str | None = None) -> Study:
    """The study itself, or the one in that file; with a network that the release chooses, if asked for."""
    if not isinstance(study, Study):
        return Study.load(study, select=select)
    return study if select is None else study.selecting(select)


def _selected(text: str, source: str, how: str) -> str:
    """The TOML with a network in place of its model, if it has one, that the release chooses."""
    if how not in ("tree", "adaptive"):
        raise Error("bad-option", f"select={how!r} is not known; it is tree or adaptive")
    try:
        facts = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        any_side().Study.parse(text, source)  # refuses it in our own words
        raise
    model: dict[str, Any] = {"kind": "markov-net", "select": how}
    given = facts.get("model")
    if given is not None:
        columns = columns_of_model(json.loads(any_side().Study.parse(text, source).document()))
        model["columns"] = list(columns)
        if given["kind"] == "markov-net":
            kept = ("prior", "pairs", "cells") if how == "adaptive" else ("prior",)
            model.update({key: given[key] for key in kept if key in given})
    return toml_text({**facts, "model": model})


def unit_column(study: Study) -> str | None:
    """The column that names a person, where the unit of privacy is one."""
    unit = study._facts["privacy"]["unit"]
    return str(unit["column"]) if isinstance(unit, dict) else None


def undeclared_missing(study: Study) -> list[str]:
    """The model's columns for which the study names no `missing` value."""
    return [
        column["name"]
        for column in study._facts["columns"]
        if column["name"] in study.model_columns and not column["missing_declared"]
    ]


def columns_of_model(study: dict[str, Any]) -> tuple[str, ...]:
    """The columns of a study document's model, in the order in which the library has them."""
    model = study["model"]
    if "columns" in model:
        return tuple(model["columns"])
    if "target" in model:
        return (*model["features"], model["target"])
    if "state" in model:
        return (model["time"], model["state"])
    if "cliques" in model:
        named = {name for clique in model["cliques"] for name in clique}
    elif "class" in model:
        named = {model["class"], *model["features"]}
    else:
        return (model["column"],)
    return tuple(column["name"] for column in study["columns"] if column["name"] in named)
