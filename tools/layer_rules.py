"""What includes and words say about who may know whom; tools/check_layers.py runs these rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from allowances import Fault
from sources import Include, Tree, line_of, room_of

SEES: dict[str, set[str]] = {
    "core": {"core"},
    "graph": {"core", "graph"},
    "model": {"core", "graph", "model"},
    "release": {"core", "graph", "model", "release"},
    "owner": {"core", "graph", "model", "release", "owner"},
    "owner-arrow": {"owner", "owner-arrow"},
    "infer": {"core", "graph", "model", "release", "infer"},
    "assess": {"core", "graph", "model", "release", "infer", "assess"},
}

# A heavy or dangerous header stays behind the files named here (paths under lib/, by prefix).
KEPT_BEHIND: dict[str, tuple[str, ...]] = {
    r"postern/owner/noise_source\.hpp": ("owner/src/gate/gate", "owner/src/noise/noise_source"),
    r"postern/model/study_file\.hpp": ("model/study_file/",),
    r"(?:.*/)?toml\+\+/.*": ("model/study_file/",),
    r"(?:.*/)?nlohmann/.*": ("release/src/", "infer/src/"),
    r"(?:.*/)?sqlite3\.h": ("owner/src/ledger/",),
    r"(?:.*/)?CLI/.*": (),
    r"(?:arrow|parquet)/.*": ("owner-arrow/",),
    r"postern/owner/(?!arrow_plugin).*": ("owner/",),
    r"postern/owner/check\.hpp|lib/owner/src/check/.*": ("owner/src/check/",),
}

# The look at the records, for their owner's eyes; of the owner's side it may reach what reads records.
LOOK = (
    "lib/owner/src/check/",
    "lib/owner/include/postern/owner/check.hpp",
    "app/check.cpp",
    "python/bind/check.cpp",
)
LOOK_HEADER = "lib/owner/include/postern/owner/check.hpp"
LOOK_REACHES = re.compile(
    r"lib/owner/src/(?:check|records)/.*"
    r"|lib/owner/include/postern/owner/(?:arrow_\w+|check|coded_table|columns|csv|records_format)\.hpp"
)

# Words that no file of the library may hold, and why.
FORBIDDEN: dict[str, str] = {
    r"(?<!boost::math::)\blgamma(?:_r|f|l)?\b": "use postern::log_gamma (lgamma writes the global signgam)",
    r"\bw?c(?:out|err|log)\b|\b(?:__builtin_)?(?:[fvd]|vf|vd|w|fw)?printf\b|\bstd::print(?:ln)?\b"
    r"|\b(?:__builtin_)?f?put(?:s|c|char|wc|wchar|ws)(?:_unlocked)?\b|\bfwrite(?:_unlocked)?\b|\bperror\b|\bv?syslog\b"
    r"|\bstd(?:out|err)\b|\bSTD(?:OUT|ERR)_FILENO\b|(?<![\w.>:])(?:::\s*)?write\s*\(\s*[12]\s*,|(?<![\w>)])::\s*p?writev?\s*\("
    r"|<iostream>": "the library is silent",
    r"\babort\s*\(|\bterminate\s*\(|\b(?:_Exit|_exit|quick_exit|exit)\s*\(|\b__builtin_(?:trap|abort|exit)\b"
    r"|(?<!\w)(?:std::|::)raise\s*\(|\braise\s*\(\s*SIG"
    r"|(?<![\w.>])kill\s*\(": "the library never ends the process",
    r"\bstd::(?:random_device|mt19937\w*|rand)\b|\bs?rand\s*\(": "randomness is Entropy or Rng",
    r"<format>|<expected>|<print>": "not in every standard library we build with",
}

# Where it is meant: a ledger's files are written and synced by hand, and drills of crashes kill the process.
ON_PURPOSE = ("lib/owner/src/ledger/", {"::write(", "std::raise("})


def header_of(include: Include) -> str:
    """postern/<room>/... of a public header, the path of another file of the tree, or as it is spelled."""
    if include.target is None:
        return include.name
    public = re.fullmatch(r"lib/(?:[\w-]+|model/study_file)/include/(.*)", include.target)
    return public[1] if public else include.target


def room_reached(include: Include) -> str | None:
    if include.target:
        return room_of(include.target)
    spelled = re.match(r"postern/(\w+)/", include.name)
    return spelled[1] if spelled else None


def include_faults(tree: Tree) -> Iterator[Fault]:
    for name, includes in tree.includes.items():
        room, library = room_of(name), name.startswith("lib/")
        inside = name.removeprefix("lib/") if library else "-"
        for include in includes:
            header, reached, where = header_of(include), room_reached(include), f"{name}:{include.line}"
            key = f"include: {name} -> {header}"
            if not include.spelled:
                yield Fault(where, f"an include spells its file, it is not the macro {include.name}", key)
            if library and include.quoted and not include.target:
                what = f"the tree has no file {header}; headers of other projects stand in <>"
                yield Fault(where, what, f"unknown: {name} -> {header}")
            if library and reached and reached not in SEES[room]:
                yield Fault(where, f"{room} may not include {header}", key)
            elif include.target and "/src/" in include.target and reached != room:
                yield Fault(where, f"{include.target} is private to lib/{reached}", key)
            for pattern, allowed in KEPT_BEHIND.items():
                if library and re.fullmatch(pattern, header) and not inside.startswith(allowed or ("?",)):
                    owners = ", ".join(allowed) or "the program"
                    yield Fault(where, f"{header} may be included only by {owners}", key)


def look_faults(tree: Tree) -> Iterator[Fault]:
    """Ways from the look to what it must not reach, and files beside it that use it."""
    inside = [name for name in tree.texts if name.startswith(LOOK)]
    way = {name: name for name in inside}
    waiting = list(inside)
    while waiting:
        name = waiting.pop()
        for include in tree.includes[name]:
            header, target = header_of(include), include.target
            owners = target.startswith("lib/owner/") if target else header.startswith("postern/owner/")
            if owners and not LOOK_REACHES.fullmatch(target or f"lib/owner/include/{header}"):
                yield Fault(
                    "lib/owner/src/check",
                    f"the look at the records reaches {header}: {way[name]}",
                    f"look: {name} -> {header}",
                )
            elif target and target not in way:
                way[target] = f"{way[name]} -> {header}"
                waiting.append(target)
    for name, includes in tree.includes.items():
        if not name.startswith(("lib/", *LOOK)) and LOOK_HEADER in {include.target for include in includes}:
            yield Fault(name, f"{LOOK_HEADER} may be included only by {', '.join(LOOK)}", f"look: {name}")


def word_faults(tree: Tree) -> Iterator[Fault]:
    for name, code in tree.code.items():
        if not name.startswith("lib/"):
            continue
        # Words in literals are for people; the names of includes are not.
        bare = "\n".join(
            line if re.match(r"\s*#\s*include", line) else empty
            for line, empty in zip(code.split("\n"), tree.bare[name].split("\n"), strict=True)
        )
        for pattern, why in FORBIDDEN.items():
            for found in re.finditer(pattern, bare):
                word = found[0].strip()
                if not (name.startswith(ON_PURPOSE[0]) and word in ON_PURPOSE[1]):
                    yield Fault(
                        f"{name}:{line_of(bare, found.start())}", f"'{word}': {why}", f"word: {name}: {word}"
                    )
