"""What the tests of tables share: a desk whose noise is as good as none, so that counts can be compared.

At epsilon 100 over a sensitivity of 2, a count of a release differs from the true one with a probability
below 1e-21.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.cli.desk import PROGRAM, Desk, Result

PLUGIN = PROGRAM.parent / "libpostern_arrow.so"

STUDY = """
version = 1
name = "tables"
dataset = "tables"
[privacy]
unit = "record"
adjacency = "replace-one"
currency = "pure"
[columns.smoker]
categories = ["no", "yes", "unknown"]
missing = "unknown"
[columns.age]
integer = [18, 99]
cuts = [30, 45, 60]
missing = "45-59"
outside = "clamp"
[columns.income]
real = ["0", "200000"]
grid = "100"
cuts = ["20000", "50000.00", "120000"]
missing = "[0,20000)"
outside = "clamp"
[model]
kind = "family"
family = "categorical"
columns = ["smoker", "age", "income"]
prior = { dirichlet = 1 }
"""


class TableDesk(Desk):
    """Releases tables of one study."""

    def counts(self, data: str, *more: str) -> list[int]:
        """The counts of the released table."""
        result = self.release("--force", *more, data=data, amount=("--epsilon", "100"))
        assert result.code == 0, result
        return list(map(int, self.document()["measurements"][0]["blocks"][0]["values"]))

    def document(self) -> Any:
        self.ok("verify", "out.json")
        return json.loads(self.path("out.json").read_text())

    def refuses(self, name: str, code: int, *says: str, data: str, more: tuple[str, ...] = ()) -> Result:
        """Releases, and expects to be refused before the charge."""
        spent = self.balance()["spent"]
        result = self.release(*more, data=data, amount=("--epsilon", "1"))
        self.refused(result, name, code)
        for words in says:
            assert words in result.err, result
        assert self.balance()["spent"] == spent
        return result


def make_desk(folder: Path, study: str = STUDY) -> TableDesk:
    desk = TableDesk(folder)
    desk.write("study.toml", study)
    desk.ok("ledger", "init", "study.toml", "--budget", "1000", "-o", "survey.ledger")
    return desk


@pytest.fixture
def tables(tmp_path: Path) -> TableDesk:
    """A study of text, integers and reals, and its ledger; skips where tables cannot be read."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    if not PLUGIN.exists():
        pytest.skip("the Arrow plugin is not built")
    return make_desk(tmp_path)
