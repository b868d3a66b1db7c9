"""The ledger's files: copies, what is left of them, and what is mistaken for them."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from tests.cli.desk import PROGRAM, Desk, make_key, study_text


def spend(desk: Desk, epsilon: str, output: str) -> None:
    result = desk.release(amount=("--epsilon", epsilon), output=output)
    assert result.code == 0, result


def test_a_copy_of_ledger_and_key_has_every_charge(ready: Desk) -> None:
    spend(ready, "1.5", "out.json")
    for tail in ("", ".key"):
        shutil.copy2(ready.path("survey.ledger" + tail), ready.path("copy.ledger" + tail))
    assert ready.balance("copy.ledger")["left"] == {"epsilon": "0.5"}
    ready.refused(ready.release(ledger="copy.ledger", output="more.json"), "budget-exhausted", 77)
    assert not list(ready.folder.glob("*-wal"))


def test_backup(ready: Desk) -> None:
    spend(ready, "1.5", "out.json")
    done = ready.ok("ledger", "backup", "survey.ledger", "-o", "copy.ledger")
    assert done.out == "copied: 3 links, to copy.ledger and copy.ledger.key\n"
    for name in ("copy.ledger", "copy.ledger.key"):
        assert stat.S_IMODE(ready.path(name).stat().st_mode) == 0o600
    assert ready.balance("copy.ledger") == ready.balance()
    ready.ok("ledger", "verify", "copy.ledger", "--releases", "out.json")
    before = ready.snapshot()
    again = ready.run("ledger", "backup", "survey.ledger", "-o", "copy.ledger")
    ready.refused(again, "ledger-exists", 73)
    assert ready.snapshot() == before
    facts = ready.ok("ledger", "backup", "survey.ledger", "-o", "more.ledger", "--json").json
    assert (facts["copy"], facts["links"]) == ("more.ledger", 3)


def test_a_key_without_its_ledger_is_explained(ready: Desk) -> None:
    ready.path("survey.ledger").unlink()
    init = ready.run("ledger", "init", "study.toml", "--budget", "1", "-o", "survey.ledger")
    ready.refused(init, "ledger-exists", 73)
    assert "remove the key and run again" in init.err
    balance = ready.run("ledger", "balance", "survey.ledger")
    ready.refused(balance, "ledger-missing", 66)
    assert "restore the ledger from a backup" in balance.err


def test_a_ledger_without_its_key_is_explained(ready: Desk) -> None:
    ready.path("survey.ledger.key").unlink()
    result = ready.run("ledger", "balance", "survey.ledger")
    ready.refused(result, "ledger-missing", 66)
    assert "has lost its key 'survey.ledger.key'" in result.err.replace(f"{ready.folder}/", "")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("study.toml", "a study"), ("survey.csv", "a file of records"), ("out.json", "a release document")],
)
def test_a_ledger_that_is_something_else(ready: Desk, name: str, kind: str) -> None:
    spend(ready, "1", "out.json")
    result = ready.release(ledger=name, output="more.json")
    ready.refused(result, "ledger-foreign", 65)
    assert f"is not a ledger but, by its name, {kind}" in result.err
    assert "chmod" not in result.err


def test_swapped_arguments(ready: Desk) -> None:
    spend(ready, "1", "out.json")
    result = ready.release(study="survey.csv", data="study.toml", output="more.json")
    ready.refused(result, "input-unreadable", 66)
    assert "the study comes first: postern release STUDY DATA" in result.err
    result = ready.run("verify", "survey.ledger", "--ledger", "out.json")
    ready.refused(result, "release-malformed", 65)
    assert "a ledger, which goes after --ledger" in result.err
    shutil.copy(ready.path("survey.ledger"), ready.path("book.db"))
    result = ready.run("verify", "book.db")
    ready.refused(result, "release-malformed", 65)
    assert "is a database, perhaps a ledger" in result.err


def test_two_ledgers(ready: Desk) -> None:
    spend(ready, "1", "out.json")
    again = ("ledger", "init", "study.toml", "--budget", "2", "-o", "second.ledger")
    ready.refused(ready.run(*again), "ledger-exists", 73)
    ready.ok(*again, "--another-ledger")
    result = ready.run("verify", "out.json", "--ledger", "second.ledger")
    assert (result.code, result.error) == (65, "release-inconsistent")
    assert "it is a second ledger, or was rolled back" in " ".join(result.out.split())
    result = ready.release("--ledger", "second.ledger", output="more.json")
    ready.refused(result, "usage", 64)
    assert "--ledger was given more than once" in result.err
    ready.write("other.toml", study_text(dataset="census-2026"))
    ready.ok("ledger", "init", "other.toml", "--budget", "2", "-o", "census.ledger")
    result = ready.run("verify", "out.json", "--ledger", "census.ledger")
    assert "the ledger is of dataset 'census-2026'" in " ".join(result.out.split())


def test_verify_skips_and_lists_what_is_no_release(ready: Desk) -> None:
    ready.path("published").mkdir()
    spend(ready, "1", "published/out.json")
    ready.write("published/notes.json", '{"by": "me"}')
    done = ready.ok("ledger", "verify", "survey.ledger", "--releases", "published", "study.toml")
    assert done.out.splitlines() == [
        "intact: 3 links, and the charge of every release given",
        "skipped, not a release: published/notes.json",
        "skipped, not a release: study.toml",
    ]
    facts = ready.ok("ledger", "verify", "survey.ledger", "--releases", "published", "--json").json
    assert (facts["releases"], facts["skipped"]) == (1, ["published/notes.json"])
    facts = ready.ok("ledger", "reconcile", "survey.ledger", "--releases", "published", "--json").json
    assert (facts["added"], facts["skipped"]) == (0, ["published/notes.json"])
    damaged = ready.path("published/out.json").read_bytes()[:-20]
    ready.write("published/damaged.json", damaged)
    result = ready.run("ledger", "verify", "survey.ledger", "--releases", "published")
    ready.refused(result, "release-malformed", 65)
    result = ready.run("ledger", "verify", "survey.ledger", "--releases", "published/notes.json")
    ready.refused(result, "release-malformed", 65)


@pytest.mark.parametrize("kind", ["pipe", "device", "link", "survey.ledger-journal", "survey.ledger-wal"])
def test_force_replaces_only_files(ready: Desk, kind: str) -> None:
    output = {"device": "/dev/null"}.get(kind, kind)
    if kind == "pipe":
        os.mkfifo(ready.path("pipe"))
    if kind == "link":
        ready.path("link").symlink_to("elsewhere.json")
    result = ready.release("--force", output=output)
    assert result.code == 73, result
    assert result.error == ("output-exists" if "ledger" in kind else "output-unwritable")
    assert ready.balance()["spent"] == {"epsilon": "0"}


def test_a_release_is_as_public_as_the_umask_allows(ready: Desk) -> None:
    for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o027, 0o640)):
        command = [
            *(str(PROGRAM), "release", "study.toml", "survey.csv", "--epsilon", "0.1"),
            *("--ledger", "survey.ledger", "-o", f"{mask}.json"),
        ]
        subprocess.run(command, cwd=ready.folder, check=True, umask=mask, capture_output=True)
        assert stat.S_IMODE(ready.path(f"{mask}.json").stat().st_mode) == mode
    for name in ("survey.ledger", "survey.ledger.key"):
        assert stat.S_IMODE(ready.path(name).stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_signing_key_that_others_may_read_is_refused(ready: Desk, mode: int) -> None:
    make_key(ready.folder)
    ready.path("key.pem").chmod(mode)
    result = ready.release("--sign", "key.pem")
    ready.refused(result, "signature-invalid", 65)
    assert "run: chmod 600 'key.pem'" in result.err
    assert ready.balance()["spent"] == {"epsilon": "0"}
    ready.path("key.pem").chmod(0o600)
    assert ready.release("--sign", "key.pem").code == 0


def public_key(folder: Path, name: str) -> None:
    subprocess.run(["openssl", "pkey", "-in", "key.pem", "-pubout", "-out", name], cwd=folder, check=True)


def test_verify_with_the_owners_key(ready: Desk) -> None:
    make_key(ready.folder)
    public_key(ready.folder, "owner.pub")
    assert ready.release("--sign", "key.pem", output="signed.json").code == 0
    check = ready.ok("verify", "signed.json", "--key", "owner.pub", "--json").json["checks"][-1]
    assert check == {"name": "key", "passed": True, "detail": "signed with this very key"}
    make_key(ready.folder)
    public_key(ready.folder, "other.pub")
    result = ready.run("verify", "signed.json", "--key", "other.pub")
    assert (result.code, result.error) == (65, "release-inconsistent")
    assert "signed with another key" in result.out
    spend(ready, "0.5", "plain.json")
    result = ready.run("verify", "plain.json", "--key", "owner.pub")
    assert "the document is not signed" in result.out
    assert result.code == 65
    for name in ("key.pem", "study.toml"):
        result = ready.run("verify", "signed.json", "--key", name)
        ready.refused(result, "signature-invalid", 65)
        assert "openssl pkey -in key.pem -pubout" in result.err
