"""tools/check_layers.py refuses each fault of the bad tree, and lists of allowed faults only shrink."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "tools" / "check_layers.py"
BAD_TREE = ROOT / "tests" / "boundary" / "bad_tree"


def told_of(tree: Path, *options: str) -> list[str]:
    command = [sys.executable, str(CHECK), *options, str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode in {0, 1}
    lines = done.stdout.splitlines()
    assert done.returncode == (0 if lines[-1].startswith("layers:") else 1)
    return lines


@pytest.fixture(scope="module")
def told() -> list[str]:
    return told_of(BAD_TREE)


@pytest.mark.parametrize(
    "fault",
    [
        # The rooms, by the files that includes mean.
        "infer/src/leak.cpp:2: infer may not include postern/owner/gate.hpp",
        "infer/src/numeric/private_header.cpp:2: infer may not include lib/owner/src/ledger/database.hpp",
        "infer/src/numeric/private_header.cpp:4: an include spells its file",
        "infer/src/numeric/private_header.cpp:6: the tree has no file ledger/gone.hpp",
        "owner/src/leak.cpp:2: postern/owner/noise_source.hpp may be included only by",
        # The look at the records.
        "reaches lib/owner/src/ledger/database.hpp: lib/owner/src/check/reaches_ledger.cpp",
        "reaches lib/owner/src/gate/gate_file.hpp: lib/owner/src/check/reaches_ledger.cpp",
        "reaches lib/owner/src/middle.hpp: lib/owner/src/check/look.cpp",
        "owner/src/other.cpp:1: postern/owner/check.hpp may be included only by",
        # Kinds.
        "model/src/kinds/table/table.cpp:4: the kind table may not include postern/model/kinds/number.hpp",
        "infer/src/query/asks_kind.cpp:2: 'kind().name() =='",
        "infer/src/query/asks_kind.cpp:3: '\"table\" =='",
        "infer/src/query/asks_kind.cpp:4: 'kind_of(model::Number{'",
        "infer/src/query/asks_kind.cpp:5: '.as<postern::model::Categorical>('",
        "infer/src/query/asks_kind.cpp:6: 'typeid(model.kind'",
        "model/src/kinds/number/number.cpp:3: '.as<Categorical>('",
        # The order of folders of lib/infer.
        "infer/src/counts/tree.hpp:3: counts is below kinds",
        "lib/infer: counts: is in a cycle of includes with kinds/table",
        "infer/src/leak.cpp: has no place in the order of folders",
        # Words.
        "core/src/loud.cpp:2: 'fputs'",
        "core/src/loud.cpp:3: '::write('",
        "core/src/loud.cpp:4: 'write(2,'",
        "core/src/loud.cpp:5: '__builtin_printf'",
        "core/src/loud.cpp:6: 'puts'",
        "core/src/loud.cpp:7: 'cout'",
        "core/src/loud.cpp:8: 'stderr'",
        "core/src/ends.cpp:2: 'terminate('",
        "core/src/ends.cpp:3: 'abort('",
        "core/src/ends.cpp:4: '__builtin_trap'",
        "core/src/ends.cpp:5: 'raise(SIG'",
    ],
)
def test_a_fault_is_refused(told: list[str], fault: str) -> None:
    assert [line for line in told if fault in line]


def test_what_is_right_passes(told: list[str]) -> None:
    """Words in comments and literals, and a member of a forbidden name."""
    assert [line for line in told if "quiet.cpp" in line] == []


@pytest.fixture
def listed(tmp_path: Path) -> tuple[Path, Path]:
    """A tree with one fault, and its list."""
    (tmp_path / "lib/core/src").mkdir(parents=True)
    (tmp_path / "lib/infer/src").mkdir(parents=True)
    shutil.copy(BAD_TREE / "lib/core/src/quiet.cpp", tmp_path / "lib/core/src")
    (tmp_path / "lib/core/src/loud.cpp").write_text('void loud() { std::cout << "n"; }\n')
    (tmp_path / "tools/allowed").mkdir(parents=True)
    return tmp_path, tmp_path / "tools/allowed/layers.txt"


def test_a_listed_fault_is_allowed_and_a_second_one_is_not(listed: tuple[Path, Path]) -> None:
    tree, allowed = listed
    assert "loud.cpp:1" in told_of(tree)[0]
    allowed.write_text("# why\n1 word: lib/core/src/loud.cpp: cout\n")
    assert told_of(tree)[-1].startswith("layers:")
    (tree / "lib/core/src/loud.cpp").write_text("void loud() { std::cout << 1; std::cout << 2; }\n")
    assert len(told_of(tree)) == 2


def test_a_stale_entry_is_a_fault_that_prune_mends(listed: tuple[Path, Path]) -> None:
    tree, allowed = listed
    allowed.write_text("# why\n3 word: lib/core/src/loud.cpp: cout\n1 word: lib/core/src/gone.cpp: cout\n")
    told = told_of(tree)
    assert len(told) == 2
    assert all("take the entry out or lower it" in line for line in told)
    assert told_of(tree, "--prune")[-1].startswith("layers:")
    assert allowed.read_text() == "# why\n1 word: lib/core/src/loud.cpp: cout\n"


def test_prune_adds_nothing(listed: tuple[Path, Path]) -> None:
    tree, allowed = listed
    allowed.write_text("# none\n")
    assert "loud.cpp:1" in told_of(tree, "--prune")[0]
    assert allowed.read_text() == "# none\n"
