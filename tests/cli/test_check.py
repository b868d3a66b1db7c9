"""A look at the records: shown to a terminal or put into a private file, and nowhere else."""

from __future__ import annotations

import gzip
import json
import os
import pty
import subprocess
from collections.abc import Sequence

import pytest

from tests.cli.desk import PERSON, PROGRAM, Desk, Result

BAD = "smoker,age,cancer\n" + "Yes,30,no\n" * 25 + "no,2020-01-02,maybe\n" * 3 + "no,44,caf\xe9\nno;50;no\n"


def in_terminal(desk: Desk, arguments: Sequence[str]) -> Result:
    """The program with a terminal of its own as standard output."""
    ours, its = pty.openpty()
    try:
        done = subprocess.Popen(
            [str(PROGRAM), *arguments], cwd=desk.folder, stdin=its, stdout=its, stderr=subprocess.PIPE
        )
    finally:
        os.close(its)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # how Linux says that nobody holds the other end any more
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    _, err = done.communicate(timeout=60)
    return Result(done.returncode, shown.decode().replace("\r\n", "\n"), err.decode())


@pytest.fixture
def bad(desk: Desk) -> Desk:
    desk.write_study()
    desk.write("bad.csv", BAD.encode("latin-1"))
    return desk


def test_a_terminal_sees_it(bad: Desk) -> None:
    result = in_terminal(bad, ["check", "study.toml", "bad.csv"])
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("FOR THE EYES OF THE OWNER OF THE RECORDS ALONE.")
    for words in (
        "records  30\n",
        "1 line [not-utf8]",
        "iconv -f latin1 -t utf-8",
        "1 line [semicolons]",
        "25 fields [wrong-case]",
        '"Yes": 25 fields; declared is "yes"',
        "declare what can occur, not what you saw",
        "3 fields [date]",
    ):
        assert words in result.out.replace("\n  ", " "), words
    assert "maybe" not in result.out  # three records have it
    assert bad.snapshot().keys() == {"study.toml", "bad.csv"}


