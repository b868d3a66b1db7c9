"""What kind a model or a statistic is, only its own folder asks; and no kind knows another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from allowances import Fault
from sources import Tree, line_of

BELOW_KINDS = re.compile(r"lib/\w+/(?:src|include/postern/\w+)/kinds/([^/.]+)")
BELOW_STATISTICS = re.compile(r"lib/\w+/(?:src|include/postern/\w+)/statistic(?:/|\.)")
# x.as<Table>(), x->get<model::Table>(), kind_of(Table{}), kind_of(model::Table())
CAST = re.compile(r"(?:\.|->)\s*(?:template\s+)?(?:as|get)\s*<\s*(?:const\s+)?(?:\w*::)*([A-Z]\w*)>\s*\(")
MADE = re.compile(r"\bkind_of\s*\(\s*(?:\w*::)*([A-Z]\w*)\s*(?:\{|\()")
NAME = r"kind\w*(?:\([^()]*\))?\s*(?:\.|->)\s*name\(\)"
ASKED_NAME = re.compile(rf"\b{NAME}\s*[!=]=|[!=]=\s*(?:[\w:.>()-]+(?:\.|->))?{NAME}|\btypeid\s*\([^)]*kind")
REGISTRY = "lib/model/src/kinds/registry.cpp"  # the list of all kinds
# Words of a foreign study that are spelled as a kind's name.
OTHER_WORDS = ("lib/model/study_file/src/foreign_reader.cpp",)


class Kinds:
    """The kinds of models: folders below lib/<room>/src/kinds, and files of the same names beside them."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        folders = re.compile(r"lib/(?:model|infer)/src/kinds/([^/]+)/")
        self.names = {found[1] for name in tree.texts if (found := folders.match(name))}

    def of(self, name: str) -> str | None:
        """The kind that a file belongs to."""
        found = BELOW_KINDS.match(name)
        return found[1] if found and found[1] in self.names else None

    @cached_property
    def homes(self) -> dict[str, str]:
        """The facts of a kind (a type) -> the kind, from the declarations of kind_of."""
        return {
            facts: home
            for name, code in self.tree.code.items()
            if (home := self.of(name))
            for facts in re.findall(r"\bkind_of\(const (\w+)&", code)
        }

    @cached_property
    def words(self) -> set[str]:
        """The names by which kinds answer."""
        named = re.compile(r'\bname\(\) const override \{\s*return "([\w-]+)"')
        return {
            word
            for name, code in self.tree.code.items()
            if name.startswith("lib/model/") and self.of(name)
            for word in named.findall(code)
        }

    def crossings(self) -> Iterator[tuple[str, int, str, str]]:
        """Includes from a kind to another: file, line, header as it is spelled, file that it means."""
        for name, includes in self.tree.includes.items():
            own = self.of(name)
            for include in includes if own else []:
                other = self.of(include.target) if include.target else None
                if other and other != own and include.target:
                    yield name, include.line, include.name, include.target


def crossing_faults(kinds: Kinds) -> Iterator[Fault]:
    for name, line, header, target in kinds.crossings():
        what = f"the kind {kinds.of(name)} may not include {header} of the kind {kinds.of(target)}"
        yield Fault(f"{name}:{line}", what, f"kinds: {name} -> {target}")


def may_cast(kinds: Kinds, name: str, facts: str) -> bool:
    """A kind's facts are for its own folders, a statistic's for the folders of kinds and statistics."""
    own, home = kinds.of(name), kinds.homes.get(facts)
    return own == home if home else bool(BELOW_KINDS.match(name) or BELOW_STATISTICS.match(name))


def cast_faults(kinds: Kinds) -> Iterator[Fault]:
    for name, bare in kinds.tree.bare.items():
        for pattern in (CAST, MADE):
            for found in pattern.finditer(bare):
                if not may_cast(kinds, name, found[1]) and name != REGISTRY:
                    yield Fault(
                        f"{name}:{line_of(bare, found.start())}",
                        f"'{found[0]}': ask the model's kind",
                        f"cast: {name.rpartition('/')[0]}: {found[1]}",
                    )


def name_faults(kinds: Kinds) -> Iterator[Fault]:
    words = "|".join(sorted(map(re.escape, kinds.words))) or "(?!)"
    literal = re.compile(rf'[!=]=\s*"(?:{words})"|"(?:{words})"(?:sv|s)?\s*[!=]=')
    for name, code in kinds.tree.code.items():
        if BELOW_KINDS.match(name) or BELOW_STATISTICS.match(name) or name in OTHER_WORDS:
            continue
        for pattern in (ASKED_NAME, literal):
            for found in pattern.finditer(code):
                yield Fault(
                    f"{name}:{line_of(code, found.start())}",
                    f"'{found[0]}': ask the model's kind",
                    f"name: {name}: {found[0]}",
                )
