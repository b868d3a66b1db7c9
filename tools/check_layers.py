"""The arrows between the rooms, checked by reading the includes; a second line behind the include roots.

    core <- graph <- model <- release <- {owner, infer};  assess -> infer

Includes are judged by the files that they mean. The look at the records (check) is closed off: it reaches
only the part of the owner's side that reads records, and only its own command and binding include it. No kind
of model includes another, and nobody else asks what kind a model is. The folders of lib/infer include down
their order only (infer_order.py).

Faults of today are listed in tools/allowed/layers.txt, which only shrinks; --prune removes stale entries.

Usage: check_layers.py [--prune] [root of the tree]
"""

from __future__ import annotations

import sys
from pathlib import Path

from allowances import Allowances, Fault
from folders import Room
from infer_order import order_faults
from kind_rules import Kinds, cast_faults, crossing_faults, name_faults
from layer_rules import include_faults, look_faults, word_faults
from sources import Tree


def faults_of(tree: Tree) -> list[Fault]:
    kinds = Kinds(tree)
    return [
        *include_faults(tree),
        *look_faults(tree),
        *word_faults(tree),
        *crossing_faults(kinds),
        *cast_faults(kinds),
        *name_faults(kinds),
        *order_faults(Room(tree, "infer")),
    ]


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--prune"]
    tree = Tree(Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve())
    allowed = tree.root / "tools" / "allowed" / "layers.txt"
    faults = faults_of(tree)
    if "--prune" in sys.argv:
        Allowances(allowed).prune(faults)
    told = Allowances(allowed).judge(faults)
    print(
        "\n".join(told)
        if told
        else f"layers: {len(tree.texts)} files, every include follows the arrows "
        f"(beside {len(faults)} faults that are listed)"
    )
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
