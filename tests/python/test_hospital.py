"""The example of the hospital writes where it may, and takes away nothing that it did not write."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.python.desk import ROOT

SCRIPT = ROOT / "examples" / "hospital" / "hospital.py"


def run(folder: Path, script: Path = SCRIPT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, script, folder], capture_output=True, text=True, check=False)


def beginning(tmp_path: Path) -> Path:
    """The example up to its first records, which is where it makes room for itself."""
    script = tmp_path / "hospital.py"
    script.write_text(SCRIPT.read_text().split("rng = ")[0])
    return script


def test_a_folder_of_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "thesis.tex").write_text("years of work")
    (folder / "admissions.ledger").write_text("a ledger of real patients")
    done = run(folder)
    assert done.returncode == 1
    assert "name a new or an empty folder" in done.stderr
    assert sorted(file.name for file in folder.iterdir()) == ["admissions.ledger", "thesis.tex"]
    assert (folder / "admissions.ledger").read_text() == "a ledger of real patients"


def test_a_second_run_takes_away_only_what_the_first_wrote(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    script = beginning(tmp_path)
    assert run(folder, script).returncode == 0
    (folder / "admissions.ledger").write_text("of the first run")
    (folder / "notes.txt").write_text("of a reader")
    assert run(folder, script).returncode == 0
    assert not (folder / "admissions.ledger").exists()
    assert (folder / "notes.txt").read_text() == "of a reader"
