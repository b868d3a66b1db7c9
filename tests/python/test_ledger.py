"""The gate's book from Python."""

from __future__ import annotations

import json
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
