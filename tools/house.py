"""What the library weighs and how it hangs together: lines, files, headers, cycles of folders, kinds that
include each other, and how many files lie between a release and its draws. MEASURES says what each counts.

Usage: house.py [--json] [root of the tree]
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from check_style import MOST_OF_A_FUNCTION, size_fault
from folders import Room
from functions import functions_of
from infer_order import knots
from kind_rules import Kinds
from sources import Tree, room_of

# A walk begins where the program reads a release and where the kind's engines are chosen. It follows
# includes, and goes on from a header of these rooms to its source, as a reader does.
ENTRY = "app/infer/infer.cpp"
WALKED = {"core", "graph", "release", "infer"}
WALKS = {
    "table": ["kinds/table/infer.cpp", "kinds/table.cpp"],
    "network": ["network/infer_network.cpp", "kinds/bayes_net/infer.cpp", "kinds/bayes_net.cpp"],
    "regression": ["kinds/linear_regression/infer.cpp", "kinds/linear_regression.cpp"],
}


@dataclass(frozen=True)
class House:
    tree: Tree

    @cached_property
    def files(self) -> list[str]:
        return [name for name in self.tree.texts if name.startswith("lib/")]

    @cached_property
    def headers(self) -> list[str]:
        return [name for name in self.files if name.endswith(".hpp")]

    @cached_property
    def users(self) -> dict[str, set[str]]:
        """Header -> the files that include it, beside its source."""
        out: dict[str, set[str]] = {header: set() for header in self.headers}
        for name, includes in self.tree.includes.items():
            for target in {include.target for include in includes}:
                if target in out and self.tree.sources.get(target) != name:
                    out[target].add(name)
        return out

    def lines(self, names: list[str]) -> int:
        return sum(self.tree.texts[name].count("\n") for name in names)

    def private_with_one_user(self) -> list[str]:
        return [name for name in self.headers if "/src/" in name and len(self.users[name]) == 1]

    def public_without_users(self) -> list[str]:
        public = [name for name in self.headers if "/include/" in name]
        return [name for name in public if {room_of(user) for user in self.users[name]} <= {room_of(name)}]

    def walk(self, kind: str) -> set[str]:
        folder = "lib/infer/src/"
        entries = [ENTRY, *(folder + name for name in WALKS[kind] if folder + name in self.tree.texts)]
        if len(entries) == 1 or ENTRY not in self.tree.texts:
            raise SystemExit(f"house.py: the walk of a {kind} has no beginning; name one in WALKS")
        seen, waiting = set(entries), entries
        while waiting:
            name = waiting.pop()
            source = self.tree.sources.get(name) if room_of(name) in WALKED else None
            steps = [include.target for include in self.tree.includes[name]] + [source]
            new = {step for step in steps if step} - seen
            seen |= new
            waiting += sorted(new)
        return seen

    def too_large(self) -> list[str]:
        return [name for name, text in self.tree.texts.items() if size_fault(name, text.count("\n"))]

    def long_functions(self) -> list[str]:
        return [
            f"{name}: {one.name}"
            for name, text in self.tree.texts.items()
            for one in functions_of(text)
            if one.length > MOST_OF_A_FUNCTION
        ]


def in_folders(house: House) -> list[str]:
    return [folder for knot in knots(Room(house.tree, "infer")) for folder in knot]


def is_file(house: House, folder: str) -> bool:
    """Whether a member of a knot is a file that lies beside the folders."""
    return not any(
        name.startswith((f"lib/infer/src/{folder}/", f"lib/infer/include/postern/infer/{folder}/"))
        for name in house.files
    )


def crossing_pairs(house: House) -> int:
    kinds = Kinds(house.tree)
    return len(
        {(room_of(name), kinds.of(name), kinds.of(target)) for name, _, _, target in kinds.crossings()}
    )


MEASURES: list[tuple[str, str, Callable[[House], int]]] = [
    ("lines", "lines of lib/**/*.[ch]pp", lambda h: h.lines(h.files)),
    ("files", "files of lib/**/*.[ch]pp", lambda h: len(h.files)),
    ("header_lines", "lines of its headers", lambda h: h.lines(h.headers)),
    ("headers", "headers", lambda h: len(h.headers)),
    (
        "private_one_user",
        "private headers that one file includes beside their own source",
        lambda h: len(h.private_with_one_user()),
    ),
    ("public_headers", "public headers", lambda h: sum("/include/" in name for name in h.headers)),
    (
        "public_unused",
        "public headers that nothing of another room includes (tests and bench do not count)",
        lambda h: len(h.public_without_users()),
    ),
    (
        "knot_folders",
        "folders of lib/infer that lie in a cycle of includes (a kind is one folder)",
        lambda h: sum(not is_file(h, folder) for folder in in_folders(h)),
    ),
    (
        "knot_files",
        "files beside those folders that lie in a cycle",
        lambda h: sum(is_file(h, one) for one in in_folders(h)),
    ),
    ("kind_includes", "includes from a kind to another kind", lambda h: len(list(Kinds(h.tree).crossings()))),
    ("kind_pairs", "pairs of kinds with such an include", crossing_pairs),
    *(
        (f"walk_{kind}", f"files from document to draw, {kind}", lambda h, kind=kind: len(h.walk(kind)))
        for kind in WALKS
    ),
    (
        "files_over",
        "files of lib, app and python/bind over the limits of check_style",
        lambda h: len(h.too_large()),
    ),
    (
        "functions_over",
        f"functions of more than {MOST_OF_A_FUNCTION} lines there",
        lambda h: len(h.long_functions()),
    ),
]


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--json"]
    root = Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve()
    house = House(Tree(root))
    figures = {name: measure(house) for name, _, measure in MEASURES}
    if "--json" in sys.argv:
        by_room = Counter(
            {
                room: house.lines([name for name in house.files if room_of(name) == room])
                for room in sorted({room_of(name) for name in house.files})
            }
        )
        knot = {"knots": knots(Room(house.tree, "infer")), "lines_by_room": by_room}
        print(json.dumps({**figures, **knot}, indent=2))
        return 0
    for name, what, _ in MEASURES:
        print(f"{name:17} {figures[name]:8,d}  {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
