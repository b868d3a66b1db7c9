"""What reads badly and can be counted: files that hold more than one idea, long functions, unfinished words,
stray blanks, two types of one name.

Functions that are too long today are listed in tools/allowed/style.txt (lines too many, function).
The list only shrinks; --prune removes stale entries.

Usage: check_style.py [--prune]
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from allowances import Allowances, Fault
from functions import functions_of

ROOT = Path(__file__).resolve().parent.parent

# The most lines of a file: the first pattern that matches counts.
LIMITS: list[tuple[str, int]] = [
    (r"lib/[^/]+/README\.md", 20),
    (r"(lib|app)/.*\.hpp", 200),
    (r"(lib|app)/.*\.cpp", 300),
    (r"(tests|bench|fuzz)/.*\.(cpp|hpp|py)", 400),
    (r"(tools|examples)/.*\.(py|sh|cpp)", 200),
]
# The most lines of code of a function, without blank lines and comments, and where it holds.
MOST_OF_A_FUNCTION = 40
FUNCTIONS_IN = re.compile(r"(?:lib|app|python/bind)/.*\.[ch]pp")
ALLOWED = ROOT / "tools" / "allowed" / "style.txt"
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK|WIP)\b")
OWN_MACHINE = re.compile(r"/(?:home|root|work)/|\.\./shared")
MAY_NAME_DATA = {".ci/run"}
THIS = "tools/check_style.py"


def files() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [name for name in listed.stdout.split("\0") if name and name != THIS and (ROOT / name).is_file()]


def text_of(name: str) -> str | None:
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None  # fixtures and corpora may be anything


def size_fault(name: str, lines: int) -> str | None:
    for pattern, most in LIMITS:
        if re.fullmatch(pattern, name):
            return f"{name}: {lines} lines; a file of this kind has at most {most}" if lines > most else None
    return None


def function_faults(name: str, text: str) -> list[Fault]:
    if not FUNCTIONS_IN.fullmatch(name):
        return []
    try:
        functions = functions_of(text)
    except ValueError as error:
        return [Fault(name, str(error), f"braces: {name}")]
    return [Fault(f"{name}:{one.line}",
                  f"{one.name} has {one.length} lines; a function has at most {MOST_OF_A_FUNCTION}",
                  f"function: {one.name}", one.length - MOST_OF_A_FUNCTION)
            for one in functions if one.length > MOST_OF_A_FUNCTION]


def line_faults(name: str, lines: list[str]) -> list[str]:
    faults = []
    for number, line in enumerate(lines, start=1):
        where = f"{name}:{number}"
        if UNFINISHED.search(line):
            faults.append(f"{where}: unfinished: {line.strip()}")
        if name not in MAY_NAME_DATA and OWN_MACHINE.search(line):
            faults.append(f"{where}: names a folder of one machine: {line.strip()}")
        if line != line.rstrip() and not name.endswith(".md"):
            faults.append(f"{where}: blanks at the end of the line")
    return faults


def types_of(text: str) -> list[str]:
    """The types that a file defines for others to see, with their namespace."""
    out: list[str] = []
    space, hidden = "", False
    definition = re.compile(r"(?:class|struct|enum class) (\w+)(?: final)?(?: :.*)? \{")
    for line in text.split("\n"):
        if opened := re.match(r"namespace ([\w:]*) ?\{", line):
            space, hidden = opened[1] or space, not opened[1]
        elif line == "}  // namespace":
            hidden = False
        elif not hidden and (found := definition.match(line)):
            out.append(f"{space}::{found[1]}")
    return out


def twin_faults(texts: dict[str, str]) -> list[str]:
    """Two types of one name are one type to the linker, which no compiler sees."""
    homes: dict[str, str] = {}
    faults = []
    for name in sorted(texts):
        for one in types_of(texts[name]) if re.fullmatch(r"(lib|app)/.*\.[ch]pp", name) else []:
            if one in homes:
                faults.append(f"{name}: {one} is defined in {homes[one]} as well")
            homes.setdefault(one, name)
    return faults


def is_written(name: str) -> bool:
    """Written by people, for people: not a fixture, a corpus or a lock."""
    return (Path(name).suffix in {".cpp", ".hpp", ".py", ".sh", ".cmake", ".md", ".toml", ".json", ""}
            and not re.match(r"(tests/(data|golden)|fuzz/corpus|bench/reference)/", name))


def main() -> int:
    faults: list[str] = []
    names = [name for name in files() if is_written(name)]
    texts = {name: text for name in names if (text := text_of(name)) is not None}
    for name, text in texts.items():
        lines = text.split("\n")
        fault = size_fault(name, len(lines) - 1)
        faults += ([fault] if fault else []) + line_faults(name, lines)
        if text and not text.endswith("\n"):
            faults.append(f"{name}: no newline at the end")
    long = [fault for name, text in texts.items() for fault in function_faults(name, text)]
    if "--prune" in sys.argv:
        Allowances(ALLOWED).prune(long)
    faults += twin_faults(texts) + Allowances(ALLOWED).judge(long)
    print("\n".join(faults) if faults else f"style: {len(names)} files")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
