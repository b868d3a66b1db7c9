"""tools/check_citations.py sees what it looks for, and nothing else. The forbidden words are put together
here, so that this file does not hold them."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

CHECK = runpy.run_path(str(Path(__file__).resolve().parents[2] / "tools" / "check_citations.py"))
NAMES = {"docs/decisions/clamp.md", "lib/owner/src/ledger/ledger.md", "lib/owner/src/gate/gate.cpp"}
FILES = CHECK["ends_of"](NAMES)
WORKS = {("Talts", "2018")}


def faults(name: str, text: str) -> list[str]:
    found: list[str] = CHECK["faults_of"](name, text, WORKS, FILES)
    return found


@pytest.mark.parametrize(
    "words",
    [
        "(DES" + "IGN 7.6)",
        "as amend" + "ment E1 says",
        "(privacy" + "-core 2.4)",
        "(noise" + "-aware A" + "4)",
        "halves (A" + "16).",
        "B" + "3: in proportion",
        "(sp" + "ec 2)",
    ],
)
def test_documents_from_outside_are_refused(words: str) -> None:
    for name, mark in {"lib/model/src/plan.cpp": "/// ", "docs/concepts.md": "", "Makefile": "# "}.items():
        assert any("give the reason" in fault for fault in faults(name, f"{mark}{words}\n")), name


@pytest.mark.parametrize(
    "text",
    [
        "const auto blob = Blob(" + "spec.begin(), spec.end());  // of the plan\n",
        "/// RFC 4493, 2^-64, sigma2 (a rational), Beta(1, 20), U+00A0, 0xA12)\n",
        'names = {"A7", f(A' + "1)};  // two ids\n",
    ],
)
def test_code_and_numbers_are_not_citations(text: str) -> None:
    assert faults("lib/owner/src/ledger/ledger.cpp", text) == []


def test_a_named_page_must_exist() -> None:
    assert faults("lib/owner/src/ledger/ledger.cpp", "// Why: ledger.md, docs/decisions/clamp.md.\n") == []
    assert faults("lib/owner/src/ledger/ledger.cpp", "// Why: docs/decisions/clump.md.\n") == [
        "lib/owner/src/ledger/ledger.cpp: docs/decisions/clump.md is not in the repository"
    ]
    assert faults("lib/owner/src/ledger/ledger.md", "Proven in `gone.md`.\n") != []


@pytest.mark.parametrize(
    ("name", "mark"),
    [("lib/owner/src/ledger/ledger.cpp", "// "), ("lib/owner/src/ledger/ledger.md", ""), ("docs/a.md", "")],
)
def test_a_named_source_must_exist(name: str, mark: str) -> None:
    assert faults(name, f"{mark}See `gate.cpp`, gate/gate.cpp, `families/<name>.cpp` and *.hpp.\n") == []
    lost = ["charge_gate.cpp", "src/gate.cpp"]
    gone = faults(name, f"{mark}See `charge_gate.cpp` and src/gate.cpp.\n")
    assert gone == [f"{name}: {one} is not in the repository" for one in lost]
    assert faults("CHANGELOG.md", "`old.hpp` is `new.hpp`.\n") == []


def test_a_work_must_be_in_the_bibliography() -> None:
    assert faults("docs/concepts.md", "Ranks (Talts et al. 2018).\n") == []
    someone = "No" + "body 2018"
    assert faults("docs/concepts.md", f"Ranks ({someone}).\n") == [
        f"docs/concepts.md: {someone} is not in docs/refs.bib"
    ]
