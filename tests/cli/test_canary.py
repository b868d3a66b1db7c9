"""Nothing the owner's side writes, prints or leaves behind depends on a single record.

Unique strings and numbers are planted in the records, in every kind of bad record there is, and looked for in
all outputs in plain, hexadecimal and base64 form.
"""

from __future__ import annotations

import base64
import re
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.desk import CATEGORICAL, PERSON, PROGRAM, Desk, Result, record, study_text

STRINGS = ["canary-q7w3kz", "canary-zürich-9", "canary x1v8 y"]
NUMBERS = [918273645546, 706050403020]
PRIVATE_N = 48613


def planted() -> list[bytes]:
    """Records that hold canaries: undeclared values, numbers out of range, and lines that are no records."""
    rows = [
        f"{STRINGS[0]},20,no,x",
        f'"{STRINGS[0]}","{STRINGS[1]}","{STRINGS[2]}",x',
        f"yes,{NUMBERS[0]},no,x",
        f"yes,-{NUMBERS[1]},no,x",
        f"yes,{NUMBERS[0]}.5e3,no,x",
        f"no,30,no,{STRINGS[1]}",
        f"{STRINGS[2]}",
        f"yes,20,no,x,{STRINGS[0]},{NUMBERS[1]}",
        f'yes,"{STRINGS[1]},no,x',
        f'{STRINGS[0]}"yes",20,no,x',
        "",
        ",,,",
    ]
    raw = [
        b"yes,20,\x00" + STRINGS[0].encode() + b",x",
        b"\xff\xfe" + STRINGS[1].encode() + b",20,no,x",
        b"yes," + b"9" * 500 + str(NUMBERS[0]).encode() + b",no,x",
    ]
    return [row.encode() for row in rows] + raw


def records(count: int) -> bytes:
    lines = planted()
    lines += [record(i).encode() + b",x" for i in range(count - len(lines))]
    return b"smoker,age,cancer,comment\n" + b"\n".join(lines) + b"\n"


def forms(text: bytes) -> list[bytes]:
    """A secret as it stands, in hexadecimal, and the part of its base64 that is the same in any company."""
    found = [text, text.hex().encode(), text.hex().upper().encode()]
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + text + b"\0" * 3)
        first, last = (4 * shift + 2) // 3 + (1 if shift else 0), (4 * (shift + len(text))) // 3
        middle = coded[first : last - 1]
        found += [middle, middle.replace(b"+", b"-").replace(b"/", b"_")]
    return found


def secrets() -> list[bytes]:
    out = []
    for text in STRINGS:
        out += forms(text.encode())
    for number in NUMBERS:
        out += forms(str(number).encode())
        out += [
            f"{number:x}".encode(),
            f"{number:X}".encode(),
            f"{number:,}".encode(),
            number.to_bytes(8, "little"),
            number.to_bytes(8, "big"),
        ]
    return out


def traces(desk: Desk, results: list[Result], inputs: set[str]) -> dict[str, bytes]:
    """Everything that the runs wrote anywhere."""
    found = {f"output {i}": (r.out + r.err).encode() for i, r in enumerate(results)}
    for path in desk.folder.rglob("*"):
        if path.is_file() and path.name not in inputs:
            found[str(path)] = path.read_bytes()
            found[f"name of {path.name}"] = path.name.encode()
    return found


def assert_no_canary(found: dict[str, bytes]) -> None:
    for where, text in found.items():
        for secret in secrets():
            assert secret not in text, f"{secret!r} in {where}"


def assert_no_private_n(found: dict[str, bytes]) -> None:
    pattern = re.compile(rb"(?<![0-9a-fA-F.])(48613|48,613)(?![0-9a-fA-F])")
    for where, text in found.items():
        assert not pattern.search(text), f"n in {where}"


def with_scratch(desk: Desk) -> dict[str, str]:
    scratch = desk.path("scratch")
    scratch.mkdir(exist_ok=True)
    return {"TMPDIR": str(scratch)}


