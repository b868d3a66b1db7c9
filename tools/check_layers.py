"""The arrows between the rooms, checked by reading the includes; a second line behind the include roots.

    core <- graph <- model <- release <- {owner, infer};  assess -> infer

The look at the records (check) is closed off: nothing that it includes, however indirectly, reaches the gate,
the ledger or noise, and nothing but its own command and binding includes it.

Usage: check_layers.py [root of the tree]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
LIB = ROOT / "lib"

SEES: dict[str, set[str]] = {
    "core": {"core"},
    "graph": {"core", "graph"},
    "model": {"core", "graph", "model"},
    "release": {"core", "graph", "model", "release"},
    "owner": {"core", "graph", "model", "release", "owner"},
    "owner-arrow": {"owner"},
    "infer": {"core", "graph", "model", "release", "infer"},
    "assess": {"core", "graph", "model", "release", "infer", "assess"},
}

# A heavy or dangerous header stays behind the files named here (paths under lib/, by prefix).
KEPT_BEHIND: dict[str, tuple[str, ...]] = {
    r"postern/owner/noise_source\.hpp": ("owner/src/gate/gate", "owner/src/noise/noise_source"),
    r"postern/model/study_file\.hpp": ("model/study_file/",),
    r"toml\+\+/.*": ("model/study_file/",),
    r"nlohmann/.*": ("release/src/", "infer/src/"),
    r"sqlite3\.h": ("owner/src/ledger/",),
    r"CLI/.*": (),
    r"(?:arrow|parquet)/.*": ("owner-arrow/",),
    r"postern/owner/(?!arrow_plugin).*": ("owner/",),
    r"postern/owner/check\.hpp|check/.*": ("owner/src/check/",),
}

# The look at the records, for their owner's eyes, and what it must not reach by any way of includes.
LOOK = (
    "lib/owner/src/check/",
    "lib/owner/include/postern/owner/check.hpp",
    "app/check.cpp",
    "python/bind/check.cpp",
)
LOOK_HEADER = "postern/owner/check.hpp"
BEYOND_LOOK = re.compile(
    r"postern/owner/(?:gate|issue|publish|source|ledger|charge|accounting|contribution|entropy|noise_source|bernoulli"
    r"|digits|directed|discrete_\w+|exponential_mechanism|fixed_exp|gaussian_filter|laplace_kernel|crash_point)\.hpp"
    r"|(?:ledger|laplace|contribution)_\w+\.hpp|directed\.hpp"
)

# Words that no file of the library may hold, and why.
FORBIDDEN: dict[str, str] = {
    r"(?<!boost::math::)\blgamma(?:_r|f|l)?\b": "use postern::log_gamma (lgamma writes the global signgam)",
    r"\bstd::(?:cout|cerr|clog)\b|\b(?:f|v|vf)?printf\s*\(|\bputs\s*\(|<iostream>": "the library is silent",
    r"\babort\s*\(|\b(?:_Exit|quick_exit|exit)\s*\(": "the library never ends the process",
    r"\bstd::(?:random_device|mt19937\w*|rand)\b|\bs?rand\s*\(": "randomness is Entropy or Rng",
    r"<format>|<expected>": "not in every standard library we build with",
}
# What a model or a statistic is, only its own kind asks; and infer/src/network, which the kinds of networks
# share, and owner/src/measure, for kernels that are faster.
KINDS = (
    "model/src/kinds/", "model/src/statistic/",
    "infer/src/kinds/", "infer/src/network/", "owner/src/measure/",
)
CAST = re.compile(r"(?:\.|->)(?:as|get)<(?:model::)?[A-Z]\w*>\s*\(")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def without_comments(text: str) -> str:
    """The code alone, with line breaks kept so that positions still give line numbers."""
    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match.group())
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.DOTALL)


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def include_faults(room: str, path: Path, text: str) -> list[str]:
    faults = []
    inside = path.relative_to(LIB).as_posix()
    for match in INCLUDE.finditer(text):
        header, where = match.group(1), f"{path.relative_to(ROOT)}:{line_of(text, match.start())}"
        target = re.match(r"postern/(\w+)/", header)
        if target and target.group(1) not in SEES[room]:
            faults.append(f"{where}: {room} may not include {header}")
        for pattern, allowed in KEPT_BEHIND.items():
            if re.fullmatch(pattern, header) and not inside.startswith(allowed or ("-",)):
                owners = ", ".join(allowed) or "the program"
                faults.append(f"{where}: {header} may be included only by {owners}")
    return faults


def file_of(header: str, path: Path) -> Path | None:
    """The project's file that an include means, if it is there."""
    target = re.match(r"postern/(\w+)/", header)
    roots = [LIB / target.group(1) / "include", LIB / "model/study_file/include"] if target else []
    rooms = [path.parent, LIB / "owner/src", LIB / "model/src", ROOT / "app", ROOT / "python/bind"]
    return next((root / header for root in roots + rooms if (root / header).is_file()), None)


def look_faults() -> list[str]:
    """Ways from the look to what it must not reach, and files beside it that use it."""
    folders = [ROOT / "lib", ROOT / "app", ROOT / "python" / "bind"]
    every = [path for folder in folders for path in sorted(folder.rglob("*.[ch]pp"))]
    inside = [path for path in every if path.relative_to(ROOT).as_posix().startswith(LOOK)]
    faults = []
    way: dict[Path, str] = {path: path.relative_to(ROOT).as_posix() for path in inside}
    waiting = list(inside)
    while waiting:
        path = waiting.pop()
        for header in INCLUDE.findall(without_comments(path.read_text(encoding="utf-8"))):
            if BEYOND_LOOK.fullmatch(header):
                faults.append(f"the look at the records reaches {header}: {way[path]}")
            reached = file_of(header, path)
            if reached is not None and reached not in way:
                way[reached] = f"{way[path]} -> {header}"
                waiting.append(reached)
    for path in every:
        outside = path not in inside and path.relative_to(ROOT).parts[0] != "lib"
        if outside and LOOK_HEADER in INCLUDE.findall(without_comments(path.read_text(encoding="utf-8"))):
            where = path.relative_to(ROOT)
            faults.append(f"{where}: {LOOK_HEADER} may be included only by {', '.join(LOOK)}")
    return sorted(faults)


def word_faults(path: Path, text: str) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line_of(text, match.start())}: '{match.group().strip()}': {why}"
        for pattern, why in FORBIDDEN.items()
        for match in re.finditer(pattern, text)
    ]


def cast_faults() -> list[str]:
    """Casts of models and statistics outside of the kinds' folders: a new kind would fall through them."""
    folders = [LIB, ROOT / "app", ROOT / "python" / "bind"]
    faults = []
    for path in sorted(path for folder in folders for path in folder.rglob("*.[ch]pp")):
        if LIB in path.parents and path.relative_to(LIB).as_posix().startswith(KINDS):
            continue
        text = without_comments(path.read_text(encoding="utf-8"))
        where = path.relative_to(ROOT)
        faults += [
            f"{where}:{line_of(text, match.start())}: '{match.group()}': ask the model's kind"
            for match in CAST.finditer(text)
        ]
    return faults


def main() -> int:
    faults: list[str] = []
    files = sorted(path for path in LIB.rglob("*") if path.suffix in {".hpp", ".cpp"})
    for path in files:
        room = path.relative_to(LIB).parts[0]
        text = without_comments(path.read_text(encoding="utf-8"))
        faults += include_faults(room, path, text) + word_faults(path, text)
    faults += look_faults() + cast_faults()
    print("\n".join(faults) if faults else f"layers: {len(files)} files, every include follows the arrows")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
