"""A folder with studies, records and the program."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NAMED = os.environ.get("POSTERN") or os.environ.get("POSTERN_PROGRAM")
PROGRAM = Path(NAMED or ROOT / "build" / "postern").resolve()
# Ledgers that tests make are not listed in the home of whoever runs them; a desk has a list of its own.
_state = tempfile.TemporaryDirectory(prefix="postern-state-")
os.environ["XDG_STATE_HOME"] = _state.name

COLUMNS = """
[columns.smoker]
categories = ["no", "yes"]
missing = "no"
[columns.age]
integer = [18, 99]
cuts = [30, 45, 60]
missing = "45-59"
outside = "clamp"
[columns.cancer]
categories = ["no", "yes"]
missing = "no"
"""
BERNOULLI = """
[model]
kind = "family"
family = "bernoulli"
column = "smoker"
success = "yes"
prior = { beta = [1, 1] }
"""
PERSON = '{ column = "person_id", at_most = 3 }'
CATEGORICAL = """
[model]
kind = "family"
family = "categorical"
columns = ["smoker", "cancer"]
prior = { dirichlet = 1 }
"""


def draws(few: int, many: int) -> pytest.MarkDecorator:
    """Few draws a chain, enough for the bars; many in the long tests."""
    return pytest.mark.parametrize("draws", [str(few), pytest.param(str(many), marks=pytest.mark.long)])


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The stable name of the refusal on stderr, or nothing."""
        found = re.search(r"^postern: error \[([a-z-]+)\]: ", self.err, re.MULTILINE)
        return found.group(1) if found else ""

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def study_text(
    model: str = BERNOULLI,
    adjacency: str = "replace-one",
    currency: str = "pure",
    columns: str = COLUMNS,
    dataset: str = "survey-2026",
    at_most: int = 3000,
    unit: str = '"record"',
) -> str:
    n = f"n = {{ at_most = {at_most} }}\n" if adjacency == "add-remove" else ""
    return (
        f'version = 1\nname = "smoking"\ndataset = "{dataset}"\n'
        f'[privacy]\nunit = {unit}\nadjacency = "{adjacency}"\ncurrency = "{currency}"\n{n}{columns}{model}'
    )


def record(i: int) -> str:
    """The i-th made-up record: 30 % smoke, and of them 20 % have cancer, of the others 5 %."""
    smoker = i % 10 < 3
    cancer = i // 10 % 20 < (4 if smoker else 1)
    return f"{'yes' if smoker else 'no'},{18 + i % 80},{'yes' if cancer else 'no'}"


def canonical(document: Any) -> str:
    """A release as the program writes it: anything else is refused before it is looked at."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def make_key(folder: Path) -> None:
    """An ed25519 key in key.pem."""
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", "key.pem"], cwd=folder, check=True)


class Desk:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = folder.with_name(folder.name + ".state")

    def run(self, *arguments: str, stdin: bytes | None = None, env: dict[str, str] | None = None) -> Result:
        done = subprocess.run(
            [str(PROGRAM), *arguments],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            env={**os.environ, "XDG_STATE_HOME": str(self.state), **(env or {})},
            timeout=300,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def ok(self, *arguments: str, stdin: bytes | None = None) -> Result:
        result = self.run(*arguments, stdin=stdin)
        assert result.code == 0, result
        return result

    def path(self, name: str) -> Path:
        return self.folder / name

    def write(self, name: str, text: str | bytes) -> None:
        self.path(name).write_bytes(text.encode() if isinstance(text, str) else text)

    def write_study(self, name: str = "study.toml", **choices: Any) -> None:
        self.write(name, study_text(**choices))

    def write_records(self, count: int, name: str = "survey.csv") -> None:
        self.write(name, "smoker,age,cancer\n" + "".join(record(i) + "\n" for i in range(count)))

    def release(
        self,
        *more: str,
        amount: tuple[str, str] = ("--epsilon", "1"),
        data: str = "survey.csv",
        output: str = "out.json",
        study: str = "study.toml",
        ledger: str = "survey.ledger",
    ) -> Result:
        return self.run("release", study, data, *amount, "--ledger", ledger, "-o", output, *more)

    def balance(self, ledger: str = "survey.ledger") -> Any:
        return self.ok("ledger", "balance", ledger, "--json").json

    def snapshot(self) -> dict[str, str]:
        """Every file and what it holds."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            name = str(path.relative_to(self.folder))
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        return found

    def refused(self, result: Result, name: str, code: int) -> None:
        assert (result.error, result.code) == (name, code), result
        assert result.out == "", result
