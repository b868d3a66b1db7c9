"""The folders of lib/infer in the order of the theory: engines by what they integrate over, and what stands
below and above them. Includes go down this list only."""

from __future__ import annotations

from collections.abc import Iterator

from allowances import Fault
from folders import Room, knots_of

ORDER = [
    *("numeric", "problem", "chains"),
    *("counts", "sums", "records", "moments", "tables"),
    *("posterior", "answers", "kinds"),
]

# What else belongs where today (paths below ROOTS); the longest path that is listed counts.
TODAY = {
    "problem": "noise kinds/total.hpp kinds/range.hpp",
    "counts": "network/star kinds/table/exact kinds/table/gibbs",
    "sums": "kinds/number/exact kinds/number/gibbs",
    "records": "augment kinds/number/augment kinds/multivariate_normal/augment",
    "moments": "regression glm",
    "tables": "network markov",
    "posterior": "engine_choice.hpp model_file.hpp posterior.hpp posterior_files.hpp",
    "answers": "analysis.hpp auxiliary.hpp basis.hpp difference.hpp event.hpp foresight foresight.hpp"
    " implied_noise.hpp infer.cpp infer.hpp kind.hpp noise_check number_predictor.hpp predict predict.hpp"
    " predictor.hpp public_rows.hpp public_tally.hpp query query.hpp record_sampler.hpp round_fit.cpp"
    " round_fit.hpp rows.hpp synth synthesize.hpp warnings width.hpp",
}
PLACES = {path: place for place, paths in TODAY.items() for path in paths.split()} | {
    one: one for one in ORDER
}
ROOTS = ("lib/infer/src/", "lib/infer/include/postern/infer/")


def place_of(name: str) -> str | None:
    """The folder of ORDER that a file of lib/infer belongs to."""
    inside = next((name[len(root) :] for root in ROOTS if name.startswith(root)), name)
    while inside:
        if inside in PLACES:
            return PLACES[inside]
        inside = inside.rpartition("/")[0]
    return None


def folder_of(room: Room, name: str) -> str:
    """A top folder, or one kind with all that is in its folder."""
    parts = room.folder_of(name).split("/")
    return "/".join(parts[:2] if parts[0] == "kinds" else parts[:1])


def knots(room: Room) -> list[list[str]]:
    """Cycles of includes between the folders of lib/infer."""
    graph: dict[str, set[str]] = {}
    for name in room.files:
        own = folder_of(room, name)
        for _, target in room.inside(name):
            if (other := folder_of(room, target)) != own:
                graph.setdefault(own, set()).add(other)
    return knots_of(graph)


def order_faults(room: Room) -> Iterator[Fault]:
    for name in room.files:
        place = place_of(name)
        if place is None:
            yield Fault(name, "has no place in the order of folders: tools/infer_order.py", f"place: {name}")
        for include, target in room.inside(name):
            other = place_of(target)
            if place and other and ORDER.index(other) > ORDER.index(place):
                what = f"{place} is below {other} and may not include {include.name}"
                yield Fault(f"{name}:{include.line}", what, f"order: {name} -> {target}")
    for knot in knots(room):
        for folder in knot:
            others = ", ".join(other for other in knot if other != folder)
            what = f"is in a cycle of includes with {others}"
            yield Fault(f"lib/infer: {folder}", what, f"cycle: {folder}")
