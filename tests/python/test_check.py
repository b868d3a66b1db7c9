"""A look at the records: shown, and nothing else."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas
import polars
import postern as pn
import pyarrow
import pytest

from tests.python.desk import bernoulli, code_of
from tests.python.test_privacy import (
    CANARY,
    Misnamed,
    Strange,
    Talkative,
    everything_said,
    stream_that_breaks,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(look: pn.RecordsCheck, monkeypatch: pytest.MonkeyPatch) -> str:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    look.show()
    monkeypatch.undo()
    return terminal.getvalue()


def test_it_is_the_look_of_the_program(desk: Path, program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    program("check", "study.toml", "survey.csv", "--to-file", "look.txt")
    expected = Path("look.txt").read_text()
    frame = pandas.read_csv("survey.csv", dtype=str)
    lazy = polars.scan_csv("survey.csv", infer_schema=False)
    frames = (frame, polars.from_pandas(frame), pyarrow.table(frame), lazy)
    for data in ("survey.csv", Path("survey.csv"), *frames):
        here = desk / "elsewhere"
        pn.check(data, "study.toml").show(to_file=here)
        assert here.read_text() == expected
        assert here.stat().st_mode & 0o777 == 0o600
        here.unlink()
    assert pn.owner.check is pn.check


def test_every_kind_of_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    study = pn.Study.parse(bernoulli())
    odd = ["no", "Yes", None, 3, 1.0, True, b"\xff", object()]
    texts = [
        shown(pn.check(pandas.DataFrame({"smoker": pandas.Series(odd, dtype=object)}), study), monkeypatch),
        shown(pn.check(polars.DataFrame({"smoker": [True, False, None]}), study), monkeypatch),
        shown(pn.check(pandas.DataFrame({"smoker": ["Yes"] * 30}).astype("category"), study), monkeypatch),
    ]
    assert "records  8\n" in texts[0]
    assert "declared 2, missing 1, undeclared 0" in texts[1]
    assert "30 fields [wrong-case]" in texts[2]


def test_it_shows_itself_nowhere_else(desk: Path) -> None:
    Path("bad.csv").write_text("smoker,age,cancer\n" + f"{CANARY},1,2\n" * 30)
    look = pn.check("bad.csv", "study.toml")
    for text in (repr(look), str(look), f"{look}", f"{look!r}"):
        assert text == "RecordsCheck(for the owner's eyes alone; show() shows it)"
    assert not [name for name in dir(look) if name.startswith("_repr_")]
    assert not hasattr(look, "__dict__")
    for give in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="owner's eyes"):
            give(look)


def test_it_is_not_shown_to_a_pipe(desk: Path) -> None:
    code = "import postern as pn\npn.check('survey.csv', 'study.toml').show()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "bad-option" in done.stderr


def test_a_notebook_may_show_it(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})()
    look = pn.check("survey.csv", "study.toml")
    monkeypatch.setattr(sys, "stdout", cell)
    look.show()
    assert cell.getvalue().startswith("FOR THE EYES OF THE OWNER")


def test_a_file_is_never_replaced(desk: Path) -> None:
    look = pn.check("survey.csv", "study.toml")
    before = Path("survey.csv").read_bytes()
    with pytest.raises(pn.Error) as error:
        look.show(to_file="survey.csv")
    assert code_of(error) == "output-exists"
    assert Path("survey.csv").read_bytes() == before
    with pytest.raises(pn.Error) as error:
        look.show(to_file="no/where")
    assert code_of(error) == "output-unwritable"


@pytest.mark.parametrize("make", [Talkative, Strange, Misnamed, stream_that_breaks])
def test_no_foreign_text_passes(desk: Path, make: Any) -> None:
    with pytest.raises(pn.Error) as error:
        pn.check(make(), "study.toml")
    assert code_of(error) == "input-unreadable"
    assert CANARY not in everything_said(error.value)
    assert error.value.__context__ is None


def test_refusals(desk: Path) -> None:
    refused = (([1, 2], "wrong-type"), ({"smoker": ["no"]}, "wrong-type"), ("none.csv", "input-missing"))
    for data, code in refused:
        with pytest.raises(pn.Error) as error:
            pn.check(data, "study.toml")  # type: ignore[arg-type]
        assert code_of(error) == code
    with pytest.raises(pn.Error) as error:
        pn.check(polars.DataFrame({"smoker": ["no"]}), "study.toml")
    assert code_of(error) == "column-absent"
    with pytest.raises(pn.Error, match="counts=True") as error:
        pn.check(polars.read_csv("survey.csv").with_columns(count=1), "study.toml")
    assert code_of(error) == "bad-option"
    with pytest.raises(pn.Error) as error:
        pn.check("survey.csv", "study.toml", counts=True)
    assert code_of(error) == "unsupported"


def test_it_charges_nothing(desk: Path) -> None:
    before = {path.name: path.read_bytes() for path in desk.iterdir()}
    pn.check("survey.csv", "study.toml")
    assert {path.name: path.read_bytes() for path in desk.iterdir()} == before
