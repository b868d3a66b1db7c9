"""A second ledger of a dataset, noticed beside the new one and in the user's list of ledgers."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.cli.desk import Desk, study_text

INIT = ("ledger", "init", "study.toml", "--budget", "2", "-o")


def listed(desk: Desk) -> list[list[str]]:
    text = (desk.state / "postern" / "ledgers").read_text()
    return [line.split("\t") for line in text.splitlines()]


def test_a_ledger_beside(ready: Desk) -> None:
    before = ready.snapshot()
    result = ready.run(*INIT, "second.ledger", env={"XDG_STATE_HOME": str(ready.folder / "elsewhere")})
    ready.refused(result, "ledger-exists", 73)
    assert f"dataset 'survey-2026' has a ledger already: '{ready.folder}/survey.ledger'" in result.err
    assert "--another-ledger" in result.err
    assert ready.snapshot() == before
    ready.path("survey.ledger").rename(ready.path("book.db"))  # found by its key, whatever its name is
    ready.path("survey.ledger.key").rename(ready.path("book.db.key"))
    ready.refused(ready.run(*INIT, "second.ledger"), "ledger-exists", 73)
    ready.path("book.db.key").unlink()
    ready.path("book.db").rename(ready.path("lost-its-key.ledger"))
    ready.refused(ready.run(*INIT, "second.ledger"), "ledger-exists", 73)


def test_a_ledger_elsewhere(ready: Desk) -> None:
    ready.path("far").mkdir()
    result = ready.run(*INIT, "far/second.ledger")
    ready.refused(result, "ledger-exists", 73)
    assert f"'{ready.folder}/survey.ledger'" in result.err
    ready.ok(*INIT, "far/second.ledger", "--another-ledger")
    assert [name for name, _ in listed(ready)] == ["survey-2026", "survey-2026"]


def test_another_dataset_is_none_of_its_business(ready: Desk) -> None:
    ready.write("census.toml", study_text(dataset="census-2026"))
    ready.ok("ledger", "init", "census.toml", "--budget", "2", "-o", "census.ledger")
    assert listed(ready) == [
        ["survey-2026", f"{ready.folder}/survey.ledger"],
        ["census-2026", f"{ready.folder}/census.ledger"],
    ]
    for path in (ready.state / "postern" / "ledgers",):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_ledgers_that_are_gone_are_dropped(ready: Desk) -> None:
    for name in ("survey.ledger", "survey.ledger.key"):
        ready.path(name).unlink()
    ready.write("census.toml", study_text(dataset="census-2026"))
    ready.ok("ledger", "init", "census.toml", "--budget", "2", "-o", "census.ledger")
    assert listed(ready) == [["census-2026", f"{ready.folder}/census.ledger"]]
    ready.ok(*INIT, "survey.ledger")
    assert len(listed(ready)) == 2


def test_a_name_that_now_is_another_ledgers(ready: Desk) -> None:
    """What the list says of a file is believed only where the file itself cannot be asked."""
    ready.path("far").mkdir()
    (ready.state / "postern" / "ledgers").write_text(f"other\t{ready.folder}/survey.ledger\n")
    ready.write("other.toml", study_text(dataset="other"))
    ready.ok("ledger", "init", "other.toml", "--budget", "2", "-o", "far/other.ledger")


@pytest.mark.parametrize("kind", ["file", "pipe", "link", "none"])
def test_a_list_that_cannot_be_kept_is_a_note(desk: Desk, kind: str) -> None:
    desk.write_study()
    place = desk.state / "postern"
    env = {}
    if kind == "file":
        desk.state.write_text("not a folder")
    elif kind == "pipe":
        place.mkdir(parents=True)
        os.mkfifo(place / "ledgers")
    elif kind == "link":
        place.mkdir(parents=True)
        (place / "ledgers").symlink_to(desk.folder / "target")
    else:
        env = {"XDG_STATE_HOME": "", "HOME": ""}
    result = desk.run(*INIT, "survey.ledger", env=env)
    assert result.code == 0, result
    assert result.err.count("Note: ") == 1, result.err
    assert "would go unnoticed" in result.err
    assert not desk.path("target").exists()
    assert desk.balance()["budget"] == {"epsilon": "2"}
    quiet = desk.run(*INIT, "far.ledger", "--another-ledger", "--quiet", env=env)
    assert (quiet.code, quiet.err) == (0, "")


def test_names_with_tabs_and_ends_of_lines(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "a\tb\nc\\d"
    folder.mkdir()
    desk.write_study()
    desk.ok(*INIT, str(folder / "survey.ledger"))
    result = desk.run(*INIT, "second.ledger")
    desk.refused(result, "ledger-exists", 73)
    assert len(listed(desk)) == 1


def test_hostile_lists(desk: Desk) -> None:
    place = desk.state / "postern"
    place.mkdir(parents=True)
    (place / "ledgers").write_bytes(
        b"\xff\x00\t\n\nno tab\nsurvey-2026\t/dev/zero\nsurvey-2026\t" + b"x" * 5000
    )
    desk.write_study()
    desk.ok(*INIT, "survey.ledger")
    assert ["survey-2026", f"{desk.folder}/survey.ledger"] in [
        line.split("\t") for line in (place / "ledgers").read_bytes().decode("latin-1").splitlines()
    ]


def test_terms_are_printed(desk: Desk) -> None:
    desk.write_study()
    told = desk.ok(*INIT, "survey.ledger").err
    assert 'adjacency "replace-one", unit "record", currency "pure" (epsilon)' in told
    assert 'We advise adjacency "add-remove"' in told
    desk.write_study("hidden.toml", adjacency="add-remove", currency="zcdp", dataset="hidden")
    told = desk.ok("ledger", "init", "hidden.toml", "--budget", "2", "-o", "hidden.ledger").err
    assert 'adjacency "add-remove", unit "record", currency "zcdp" (rho)' in told
    assert "add-remove is the choice we advise" in told


PERSON = '{ column = "person_id", at_most = 3 }'


@pytest.mark.parametrize(
    ("choices", "theirs", "ours"),
    [
        ({"adjacency": "add-remove"}, 'adjacency = "add-remove"', 'adjacency = "replace-one"'),
        ({"currency": "zcdp"}, 'currency = "zcdp"', 'currency = "pure"'),
        ({"dataset": "census"}, "dataset 'census'", 'dataset = "survey-2026"'),
    ],
)
def test_a_mismatch_names_both_and_the_line(
    ready: Desk, choices: dict[str, str], theirs: str, ours: str
) -> None:
    ready.write_study(**choices)
    amount = ("--rho", "1") if "currency" in choices else ("--epsilon", "1")
    result = ready.release(amount=amount)
    ready.refused(result, "ledger-mismatch", 65)
    assert theirs in result.err
    assert f"write {ours}" in result.err


def test_a_mismatch_of_the_unit(desk: Desk) -> None:
    desk.write_study(adjacency="add-remove")
    desk.write("survey.csv", "person_id,smoker,age,cancer\n1,yes,40,no\n")
    desk.ok(*INIT, "survey.ledger")
    desk.write_study(adjacency="add-remove", unit=PERSON)
    result = desk.release()
    desk.refused(result, "ledger-mismatch", 65)
    assert f"the study has unit = {PERSON}, but" in result.err
    assert 'in [privacy] of the study, write unit = "record"' in result.err


def test_a_folder_with_releases_of_two_datasets(ready: Desk) -> None:
    ready.path("published").mkdir()
    assert ready.release(output="published/a.json").code == 0
    ready.write_study("census.toml", dataset="census-2026")
    ready.ok("ledger", "init", "census.toml", "--budget", "2", "-o", "census.ledger")
    assert ready.release(study="census.toml", ledger="census.ledger", output="published/b.json").code == 0
    for action in ("verify", "reconcile"):
        done = ready.ok("ledger", action, "survey.ledger", "--releases", "published")
        assert done.out.splitlines()[1:] == [
            "of other datasets, not checked against this ledger: 1",
            "  published/b.json (dataset census-2026)",
        ]
    facts = ready.ok("ledger", "verify", "survey.ledger", "--releases", "published", "--json").json
    assert facts["releases"] == 1
    assert facts["of_other_datasets"] == [{"path": "published/b.json", "dataset": "census-2026"}]
    named = ready.run("ledger", "verify", "survey.ledger", "--releases", "published/b.json")
    ready.refused(named, "ledger-tampered", 65)
    ready.ok(*INIT, "second.ledger", "--another-ledger")
    lacking = ready.run("ledger", "verify", "second.ledger", "--releases", "published")
    ready.refused(lacking, "ledger-tampered", 65)
