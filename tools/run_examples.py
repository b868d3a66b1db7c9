"""Runs the ```console blocks of Markdown pages, so that no page shows what does not work.

    run_examples.py [--write] [--compare] <postern program> <page or folder>...

Every page gets a fresh folder with the example survey and the page's own files in it (blocks that begin with
```toml title="NAME"), and its blocks run there in order. Lines that begin with `$ ` are commands; the lines
below one are what a reader should see: each must occur in the output, in that order, where `...` stands for
anything. A command must succeed, unless its block is marked: ```console fails.

On the pages that COMPARED lists (on all, with --compare) the numbers shown must be those printed, to the
digits shown; on others any number will do. Draws and simulations have a seed. Noise has none, so the releases
of these pages are kept in docs/examples: a page makes its releases anew, which shows that it can, and the
analyst's commands then read the kept ones. Ids, times, dates, versions and absolute paths may differ on every
page, and so may what `postern audit` and private choices print, and any number in a block that is marked
```console varies.

--write renews the numbers that such a page shows, and keeps a release where none is kept for its study.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from page_rows import find, renewed

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "docs" / "examples"
COMPARED = KEPT / "compared.txt"
BLOCK = re.compile(r"^```console[ ]*(?P<mark>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r'^```\w+ title="(?P<name>[\w.-]+)"\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL)
OWNERS = re.compile(r"\bpostern (?:ledger|release)\b|--(?:ledger|releases|key)\b")
WITHOUT_SEED = re.compile(r"\bpostern audit\b")


@dataclass(frozen=True)
class Step:
    line: int
    command: str
    rows: list[tuple[int, str]]  # line of the page, counted from 0, and what it shows
    mark: str


@dataclass
class Page:
    path: Path
    compare: bool
    write: bool
    lines: list[str] = field(default_factory=list)
    made: dict[str, bytes] = field(default_factory=dict)  # the releases that its commands made
    faults: list[str] = field(default_factory=list)

    @property
    def kept(self) -> Path:
        inside = self.path.relative_to(ROOT).with_suffix("").as_posix().removeprefix("docs/")
        return KEPT / inside


def steps_of(text: str) -> list[Step]:
    steps: list[Step] = []
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start("body"))
        command: list[str] = []
        for offset, row in enumerate(block.group("body").splitlines()):
            if row.startswith("$ "):
                command = [row[2:]]
                steps.append(Step(line + offset + 1, row[2:], [], block.group("mark")))
            elif command and command[-1].endswith("\\"):
                command.append(row)
                steps[-1] = Step(steps[-1].line, "\n".join(command), [], steps[-1].mark)
            elif steps and row.strip():
                steps[-1].rows.append((line + offset, row))
    return steps


def what_is_public(document: bytes) -> Any:
    """Of a release all that the study decides: not the noise, the choices, ids and days."""
    read = json.loads(document)
    measured = [(one.get("mechanism"), one.get("cost")) for one in read.get("measurements", [])]
    return [read.get("study"), read.get("privacy"), read.get("n"), measured]


def keep(page: Page, work: Path, steps: list[Step]) -> None:
    """Takes up the releases that analysts will read, and compares them with those that are kept."""
    analysts = " ".join(step.command for step in steps if not OWNERS.search(step.command))
    for release in sorted(one for one in work.glob("*.release.json") if one.name in analysts):
        document = release.read_bytes()
        kept = page.kept / release.name
        if page.made.get(release.name) == document or (kept.is_file() and kept.read_bytes() == document):
            continue
        page.made[release.name] = document
        stale = not kept.is_file() or what_is_public(kept.read_bytes()) != what_is_public(document)
        if stale and page.write:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(document)
        elif stale:
            fault = f"{page.path}: {kept} is missing, or is not of this study (--write keeps a new one)"
            page.faults.append(fault)


def lay_out(page: Page, work: Path, owners: bool) -> None:
    """Puts the releases into the folder that this side works with: those just made, or the kept ones."""
    for name, document in page.made.items():
        kept = page.kept / name
        (work / name).write_bytes(document if owners or not kept.is_file() else kept.read_bytes())


def check_rows(page: Page, step: Step, output: str) -> str | None:
    """The first row that was not printed; on a page to renew, none where only its numbers differ."""
    compare = page.compare and step.mark != "varies" and not WITHOUT_SEED.search(step.command)
    position, changed, told = 0, False, []
    for line, row in step.rows:
        seen, output = find(row, output, position, compare)
        if seen is None or not (seen.agrees or page.write):
            return row.strip()
        position = seen.end
        changed = changed or not seen.agrees
        # A row that agrees changes its blanks only, so that columns stay in line.
        same = row.split() == seen.text.split()
        told.append((line, row if seen.agrees and not same else renewed(row, seen)))
    for line, row in told if changed else []:
        page.lines[line] = row
    return None


def run_steps(page: Page, work: Path, environment: dict[str, str]) -> int:
    steps = steps_of("\n".join(page.lines))
    for step in steps:
        if page.compare:
            lay_out(page, work, bool(OWNERS.search(step.command)))
        done = subprocess.run(["bash", "-c", step.command], cwd=work, env=environment, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=300)
        where = f"{page.path}:{step.line}: $ {step.command}"
        if (done.returncode != 0) != (step.mark == "fails"):
            page.faults.append(f"{where}\n    exit status {done.returncode}:\n{done.stdout}")
            break
        if page.compare and OWNERS.search(step.command):
            keep(page, work, steps)
        unseen = check_rows(page, step, done.stdout)
        if unseen is not None:
            page.faults.append(f"{where}\n    the page shows '{unseen}', the program says:\n{done.stdout}")
    return len(steps)


def run_page(page: Page, program: Path) -> int:
    """Returns how many commands the page has."""
    text = page.path.read_text(encoding="utf-8")
    page.lines = text.split("\n")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copytree(ROOT / "examples" / "smoking", work, dirs_exist_ok=True)
        for file in FILE.finditer(text):
            (work / file.group("name")).write_text(file.group("body"), encoding="utf-8")
        (work / "bin").mkdir()
        (work / ".state").mkdir()  # where the program lists this page's ledgers
        (work / "bin" / "postern").symlink_to(program)
        environment = {**os.environ, "PATH": f"{work / 'bin'}:{os.environ['PATH']}", "COLUMNS": "100",
                       "XDG_STATE_HOME": str(work / ".state")}
        count = run_steps(page, work, environment)
    if page.write and page.lines != text.split("\n"):
        page.path.write_text("\n".join(page.lines), encoding="utf-8")
        print(f"renewed {page.path.relative_to(ROOT)}")
    return count


def main() -> int:
    options = {argument for argument in sys.argv[1:] if argument.startswith("--")}
    program, *names = (argument for argument in sys.argv[1:] if argument not in options)
    listed = COMPARED.read_text(encoding="utf-8").split()
    found = [Path(name).resolve() for name in names]
    paths = [page for one in found for page in (sorted(one.rglob("*.md")) if one.is_dir() else [one])]
    total, faults = 0, [f"{COMPARED.relative_to(ROOT)}: {name} is not a page" for name in listed
                        if not (ROOT / name).is_file()]
    for path in paths:
        compare = "--compare" in options or path.relative_to(ROOT).as_posix() in listed
        page = Page(path, compare, compare and "--write" in options)
        total += run_page(page, Path(program).resolve())
        faults += page.faults
    print("\n".join(faults))
    print(f"{len(paths)} pages\nexamples: {total - len(faults)} passed, {len(faults)} failed")
    return 1 if faults or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
