"""Runs the ```console blocks of Markdown pages, so that no page shows what does not work.

    python3 tools/run_examples.py <postern program> <page or folder>...

Every page gets a fresh folder with the example survey and the page's own files in it (blocks that begin with
```toml title="NAME"), and its blocks run there in order. Lines that begin with `$ ` are commands; the lines
below one are what a reader should see: each must occur in the output, in that order, where `...` stands for
anything and one number (noise!), id or day is as good as another. A command must succeed, unless its block is
marked: ```console fails.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console[ ]*(?P<mark>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r'^```\w+ title="(?P<name>[\w.-]+)"\n(?P<body>.*?)^```$', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    line: int
    command: str
    expected: list[str]
    may_fail: bool


def steps_of(page: Path) -> list[Step]:
    text = page.read_text(encoding="utf-8")
    steps: list[Step] = []
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start("body")) + 1
        may_fail = block.group("mark") == "fails"
        command: list[str] = []
        for offset, row in enumerate(block.group("body").splitlines()):
            if row.startswith("$ "):
                command = [row[2:]]
                steps.append(Step(line + offset, row[2:], [], may_fail))
            elif command and command[-1].endswith("\\"):
                command.append(row)
                steps[-1] = Step(steps[-1].line, "\n".join(command), [], may_fail)
            elif steps and row.strip():
                steps[-1].expected.append(row.strip())
    return steps


def pattern_of(row: str) -> re.Pattern[str]:
    """The row with blanks loosened, `...` for anything, and what changes from run to run left open."""
    varying = {r"[0-9a-f]{16,}": r"[0-9a-f]+", r"\d{4}-\d\d-\d\d": r"\d{4}-\d\d-\d\d",
               r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?": r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?",
               r"\.\.\.": r".*?", r"\s+": r"\s+"}
    pieces = re.split("(" + "|".join(varying) + ")", row.strip())
    pattern = ""
    for i, piece in enumerate(pieces):
        replacement = next((to for known, to in varying.items() if re.fullmatch(known, piece)), None)
        pattern += replacement if i % 2 and replacement else re.escape(piece)
    return re.compile(pattern)


def with_label(output: str, row: str) -> str:
    """The output, with the row's label in full where a table that would be too wide has it as head…tail."""
    label = re.split(r"\s{2,}", row)[0]

    def full(shortened: re.Match[str]) -> str:
        head, tail = shortened.group(1), shortened.group(2)
        return label if label.startswith(head) and label.endswith(tail) else shortened.group(0)

    return re.sub(r"(?m)^(.*?)…(.*?)(?=  )", full, output)


def first_unseen(expected: list[str], output: str) -> str | None:
    position = 0
    for row in expected:
        output = output[:position] + with_label(output[position:], row)
        match = pattern_of(row).search(output, position)
        if match is None:
            return row
        position = match.end()
    return None


def run_page(page: Path, program: Path) -> tuple[int, list[str]]:
    steps, faults = steps_of(page), []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copytree(ROOT / "examples" / "smoking", work, dirs_exist_ok=True)
        for file in FILE.finditer(page.read_text(encoding="utf-8")):
            (work / file.group("name")).write_text(file.group("body"), encoding="utf-8")
        (work / "bin").mkdir()
        (work / ".state").mkdir()  # where the program lists this page's ledgers
        (work / "bin" / "postern").symlink_to(program)
        environment = {**os.environ, "PATH": f"{work / 'bin'}:{os.environ['PATH']}", "COLUMNS": "100",
                       "XDG_STATE_HOME": str(work / ".state")}
        for step in steps:
            done = subprocess.run(["bash", "-c", step.command], cwd=work, env=environment, check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, timeout=300)
            where = f"{page}:{step.line}: $ {step.command}"
            if (done.returncode != 0) != step.may_fail:
                faults.append(f"{where}\n    exit status {done.returncode}:\n{done.stdout}")
                break
            unseen = first_unseen(step.expected, done.stdout)
            if unseen is not None:
                faults.append(f"{where}\n    the page shows '{unseen}', the program says:\n{done.stdout}")
    return len(steps), faults


def main() -> int:
    program = Path(sys.argv[1]).resolve()
    pages = [page for name in sys.argv[2:]
             for page in (sorted(Path(name).rglob("*.md")) if Path(name).is_dir() else [Path(name)])]
    total, faults = 0, list[str]()
    for page in pages:
        count, found = run_page(page, program)
        total += count
        faults += found
    print("\n".join(faults))
    print(f"{len(pages)} pages\nexamples: {total - len(faults)} passed, {len(faults)} failed")
    return 1 if faults or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