def test_the_search_finds_what_it_looks_for() -> None:
    secret = STRINGS[1].encode()
    for before in (b"", b"a", b"ab", b"abc"):
        text = base64.b64encode(before + secret + b"after")
        assert any(form in text for form in forms(secret)), before
    assert forms(secret)[1] in (b"xx" + secret).hex().encode()


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize("model", ["bernoulli", "categorical"])
def test_release_tells_nothing(desk: Desk, adjacency: str, model: str) -> None:
    text = study_text(adjacency=adjacency, at_most=100000)
    if model == "categorical":
        text = study_text(model=CATEGORICAL, adjacency=adjacency, at_most=100000)
    desk.write("study.toml", text)
    desk.write("survey.csv", records(PRIVATE_N))
    env = with_scratch(desk)
    results = [desk.run("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger", env=env)]
    amount = ("--epsilon", "1", "--ledger", "survey.ledger")
    for i, more in enumerate([(), ("--json",), ("--quiet",), ("--threads", "1")]):
        results.append(
            desk.run("release", "study.toml", "survey.csv", *amount, "-o", f"out{i}.json", *more, env=env)
        )
    results.append(
        desk.run(
            "release",
            "study.toml",
            "-",
            *amount,
            "-o",
            "stdin.json",
            stdin=desk.path("survey.csv").read_bytes(),
            env=env,
        )
    )
    assert all(r.code == 0 for r in results), results
    results.append(desk.run("ledger", "export", "survey.ledger", env=env))
    results.append(desk.run("ledger", "balance", "survey.ledger", "--charges", env=env))
    found = traces(desk, results, {"survey.csv", "study.toml"})
    assert_no_canary(found)
    assert list(desk.path("scratch").iterdir()) == []
    if adjacency == "add-remove":
        assert_no_private_n(found)
    else:
        assert "48,613 (public)" in results[1].out


def records_of_people() -> bytes:
    """Canaries as ids, with too many records each, of which three count; PRIVATE_N count in all."""
    ids = [*STRINGS, *map(str, NUMBERS)]
    lines = [f"{name},{record(i)}" for name in ids for i in range(9)]
    lines += [f'" {STRINGS[0]}\t",yes,20,no', f'"{STRINGS[1]}""",yes', f"{STRINGS[2]}", ",yes,20,no"]
    lines += [f"p{i},{record(i)}" for i in range(PRIVATE_N - 3 * len(ids))]
    return ("person_id,smoker,age,cancer\n" + "\n".join(lines) + "\n").encode()


def test_ids_tell_nothing(desk: Desk) -> None:
    desk.write("study.toml", study_text(adjacency="add-remove", at_most=100000, unit=PERSON))
    desk.write("survey.csv", records_of_people())
    env = with_scratch(desk)
    results = [desk.run("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger", env=env)]
    base = ("release", "study.toml", "survey.csv", "--epsilon", "1", "--ledger", "survey.ledger", "-o")
    for i, more in enumerate([(), ("--json",), ("--threads", "1")]):
        results.append(desk.run(*base, f"out{i}.json", *more, env=env))
    results.append(desk.run("verify", "out0.json", "--ledger", "survey.ledger", env=env))
    assert all(r.code == 0 for r in results), results
    desk.write("study.toml", desk.path("study.toml").read_text().replace("person_id", "persona_id"))
    results.append(desk.run(*base, "other.json", env=env))
    assert results[-1].code != 0
    results.append(desk.run("ledger", "export", "survey.ledger", env=env))
    found = traces(desk, results, {"survey.csv", "study.toml"})
    assert_no_canary(found)
    assert_no_private_n(found)
    assert list(desk.path("scratch").iterdir()) == []


def test_refusals_tell_nothing(desk: Desk) -> None:
    desk.write("study.toml", study_text())
    desk.write("survey.csv", records(500))
    desk.write("out.json", "taken")
    env = with_scratch(desk)
    results = [desk.run("ledger", "init", "study.toml", "--budget", "1", "-o", "survey.ledger", env=env)]
    base = ("release", "study.toml", "survey.csv", "--ledger", "survey.ledger", "-o")
    for more in [
        ("out.json", "--epsilon", "1"),
        ("new.json", "--epsilon", "2"),
        ("new.json", "--rho", "1"),
        ("absent/new.json", "--epsilon", "1"),
        ("new.json", "--epsilon", "1", "--counts"),
        ("new.json", "--epsilon", "1", "--sign", "survey.csv"),
    ]:
        results.append(desk.run(*base, *more, env=env))
        assert results[-1].code != 0, more
    results.append(desk.run("plan", "survey.csv", "--epsilon", "1", env=env))
    results.append(desk.run("ledger", "balance", "survey.csv", env=env))
    assert results[-2].code != 0
    assert results[-1].code != 0
    found = traces(desk, results, {"survey.csv"})
    assert_no_canary(found)


