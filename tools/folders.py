"""Folders of a room, and knots in a graph of includes (strongly connected components)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from sources import Include, Tree


def knots_of(edges: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected components of more than one node, the largest first (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    knots: list[list[str]] = []

    def visit(node: str) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in sorted(edges.get(node, set())):
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            knot = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(knot) > 1:
                knots.append(sorted(knot))

    for node in sorted({*edges, *(other for others in edges.values() for other in others)}):
        if node not in order:
            visit(node)
    return sorted(knots, key=lambda knot: (-len(knot), knot))


@dataclass(frozen=True)
class Room:
    """The folders below lib/<room>/src. A public header belongs to the folder of its path below
    include/postern/<room>. One that lies at the top belongs to the folder of its source, the file of the same
    stem that includes it first, and stands for itself where it has none."""

    tree: Tree
    name: str

    @cached_property
    def files(self) -> list[str]:
        return [name for name in self.tree.texts if name.startswith(f"lib/{self.name}/")]

    def inside(self, name: str) -> list[tuple[Include, str]]:
        """The includes of a file that mean files of this room, and those files."""
        room = f"lib/{self.name}/"
        return [
            (one, one.target)
            for one in self.tree.includes[name]
            if one.target and one.target.startswith(room)
        ]

    def folder_of(self, name: str) -> str:
        path = PurePosixPath(name)
        for root in (f"lib/{self.name}/src", f"lib/{self.name}/include/postern/{self.name}"):
            if path.is_relative_to(root):
                inside = path.relative_to(root)
                if len(inside.parts) > 1:
                    return inside.parent.as_posix()
        source = self.tree.sources.get(name)
        return self.folder_of(source) if source else path.stem
