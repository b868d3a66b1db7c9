"""A release is hostile input: each way of being false has its own name, in verify and in infer alike."""

from __future__ import annotations

import json

import pytest

from tests.cli.desk import Desk, canonical, make_key


@pytest.fixture
def published(ready: Desk) -> Desk:
    make_key(ready.folder)
    assert ready.release("--sign", "key.pem", output="signed.json", amount=("--epsilon", "0.5")).code == 0
    assert ready.release(output="plain.json", amount=("--epsilon", "0.5")).code == 0
    return ready


def refuses(desk: Desk, text: str | bytes, *names: str) -> None:
    desk.write("bad.json", text)
    before = desk.snapshot()
    for command in (("verify", "bad.json"), ("infer", "bad.json", "-o", "posterior")):
        result = desk.run(*command)
        assert result.code == 65, result
        assert result.error in names, result
        assert len(result.err) < 1000
    assert desk.snapshot() == before


def test_what_is_published_is_canonical(published: Desk) -> None:
    for name in ("plain.json", "signed.json"):
        text = published.path(name).read_text()
        assert canonical(json.loads(text)) == text
        assert published.ok("verify", name, "--json").json["passed"] is True


@pytest.mark.parametrize("keep", [0, 1, 100, -2])
def test_truncated(published: Desk, keep: int) -> None:
    refuses(published, published.path("plain.json").read_bytes()[:keep], "release-malformed")


def test_not_canonical(published: Desk) -> None:
    document = json.loads(published.path("plain.json").read_text())
    refuses(published, json.dumps(document, indent=1), "release-not-canonical")
    refuses(
        published,
        published.path("plain.json").read_text() + "\n",
        "release-not-canonical",
        "release-malformed",
    )
    refuses(published, published.path("plain.json").read_text().rstrip(), "release-not-canonical")


def test_newer_version(published: Desk) -> None:
    document = json.loads(published.path("plain.json").read_text())
    document["version"] = 2
    refuses(published, canonical(document), "release-version")


def test_parameter_past_all_limits(published: Desk) -> None:
    for value in ("1" + "0" * 60, "1/1" + "0" * 60):
        document = json.loads(published.path("plain.json").read_text())
        document["measurements"][0]["blocks"][0]["noise"]["lambda"] = value
        refuses(published, canonical(document), "release-limit", "release-malformed")


def test_value_past_all_limits(published: Desk) -> None:
    document = json.loads(published.path("plain.json").read_text())
    document["measurements"][0]["blocks"][0]["values"] = ["1" + "0" * 40]
    refuses(published, canonical(document), "release-limit", "release-malformed")


def test_edited_cost(published: Desk) -> None:
    document = json.loads(published.path("plain.json").read_text())
    document["privacy"]["cost"]["epsilon"] = "1/4"
    document["measurements"][0]["cost"]["epsilon"] = "1/4"
    refuses(published, canonical(document), "release-inconsistent")
    said = published.run("infer", "bad.json").err
    assert f"'bad.json' (release {document['release_id']}) does not hold what it claims: cost: " in said


def test_edited_noise(published: Desk) -> None:
    document = json.loads(published.path("plain.json").read_text())
    document["measurements"][0]["blocks"][0]["noise"]["lambda"] = "1/4"
    refuses(published, canonical(document), "release-inconsistent")


def test_edited_adjacency(published: Desk) -> None:
    document = json.loads(published.path("plain.json").read_text())
    document["study"]["privacy"]["currency"] = "zcdp"
    refuses(published, canonical(document), "release-inconsistent", "release-malformed")


def test_edited_value_breaks_the_signature(published: Desk) -> None:
    document = json.loads(published.path("signed.json").read_text())
    values = document["measurements"][0]["blocks"][0]["values"]
    values[0] = int(values[0]) + 1
    refuses(published, canonical(document), "signature-invalid", "release-inconsistent")


@pytest.mark.parametrize(
    "text",
    [
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b'{"a":1.5}',
        b"[" * 100000,
        b'{"a":1,"a":2}',
        b'"' + b"x" * 2_000_000 + b'"',
        b"\x00" * 64,
    ],
)
def test_things_that_are_no_release(published: Desk, text: bytes) -> None:
    refuses(published, text, "release-malformed", "release-limit", "release-not-canonical", "release-version")


def test_missing_and_unreadable(published: Desk) -> None:
    published.refused(published.run("verify", "absent.json"), "input-missing", 66)
    published.refused(published.run("verify", "."), "input-unreadable", 66)
    published.refused(published.run("infer", "absent.json"), "input-missing", 66)


def test_control_characters_of_a_stranger_are_shown_not_sent(published: Desk) -> None:
    document = json.loads(published.path("plain.json").read_text())
    document["software"]["name"] = "\u001b[2Jpostern"
    published.write("bad.json", canonical(document))
    for command in (("verify", "bad.json"), ("infer", "bad.json")):
        result = published.run(*command)
        assert "\x1b" not in result.out + result.err


def test_verify_with_a_ledger(published: Desk) -> None:
    check = published.ok("verify", "plain.json", "--ledger", "survey.ledger", "--json").json["checks"][-1]
    assert (check["name"], check["passed"]) == ("ledger", True)
    published.ok("ledger", "init", "study.toml", "--budget", "2", "-o", "other.ledger", "--another-ledger")
    result = published.run("verify", "plain.json", "--ledger", "other.ledger", "--json")
    assert result.code == 65
    assert result.json["passed"] is False
    assert result.json["error"]["name"] == "release-inconsistent"
    text = published.run("verify", "plain.json", "--ledger", "other.ledger")
    assert (text.code, text.error) == (65, "release-inconsistent")
    assert "FAILED" in text.out
