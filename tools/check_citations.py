"""Every work that code or documents cite as `Author Year` is in docs/refs.bib.

Usage: check_citations.py
"""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CITING = ["lib", "app", "python", "docs", "tests", "bench", "experiments", "*.md"]
SUFFIXES = {".cpp", ".hpp", ".py", ".md"}
COMMENT_MARKER = re.compile(r"\n\s*(?:///?|#|\*)?\s*")
# "Talts et al. 2018", "Bun and Steinke 2016", "Marsaglia & Tsang 2000a": the last name and the year.
CITATION = re.compile(r"\b([A-Z][^\W\d_]{2,})(?: et al\.)?,? \(?((?:19|20)\d\d)[ab]?\b(?![-.]\d)")


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


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "-z", "--", *CITING], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split("\0")
    names = [name for name in listed if Path(name).suffix in SUFFIXES and (ROOT / name).is_file()]
    works = known((ROOT / "docs/refs.bib").read_text(encoding="utf-8"))
    faults: list[str] = []
    for name in names:
        lacking = citations((ROOT / name).read_text(encoding="utf-8")) - works
        faults += [f"{name}: {author} {year} is not in docs/refs.bib" for author, year in sorted(lacking)]
    print("\n".join(faults) if faults else f"citations: {len(names)} files")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
