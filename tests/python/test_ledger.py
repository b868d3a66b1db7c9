"""The gate's book from Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from decimal import Decimal
from pathlib import Path

import postern as pn
import pytest

from tests.python.desk import code_of


def test_a_book_counts(desk: Path) -> None:
    ledger = pn.Ledger.open(Path("survey.ledger"))
    balance = ledger.balance()
    assert (balance.dataset, balance.unit) == ("survey-2026", "epsilon")
    assert (balance.budget, balance.spent, balance.left) == (Decimal(10), Decimal(1), Decimal(9))
    charge = ledger.charges()[0]
    assert (charge.seq, charge.cost, charge.mechanism, charge.published) == (1, Decimal(1), "laplace", True)
    assert charge.record_set == balance.record_set
    assert repr(ledger) == "Ledger('survey.ledger', dataset 'survey-2026', budget epsilon 10)"


def test_a_book_is_made_once(desk: Path) -> None:
    with pytest.raises(pn.Error) as error:
        pn.Ledger.create("survey.ledger", "study.toml", budget="10")
    assert code_of(error) == "ledger-exists"
    with pytest.raises(pn.Error) as error:
        pn.Ledger.create("new.ledger", "study.toml", budget=0.5)  # type: ignore[arg-type]
    assert code_of(error) == "bare-float"
    with pytest.raises(pn.Error) as error:
        pn.Ledger.open("none.ledger")
    assert code_of(error) == "ledger-missing"


def test_new_records_keep_the_budget(desk: Path) -> None:
    ledger = pn.Ledger.open("survey.ledger")
    before = ledger.balance()
    after = ledger.new_records()
    assert after.record_set != before.record_set
    assert after.left == before.left


def test_a_rolled_back_book_is_found_out(desk: Path) -> None:
    early = {path: path.read_bytes() for path in desk.glob("survey.ledger*")}
    late = pn.release("survey.csv", "study.toml", epsilon="1", ledger="survey.ledger")
    assert pn.Ledger.open("survey.ledger").holds(late)
    for path in desk.glob("survey.ledger*"):
        path.unlink()
    for path, content in early.items():
        path.write_bytes(content)
        path.chmod(0o600)
    ledger = pn.Ledger.open("survey.ledger")
    assert ledger.verify("survey.release.json") > 0
    assert not ledger.holds(late)
    with pytest.raises(pn.Error) as error:
        ledger.verify(late)
    assert code_of(error) == "ledger-tampered"
    with pytest.raises(pn.Error) as error:
        pn.verify(late, ledger)
    assert code_of(error) == "release-inconsistent"


def test_reconcile_notes_nothing_twice(desk: Path) -> None:
    assert pn.Ledger.open("survey.ledger").reconcile("survey.release.json") == 0


def test_export_is_json_lines(desk: Path) -> None:
    ledger = pn.Ledger.open("survey.ledger")
    lines = ledger.export("book.jsonl")
    assert Path("book.jsonl").read_text() == lines
    assert all(isinstance(json.loads(line), dict) for line in lines.splitlines())
    with pytest.raises(pn.Error) as error:
        ledger.export("book.jsonl")
    assert code_of(error) == "output-exists"


def test_threads_share_one_book(desk: Path) -> None:
    """Eight threads spend from one Ledger at once; each charge is there, and the chain holds."""
    ledger = pn.Ledger.open("survey.ledger")
    faults: list[BaseException] = []

    def spend() -> None:
        try:
            pn.release("survey.csv", "study.toml", epsilon="0.125", ledger=ledger, threads=1)
        except BaseException as fault:
            faults.append(fault)

    spenders = [threading.Thread(target=spend) for _ in range(8)]
    for spender in spenders:
        spender.start()
    for spender in spenders:
        spender.join()
    assert faults == []
    assert ledger.balance().spent == Decimal(2)
    ledger.verify()


def test_a_book_does_not_cross_a_fork(desk: Path) -> None:
    code = (
        "import os, postern as pn\n"
        "ledger = pn.Ledger.open('survey.ledger')\n"
        "if os.fork() == 0:\n"
        "    try: ledger.charges(); os._exit(1)\n"
        "    except pn.Error: os._exit(0)\n"
        "raise SystemExit(os.wait()[1])"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_copy_of_ledger_and_key_has_every_charge(desk: Path) -> None:
    ledger = pn.Ledger.open("survey.ledger")
    pn.release("survey.csv", "study.toml", epsilon="8", ledger=ledger)
    for tail in ("", ".key"):  # while it is open
        shutil.copy2(f"survey.ledger{tail}", f"copy.ledger{tail}")
    copy = pn.Ledger.open("copy.ledger")
    assert copy.balance().left == Decimal(1)
    with pytest.raises(pn.Error) as error:
        pn.release("survey.csv", "study.toml", epsilon="2", ledger=copy)
    assert code_of(error) == "budget-exhausted"


def test_backup(desk: Path) -> None:
    ledger = pn.Ledger.open("survey.ledger")
    pn.release("survey.csv", "study.toml", epsilon="8", ledger=ledger)
    links = ledger.backup(Path("copy.ledger"))
    copy = pn.Ledger.open("copy.ledger")
    assert copy.verify() == links == ledger.verify()
    assert copy.balance() == ledger.balance()
    with pytest.raises(pn.Error) as error:
        ledger.backup("copy.ledger")
    assert code_of(error) == "ledger-exists"


@pytest.mark.parametrize("replaced", [False, True])
def test_a_book_whose_file_is_gone_refuses(desk: Path, replaced: bool) -> None:
    ledger = pn.Ledger.open("survey.ledger")
    old = Path("survey.ledger").read_bytes()
    Path("survey.ledger").unlink()
    if replaced:
        Path("survey.ledger").write_bytes(old)
        Path("survey.ledger").chmod(0o600)
    for use in (ledger.balance, ledger.charges, ledger.verify, ledger.new_records):
        with pytest.raises(pn.Error) as error:
            use()
        assert code_of(error) == "ledger-missing"
    with pytest.raises(pn.Error) as error:
        pn.release("survey.csv", "study.toml", epsilon="1", ledger=ledger)
    assert code_of(error) == "ledger-missing"
    assert not hasattr(error.value, "__notes__")


def test_other_things_are_called_what_they_are(desk: Path) -> None:
    for name, kind in (("study.toml", "a study"), ("survey.release.json", "a release document")):
        with pytest.raises(pn.Error, match=kind) as error:
            pn.Ledger.open(name)
        assert code_of(error) == "ledger-foreign"
    with pytest.raises(pn.Error, match="a ledger") as error:
        pn.verify("survey.ledger")
    assert code_of(error) == "release-malformed"
    Path("survey.ledger.key").unlink()
    with pytest.raises(pn.Error, match="has lost its key") as error:
        pn.Ledger.open("survey.ledger")
    assert code_of(error) == "ledger-missing"


def test_swapped_arguments(desk: Path) -> None:
    with pytest.raises(pn.Error, match="the records come first"):
        pn.release("study.toml", "survey.csv", epsilon="1", ledger="survey.ledger")
    with pytest.raises(pn.Error, match="no release by its name but a ledger"):
        pn.verify("survey.ledger", "survey.release.json")
    assert pn.Ledger.open("survey.ledger").balance().charges == 1


def test_a_second_ledger_of_the_dataset(desk: Path) -> None:
    with pytest.raises(pn.Error, match="another_ledger=True") as error:
        pn.Ledger.create("second.ledger", "study.toml", budget="10")
    assert code_of(error) == "ledger-exists"
    second = pn.Ledger.create("second.ledger", "study.toml", budget="10", another_ledger=True)
    with pytest.raises(pn.Error, match="it is a second ledger, or was rolled back"):
        second.verify("survey.release.json")
    with pytest.raises(pn.Error, match="it is a second ledger, or was rolled back"):
        pn.verify("survey.release.json", second)


@pytest.mark.parametrize("name", ["survey.ledger", "survey.ledger.key", "survey.ledger-wal", "pipe", "link"])
def test_saving_replaces_only_files(desk: Path, name: str) -> None:
    os.mkfifo("pipe")
    Path("link").symlink_to("elsewhere.json")
    with pytest.raises(pn.Error) as error:
        pn.Release.load("survey.release.json").save(name, force=True)
    assert code_of(error) == ("output-exists" if "ledger" in name else "output-unwritable")
    assert pn.Ledger.open("survey.ledger").balance().spent == Decimal(1)
