"""Keys in the wrong place, and documents that the wanted key did not sign."""

from __future__ import annotations

import subprocess

import pytest

from tests.cli.desk import Desk, make_key


@pytest.fixture
def keys(ready: Desk) -> Desk:
    """A private key key.pem, its public key owner.pub, and that of another, other.pub."""
    for name in ("other.pub", "owner.pub"):
        make_key(ready.folder)
        call = ["openssl", "pkey", "-in", "key.pem", "-pubout", "-out", name]
        subprocess.run(call, cwd=ready.folder, check=True)
    ready.path("key.pem").chmod(0o600)
    return ready


def test_a_public_key_does_not_sign(keys: Desk) -> None:
    result = keys.release("--sign", "owner.pub")
    keys.refused(result, "signature-invalid", 65)
    assert "'owner.pub' is a public key" in result.err
    assert "chmod" not in result.err
    keys.path("key.pem").chmod(0o644)
    assert "chmod 600" in keys.release("--sign", "key.pem").err
    assert keys.balance()["spent"] == {"epsilon": "0"}


@pytest.mark.parametrize("sign", [(), ("--sign", "key.pem")])
def test_the_wanted_key_did_not_sign(keys: Desk, sign: tuple[str, ...]) -> None:
    assert keys.release(*sign).code == 0
    result = keys.run("verify", "out.json", "--key", "other.pub")
    assert (result.error, result.code) == ("release-inconsistent", 65)
    assert "is not signed with the key that --key names" in result.err
    assert "does not hold" not in result.err
    told = keys.run("verify", "out.json", "--key", "other.pub", "--json").json
    assert "is not signed with the key" in told["error"]["message"]


def test_a_changed_document_does_not_hold_what_it_claims(keys: Desk) -> None:
    assert keys.release("--sign", "key.pem").code == 0
    text = keys.path("out.json").read_text()
    keys.write("out.json", text.replace("survey-2026", "survey-2027"))
    result = keys.run("verify", "out.json", "--key", "owner.pub")
    assert "does not hold what it claims; do not use it" in result.err
