"""The words of the program: help, version, widths, streams."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time

import pytest

from tests.cli.desk import PROGRAM, Desk, study_text

COMMANDS = [
    "init",
    "plan",
    "ledger",
    "check",
    "release",
    "verify",
    "infer",
    "predict",
    "synth",
    "calibrate",
    "audit",
]
ACTIONS = ["init", "balance", "verify", "reconcile", "export", "new-records"]


def test_version(desk: Desk) -> None:
    assert re.fullmatch(r"postern \d+\.\d+\.\d+\n", desk.ok("--version").out)


@pytest.mark.parametrize(
    "call",
    [(c, "--help") for c in COMMANDS]
    + [("help", c) for c in COMMANDS]
    + [("ledger", a, "--help") for a in ACTIONS],
)
def test_help_has_usage_and_examples(desk: Desk, call: tuple[str, ...]) -> None:
    result = desk.ok(*call)
    assert result.err == ""
    assert "Usage: postern " in result.out
    assert "Examples:\n  postern " in result.out
    assert max(len(line) for line in result.out.splitlines()) <= 100


def test_overview_names_every_command(desk: Desk) -> None:
    for call in ((), ("--help",), ("help",), ("-h",)):
        out = desk.ok(*call).out
        for command in COMMANDS:
            assert re.search(rf"^  {command} ", out, re.MULTILINE)
        table = out.split("\n\n")[2].splitlines()
        assert {re.match(r"  [a-z]+ +", line).end() for line in table} == {13}  # type: ignore[union-attr]


def test_draft_says_what_to_fill_in(desk: Desk) -> None:
    desk.write("survey.csv", '"a b",smoker,"x""y",größe\n1,2,3,4\n')
    result = desk.ok("init", "survey.csv", "-o", "study.toml")
    assert "4 columns" in result.out
    assert "postern plan study.toml" in result.err
    text = desk.path("study.toml").read_text()
    for line in ('[columns."a b"]', "[columns.smoker]", '[columns."x\\"y"]', '[columns."größe"]', "[model]"):
        assert line in text
    # As drafted it is refused, and the refusal points at the first thing to fill in.
    refusal = desk.run("plan", "study.toml", "--epsilon", "1")
    at = next(i for i, line in enumerate(text.splitlines(), 1) if line.startswith('categories = [""'))
    assert (refusal.error, refusal.code) == ("bad-value", 65)
    assert f"study.toml:{at}:" in refusal.err
    # Filled in, it is a study.
    filled = re.sub(r'^categories = \[""', 'categories = ["no", "yes"', text, flags=re.MULTILINE)
    desk.write("study.toml", filled)
    planned = desk.ok("plan", "study.toml", "--epsilon", "1", "--json").json
    assert planned["cost"] == {"epsilon": "1"}
    assert planned["blocks"][0]["cells"] == 3  # what is empty or misspelt has a level of its own: unknown
    assert not any("names no `missing`" in note for note in planned["notes"])


def test_draft_has_other_models_that_work(desk: Desk) -> None:
    """Each commented [model], with its `# ` taken away, makes a study with the column that it asks for."""
    desk.write("survey.csv", "x,y\n")
    desk.ok("init", "survey.csv", "-o", "draft.toml")
    text = desk.path("draft.toml").read_text()
    before = text[: text.index("\n[columns.")]
    examples = re.findall(r"^# \[model\]   # ([^\n]*)\n((?:# [^\n]+\n)+)", text, flags=re.MULTILINE)
    assert len(examples) == 7
    other = '[columns.y]\ninteger = [0, 9]\nmissing = "0"\n'
    families = []
    for what_for, lines in examples:
        values = (
            "\n".join(what_for.split(": ", 1)[1].split("], ")) if "= [" in what_for else "integer = [0, 9]"
        )
        values = values.replace('"\ngrid', '"]\ngrid')
        model = "[model]\n" + re.sub(r"^# ", "", lines, flags=re.MULTILINE)
        desk.write("study.toml", f'{before}\n[columns.x]\n{values}\nmissing = "0"\n{other}{model}')
        desk.ok("plan", "study.toml", "--epsilon", "1", "--n", "50", "--simulations", "1")
        families += re.findall(r'(?:family|kind) += "([a-z-]+)"', model)
    known = {"poisson", "exponential", "normal", "quantiles", "bayes-net", "naive-bayes", "linear-regression"}
    assert known <= set(families)
    assert "half-normal" in text


def test_plan_without_n_tells_cost_and_noise(desk: Desk) -> None:
    desk.write_study()
    out = desk.ok("plan", "study.toml", "--epsilon", "0.1").out
    assert "epsilon 0.1, exactly" in out
    assert "lambda = 0.1" in out
    assert "give --n" in out


def test_plan_of_many_cells_says_why_it_takes_its_time(desk: Desk) -> None:
    columns = '[columns.place]\ninteger = [1, 100001]\nmissing = "1"\n'
    model = '[model]\nkind = "family"\nfamily = "categorical"\ncolumn = "place"\n'
    desk.write("study.toml", study_text(columns=columns, model=model))
    call = ("plan", "study.toml", "--epsilon", "1", "--n", "10", "--simulations", "1")
    assert "Looking ahead at 100,001 cells takes some seconds" in desk.ok(*call).err
    assert desk.ok(*call, "--quiet").err == ""


def test_plan_warns_of_undeclared_missing(desk: Desk) -> None:
    desk.write("study.toml", study_text().replace('missing = "no"\n', ""))
    notes = desk.ok("plan", "study.toml", "--epsilon", "1", "--json").json["notes"]
    assert any("smoker" in note and "'no'" in note for note in notes)


def test_tables_are_aligned_in_any_script(desk: Desk) -> None:
    columns = '[columns."喫煙"]\ncategories = ["いいえ", "はい", "café"]\nmissing = "はい"\n'
    model = '[model]\nkind = "family"\nfamily = "categorical"\ncolumn = "喫煙"\n'
    desk.write("study.toml", study_text(columns=columns, model=model))
    lines = desk.ok("plan", "study.toml", "--epsilon", "1").out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("block"))
    wide = sum(1 for c in lines[at + 1] if ord(c) > 0x2E80)
    assert lines[at].index("noise ") == lines[at + 1].index("discrete-laplace") + wide


@pytest.mark.parametrize("different", ["first", "middle", "last"])
def test_long_labels_stay_different(desk: Desk, different: str) -> None:
    """A label too long for its column is cut in the middle, and two labels are never cut to the same text."""
    words = {
        part: f"{part} part of the answer to a rather long question, ß喫é"
        for part in ("first", "middle", "last")
    }
    levels = [
        ", ".join(words[part] + (f" {i}" if part == different else "") for part in words) for i in range(3)
    ]
    quoted = [json.dumps(level, ensure_ascii=False) for level in levels]
    columns = f"[columns.answer]\ncategories = [{', '.join(quoted)}]\nmissing = {quoted[0]}\n"
    model = '[model]\nkind = "family"\nfamily = "categorical"\ncolumn = "answer"\n'
    desk.write("study.toml", study_text(columns=columns, model=model))
    lines = desk.ok(
        "plan", "study.toml", "--epsilon", "1", "--n", "50", "--simulations", "1"
    ).out.splitlines()
    rows = [line for line in lines if line.startswith("P(answer")]
    assert len(rows) == 3
    labels = {re.split(r"  +", row)[0] for row in rows}
    assert len(labels) == 3
    assert all(label.count("…") == 1 and label.endswith(")") for label in labels)


def test_quiet_and_redirected_output_hold_no_bar(desk: Desk) -> None:
    desk.write_study()
    for more in ((), ("--quiet",)):
        result = desk.ok("audit", "study.toml", "--epsilon", "1", "--runs", "200", *more)
        assert "\r" not in result.err
        assert "[#" not in result.err


def test_a_new_ledger_is_told_with_its_key(desk: Desk) -> None:
    desk.write_study()
    result = desk.ok("ledger", "init", "study.toml", "--budget", "2", "-o", "survey.ledger")
    assert "Wrote survey.ledger and survey.ledger.key" in result.err
    assert desk.path("survey.ledger.key").exists()


def test_results_go_to_stdout_alone(ready: Desk) -> None:
    result = ready.release("--quiet")
    assert result.code == 0
    assert result.err == ""
    assert "left 1 of 2" in result.out
    assert json.loads(ready.path("out.json").read_text())["format"] == "postern-release"


def test_a_reader_who_leaves_is_no_fault(ready: Desk) -> None:
    shell = f"'{PROGRAM}' ledger export survey.ledger | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    assert subprocess.run(["bash", "-c", shell], cwd=ready.folder, check=False).returncode == 0


def test_a_full_disk_under_stdout_is_a_fault(ready: Desk) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [str(PROGRAM), "ledger", "balance", "survey.ledger"],
            cwd=ready.folder,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 73
    assert b"output-unwritable" in done.stderr


def test_an_interrupt_stops_the_work(desk: Desk) -> None:
    desk.write_study()
    call = [str(PROGRAM), "audit", "study.toml", "--epsilon", "1", "--runs", "1000000"]
    with subprocess.Popen(call, cwd=desk.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 75
    assert out == b""
    assert b"error [interrupted]" in err


def test_an_interrupt_stops_work_that_does_not_listen(ready: Desk) -> None:
    """A release that waits for records on standard input: charged, nothing published, gone in seconds."""
    call = [str(PROGRAM), "release", "study.toml", "-", "--epsilon", "1", "--ledger", "survey.ledger"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*call, "-o", "out.json"], cwd=ready.folder, stdin=pipe, stdout=pipe, stderr=pipe
    ) as running:
        assert running.stdin is not None
        running.stdin.write(b"smoker,age,cancer\nyes,20,no\n")
        running.stdin.flush()
        time.sleep(1)
        running.send_signal(signal.SIGTERM)
        assert running.wait(timeout=60) == 75
        assert running.stderr is not None
        told = running.stderr.read()
        assert b"error [interrupted]" in told
        assert b"a charge that was already made stands" in told
    assert not ready.path("out.json").exists()
    ready.ok("ledger", "verify", "survey.ledger")


def test_what_charges_nothing_does_not_speak_of_charges(ready: Desk) -> None:
    pipe = subprocess.PIPE
    call = [str(PROGRAM), "check", "study.toml", "-", "--to-file", "look.txt"]
    with subprocess.Popen(call, cwd=ready.folder, stdin=pipe, stdout=pipe, stderr=pipe) as running:
        assert running.stdin is not None
        running.stdin.write(b"smoker,age,cancer\nyes,20,no\n")
        running.stdin.flush()
        time.sleep(1)
        running.send_signal(signal.SIGTERM)
        assert running.wait(timeout=60) == 75
        assert running.stderr is not None
        told = running.stderr.read()
    assert b"error [interrupted]" in told
    assert b"charge" not in told
