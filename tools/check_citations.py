"""The project explains itself: what code and documents cite can be found.

- A work cited as `Author Year` is in docs/refs.bib.
- A page, note, source or header that is named (`docs/decisions/clamp.md`, `ledger.md`, `gate.cpp`) is in the
  repository.
- Nothing else is cited: no document that only its authors have, by name or by the number of a section.

Usage: check_citations.py
"""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CITING = re.compile(r"(?:lib|app|python|docs|tests|bench|experiments)/.*\.(?:cpp|hpp|py|md)|[^/]*\.md")
WRITTEN = {".cpp", ".hpp", ".py", ".md", ".sh", ".cmake", ".txt", ".toml", ".yml", ".in", ""}
DATA = re.compile(r"(?:tests/data|fuzz/corpus|bench/reference)/")
COMMENT_MARKER = re.compile(r"\n\s*(?:///?|#|\*)?\s*")
# "Talts et al. 2018", "Bun and Steinke 2016", "Marsaglia & Tsang 2000a": the last name and the year.
CITATION = re.compile(r"\b([A-Z][^\W\d_]{2,})(?: et al\.)?,? \(?((?:19|20)\d\d)[ab]?\b(?![-.]\d)")
SOURCE = re.compile(r"(?<![\w./*<{}-])(?:\.\./)*([\w][\w./-]*\.[ch]pp)\b")
NAMES_WHAT_WAS = {"CHANGELOG.md"}
PAGE = re.compile(r"(?<![\w./*-])(?:\.\./)*([\w][\w./-]*\.md)\b")
# Documents that are not here, and letters with a number that stand for a paragraph of one, as in "B3: why".
OUTSIDE = re.compile(r"\bDESIGN(?:\.md)? ?\d|\bamend[m]ents?\b|\bprivacy[-]core\b"
                     r"|\bnoise-aware(?:\.md| [A-F]\d)|\(spec\b|\bspec [A-Z0-9]"
                     r"|[( ,][A-F]\d{1,2}\)|^\W*[A-F]\d{1,2}:", re.MULTILINE)
THIS = "tools/check_citations.py"


def plain(text: str) -> str:
    """Without accents, whether TeX's or Unicode's."""
    text = re.sub(r"\\[\"'`^]\{?(\w)\}?", r"\1", text).translate(str.maketrans("", "", "{}"))
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def known(bib: str) -> set[tuple[str, str]]:
    """The (surname, year) by which the entries may be cited."""
    found: set[tuple[str, str]] = set()
    for entry in re.split(r"^@\w+\{", bib, flags=re.MULTILINE)[1:]:
        authors = re.search(r"author = \{(.*)\},?\n", entry)
        year = re.search(r"year = \{(\d+)\}", entry)
        if authors is None or year is None:
            raise SystemExit(f"docs/refs.bib: no author or year: {entry.split(',')[0]}")
        surnames = (author.split(",")[0] for author in plain(authors[1]).split(" and "))
        found |= {(surname, year[1]) for surname in surnames}
    return found


def citations(text: str) -> set[tuple[str, str]]:
    return {(plain(name), year) for name, year in CITATION.findall(COMMENT_MARKER.sub(" ", text))}


def prose(name: str, text: str) -> str:
    """What people read: the comments of C++, everything of other files."""
    return "\n".join(re.findall(r"//.*", text)) if Path(name).suffix in {".cpp", ".hpp"} else text


def outside(name: str, text: str) -> list[str]:
    """Citations of documents that are not in the repository."""
    return [found[0].strip() for found in OUTSIDE.finditer(prose(name, text))]


def ends_of(names: set[str]) -> set[str]:
    """All ways to name a file: its path, and what is left of it from any folder on."""
    return {name[start:] for name in names for start in [0, *(i + 1 for i, c in enumerate(name) if c == "/")]}


def lacking_pages(name: str, text: str, ends: set[str]) -> set[str]:
    """Pages and notes that comments and notes name and nobody can find. Links of docs/ are mkdocs' affair."""
    if not re.fullmatch(r".*\.[ch]pp|(lib|app)/.*\.md", name):
        return set()
    return set(PAGE.findall(prose(name, text))) - ends


def lacking_sources(name: str, text: str, ends: set[str]) -> set[str]:
    """Sources and headers that comments and pages name and nobody can find."""
    if not re.fullmatch(r".*\.(?:[ch]pp|md)", name) or name in NAMES_WHAT_WAS:
        return set()
    return set(SOURCE.findall(prose(name, text))) - ends


def faults_of(name: str, text: str, works: set[tuple[str, str]], files: set[str]) -> list[str]:
    """`files`: the pages, sources and headers of the repository, in all ways to name them."""
    unknown = sorted(citations(text) - works) if CITING.fullmatch(name) else []
    lacking = sorted(lacking_pages(name, text, files) | lacking_sources(name, text, files))
    return [*(f"{name}: {author} {year} is not in docs/refs.bib" for author, year in unknown),
            *(f"{name}: {page} is not in the repository" for page in lacking),
            *(f"{name}: '{what}' cites what is not in the repository; give the reason"
              for what in outside(name, text))]


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split("\0")
    names = [name for name in listed if name != THIS and Path(name).suffix in WRITTEN
             and not DATA.match(name) and (ROOT / name).is_file()]
    files = ends_of({name for name in listed if name.endswith((".md", ".cpp", ".hpp"))})
    works = known((ROOT / "docs/refs.bib").read_text(encoding="utf-8"))
    faults = [fault for name in names
              for fault in faults_of(name, (ROOT / name).read_text(encoding="utf-8"), works, files)]
    print("\n".join(faults) if faults else f"citations: {len(names)} files")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