def test_counts_tell_nothing(desk: Desk) -> None:
    desk.write("study.toml", study_text(adjacency="add-remove", at_most=100000))
    good = f"smoker,count\nyes,{PRIVATE_N // 2}\n{STRINGS[0]},{PRIVATE_N - PRIVATE_N // 2}\n"
    desk.write("counts.csv", good)
    faults = [f"no,{STRINGS[1]}\n", f'"{STRINGS[2]},3\n', f"no,{NUMBERS[0]}x\n", f"no,-{NUMBERS[0]}\n"]
    env = with_scratch(desk)
    results = [desk.run("ledger", "init", "study.toml", "--budget", "10", "-o", "survey.ledger", env=env)]
    base = ["release", "study.toml", "counts.csv", "--counts", "--epsilon", "1", "--ledger", "survey.ledger"]
    results.append(desk.run(*base, "-o", "out.json", env=env))
    assert all(r.code == 0 for r in results), results
    spent = desk.balance()["spent"]
    for fault in faults:
        desk.write("counts.csv", good + fault)
        results.append(desk.run(*base, "-o", "other.json", env=env))
        assert results[-1].error == "input-unreadable"
        assert results[-1] == results[2]
    assert desk.balance()["spent"] == spent
    found = traces(desk, results, {"counts.csv"})
    assert_no_canary(found)
    assert_no_private_n(found)


def test_a_bad_record_changes_nothing_but_the_noise(desk: Desk) -> None:
    """The same number of lines, good or bad: the same exit code and the same words."""
    desk.write("study.toml", study_text())
    desk.write("bad.csv", records(300))
    desk.write(
        "good.csv",
        b"smoker,age,cancer,comment\n" + b"".join(record(i).encode() + b",x\n" for i in range(300)),
    )
    words = []
    for name in ("good", "bad"):
        desk.ok("ledger", "init", "study.toml", "--budget", "10", "-o", f"{name}.ledger", "--another-ledger")
        result = desk.ok(
            "release",
            "study.toml",
            f"{name}.csv",
            "--epsilon",
            "1",
            "--ledger",
            f"{name}.ledger",
            "-o",
            f"{name}.json",
        )
        words.append(re.sub(r"[0-9a-f]{32}|good|bad", "_", result.out) + result.err)
    assert words[0] == words[1]


def test_init_looks_at_the_header_alone(desk: Desk) -> None:
    desk.write("survey.csv", records(300))
    results = [desk.ok("init", "survey.csv", "-o", "study.toml")]
    assert_no_canary(traces(desk, results, {"survey.csv"}))


def test_the_process_leaves_no_core(ready: Desk) -> None:
    """Owner-side commands run without core dumps, and a ledger's files are private."""
    waiting = subprocess.Popen(
        [
            str(PROGRAM),
            "release",
            "study.toml",
            "-",
            "--epsilon",
            "1",
            "--ledger",
            "survey.ledger",
            "-o",
            "out.json",
        ],
        cwd=ready.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert waiting.stdin is not None
    try:
        status = Path(f"/proc/{waiting.pid}/status")
        deadline = time.monotonic() + 60
        while "Umask:\t0077" not in status.read_text() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert "Umask:\t0077" in status.read_text()
        limits = Path(f"/proc/{waiting.pid}/limits").read_text()
        assert re.search(r"Max core file size +0 +0 ", limits)
        waiting.communicate(input=b"smoker,age,cancer\nyes,20,no\n", timeout=60)
    finally:
        waiting.kill()
        waiting.wait()
    assert waiting.returncode == 0
    for name in ("survey.ledger", "survey.ledger.key"):
        assert ready.path(name).stat().st_mode & 0o077 == 0, name