@pytest.mark.parametrize("more", [[], ["--quiet"]])
def test_a_pipe_and_a_file_see_nothing(bad: Desk, more: list[str]) -> None:
    bad.refused(bad.run("check", "study.toml", "bad.csv", *more), "bad-option", 64)
    with bad.path("out").open("wb") as out:
        call = [str(PROGRAM), "check", "study.toml", "bad.csv", *more]
        done = subprocess.run(call, cwd=bad.folder, stdout=out, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 64
    assert bad.path("out").read_bytes() == b""


def test_a_file_that_is_named_is_private_and_new(bad: Desk) -> None:
    old = os.umask(0)
    try:
        result = bad.ok("check", "study.toml", "bad.csv", "--to-file", "look.txt")
    finally:
        os.umask(old)
    assert result.out == "look  look.txt (for your eyes alone)\n"
    assert bad.path("look.txt").stat().st_mode & 0o777 == 0o600
    text = bad.path("look.txt").read_text()
    assert text == in_terminal(bad, ["check", "study.toml", "bad.csv"]).out
    bad.refused(bad.run("check", "study.toml", "bad.csv", "--to-file", "look.txt"), "output-exists", 73)
    bad.refused(bad.run("check", "study.toml", "bad.csv", "--to-file", "bad.csv"), "output-exists", 73)
    bad.refused(bad.run("check", "study.toml", "bad.csv", "--to-file", "-"), "bad-option", 64)
    bad.refused(bad.run("check", "study.toml", "bad.csv", "--to-file", "no/where"), "output-unwritable", 73)
    assert bad.path("look.txt").read_text() == text


def test_json_goes_to_a_file_alone(bad: Desk) -> None:
    refusal = bad.run("check", "study.toml", "bad.csv", "--json")
    assert (refusal.code, refusal.json["error"]["name"]) == (64, "bad-option")
    assert in_terminal(bad, ["check", "study.toml", "bad.csv", "--json"]).code == 64
    assert bad.ok("check", "study.toml", "bad.csv", "--json", "--to-file", "look.json").json == {
        "look": "look.json"
    }
    look = json.loads(bad.path("look.json").read_text())
    assert look["for"].startswith("THE EYES OF THE OWNER")
    assert (look["records"], look["counted"], look["people"]) == (30, 30, None)
    smoker = look["columns"][0]
    assert (smoker["declared"], smoker["undeclared"], smoker["unreadable"]) == (3, 25, 2)
    assert smoker["values"] == [{"value": "Yes", "fields": 25, "declared": "yes"}]
    assert [remark["name"] for remark in look["lines"]] == ["not-utf8", "semicolons"]


def test_the_exit_status_does_not_depend_on_records(desk: Desk) -> None:
    desk.write_study()
    header = b"smoker,age,cancer\n"
    for i, records in enumerate([b"", b"yes,30,no\n", b"\xff\xfe\n" * 50, b"\n\n", b'"\n', b"a,b\n" * 9999]):
        desk.write("data.csv", header + records)
        result = desk.ok("check", "study.toml", "data.csv", "--to-file", f"look{i}.txt")
        assert result.err == ""


def test_what_few_records_hold_shows_nowhere(desk: Desk) -> None:
    desk.write_study()
    desk.write("data.csv", "smoker,age,cancer\n" + "canary,canary,no\ncanary;canary\n" * 19)
    for more in ([], ["--json"]):
        result = desk.ok("check", "study.toml", "data.csv", "--to-file", f"look{len(more)}", *more)
        assert "canary" not in result.out + result.err + desk.path(f"look{len(more)}").read_text()


def test_faults_of_the_whole_file_keep_their_codes(desk: Desk) -> None:
    desk.write_study()
    desk.write("data.csv", "smoker;age;cancer\nyes;30;no\n")
    refusal = desk.run("check", "study.toml", "data.csv", "--to-file", "look.txt")
    desk.refused(refusal, "no-header", 65)
    assert "--delimiter ;" in refusal.err
    desk.ok("check", "study.toml", "data.csv", "--delimiter", ";", "--to-file", "look.txt")
    assert "declared 1, missing 0, undeclared 0" in desk.path("look.txt").read_text()
    desk.path("look.txt").unlink()
    desk.write("data.csv", "smoker,cancer\nyes,no\n")
    desk.refused(desk.run("check", "study.toml", "data.csv", "--to-file", "l"), "column-absent", 65)
    desk.refused(desk.run("check", "study.toml", "none.csv", "--to-file", "l"), "input-missing", 66)
    desk.refused(desk.run("check", "none.toml", "data.csv", "--to-file", "l"), "input-missing", 66)
    counts = desk.run("check", "study.toml", "data.csv", "--counts", "--to-file", "l")
    desk.refused(counts, "unsupported", 69)
    assert "check the records that it was made from" in counts.err
    assert desk.snapshot().keys() == {"study.toml", "data.csv"}


def test_it_touches_no_ledger(ready: Desk) -> None:
    before = ready.snapshot()
    ready.ok("check", "study.toml", "survey.csv", "--to-file", "look.txt")
    ready.path("look.txt").unlink()
    assert ready.snapshot() == before


def test_packed_files(ready: Desk) -> None:
    ready.write("survey.csv.gz", gzip.compress(ready.path("survey.csv").read_bytes()))
    for name in ("survey.csv", "survey.csv.gz"):
        ready.ok("check", "study.toml", name, "--to-file", f"{name}.look")
    assert ready.path("survey.csv.look").read_text() == ready.path("survey.csv.gz.look").read_text()


def test_standard_input_and_people(desk: Desk) -> None:
    desk.write_study(unit=PERSON, adjacency="add-remove")
    rows = "".join(f"p{i % 10},yes,{20 + i},no\n" for i in range(45)) + ",yes,30,no\n"
    data = "person_id,smoker,age,cancer\n" + rows
    desk.ok("check", "study.toml", "-", "--to-file", "look.txt", stdin=data.encode())
    text = desk.path("look.txt").read_text()
    assert "records  46; 30 counted by a release\n" in text
    assert "people   10; 10 of them have more than 3 records; 1 record has no id and is left out\n" in text
