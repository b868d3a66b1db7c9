"""The arrows between the rooms, checked by reading the includes; a second line behind the include roots.

    core <- graph <- model <- release <- {owner, infer};  assess -> infer

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
    r"postern/owner/noise_source\.hpp": ("owner/src/gate", "owner/src/noise_source"),
    r"postern/model/study_file\.hpp": ("model/study_file/",),
    r"toml\+\+/.*": ("model/study_file/",),
    r"nlohmann/.*": ("release/src/", "infer/src/"),
    r"sqlite3\.h": ("owner/src/",),
    r"CLI/.*": (),
    r"(?:arrow|parquet)/.*": ("owner-arrow/",),
    r"postern/owner/(?!arrow_plugin).*": ("owner/",),
}

# Words that no file of the library may hold, and why.
FORBIDDEN: dict[str, str] = {
    r"(?<!boost::math::)\blgamma(?:_r|f|l)?\b": "use postern::log_gamma (lgamma writes the global signgam)",
    r"\bstd::(?:cout|cerr|clog)\b|\b(?:f|v|vf)?printf\s*\(|\bputs\s*\(|<iostream>": "the library is silent",
    r"\babort\s*\(|\b(?:_Exit|quick_exit|exit)\s*\(": "the library never ends the process",
    r"\bstd::(?:random_device|mt19937\w*|rand)\b|\bs?rand\s*\(": "randomness is Entropy or Rng",
    r"<format>|<expected>": "not in every standard library we build with",
}
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


def word_faults(path: Path, text: str) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line_of(text, match.start())}: '{match.group().strip()}': {why}"
        for pattern, why in FORBIDDEN.items()
        for match in re.finditer(pattern, text)
    ]


def main() -> int:
    faults: list[str] = []
    files = sorted(path for path in LIB.rglob("*") if path.suffix in {".hpp", ".cpp"})
    for path in files:
        room = path.relative_to(LIB).parts[0]
        text = without_comments(path.read_text(encoding="utf-8"))
        faults += include_faults(room, path, text) + word_faults(path, text)
    print("\n".join(faults) if faults else f"layers: {len(files)} files, every include follows the arrows")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
