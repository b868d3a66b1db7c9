"""tools/run_examples.py compares what a page shows with what its commands print."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"

# Stands for the program: a release has noise without a seed, and infer prints what the release says.
PROGRAM = """#!/usr/bin/env bash
case $1 in
  release)
    echo x >> count
    echo "cost     epsilon 1; left 9 of 10"
    echo "chosen   quantile of age: $(wc -l < count)$RANDOM"
    printf '{"study": "%s", "noisy": %s%s}\\n' "$(cat study)" "$RANDOM" "$(wc -l < count)" > a.release.json ;;
  infer)
    echo "release  a.release.json (a9ced3cb18a030d760b7ba9fe403f50f), 2026-01-0$((1 + RANDOM % 9))"
    echo "took $RANDOM ms"
    echo "quantity       mean       sd"
    echo "rate       0.70591  0.006454"
    echo "noisy  $(tr -dc 0-9 < a.release.json)" ;;
  audit) echo "bound  0.$RANDOM" ;;
  verify) cmp a.release.json made.json && echo same || echo other ;;
esac
"""
SHOWN = """A page.

```console
$ echo study > study
$ postern release study -o a.release.json && cp a.release.json made.json
cost     epsilon 1; left 9 of 10
chosen   quantile of age: 21
$ postern infer a.release.json
release  a.release.json (0123456789abcdef0123456789abcdef), 2020-12-24
took 12 ms
quantity       mean       sd
rate         0.7059  0.006454
$ postern audit study
bound  0.5
```
"""


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.syspath_prepend(str(TOOLS))
    import run_examples

    monkeypatch.setattr(run_examples, "ROOT", tmp_path)
    monkeypatch.setattr(run_examples, "KEPT", tmp_path / "docs" / "examples")
    (tmp_path / "examples" / "smoking").mkdir(parents=True)
    (tmp_path / "postern").write_text(PROGRAM)
    (tmp_path / "postern").chmod(0o755)
    return run_examples


def run(tool: Any, text: str, compare: bool = True, write: bool = False) -> list[str]:
    path = tool.ROOT / "docs" / "page.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    page = tool.Page(path, compare, write)
    assert tool.run_page(page, tool.ROOT / "postern") > 0
    faults: list[str] = page.faults
    return faults


@pytest.fixture
def kept(tool: Any) -> Any:
    assert run(tool, SHOWN, write=True) == []
    assert (tool.ROOT / "docs/page.md").read_text() == SHOWN
    return tool


def test_numbers_of_a_seed_are_compared_to_the_digits_shown(kept: Any) -> None:
    assert run(kept, SHOWN) == []
    (fault,) = run(kept, SHOWN.replace("0.7059", "0.7060"))
    assert "the page shows 'rate         0.7060  0.006454'" in fault
    assert len(run(kept, SHOWN.replace("left 9 of", "left 8 of"))) == 1
    assert run(kept, SHOWN.replace("0.006454", "0.0065")) == []


def test_a_page_that_is_not_listed_may_show_any_number(tool: Any) -> None:
    assert run(tool, SHOWN.replace("0.7059", "0.1"), compare=False) == []
    assert len(run(tool, SHOWN.replace("rate  ", "mean  "), compare=False)) == 1


def test_any_number_stays_free_where_a_block_says_so(kept: Any) -> None:
    assert run(kept, SHOWN.replace("0.7059", "0.1").replace("```console", "```console varies")) == []


def test_the_analyst_reads_the_release_that_is_kept(kept: Any) -> None:
    noisy = "".join(sign for sign in (kept.KEPT / "page/a.release.json").read_text() if sign.isdigit())
    shown = SHOWN.replace("$ postern audit", f"noisy  {noisy}\n$ postern audit")
    assert run(kept, shown) == []
    assert len(run(kept, shown.replace(f"noisy  {noisy}", f"noisy  {noisy}1"))) == 1


def test_the_owner_reads_the_release_that_was_made(kept: Any) -> None:
    text = SHOWN + "\n```console\n$ postern verify a.release.json --ledger l\nsame\n```\n"
    assert run(kept, text) == []
    assert run(kept, text.replace(" --ledger l\nsame", "\nother")) == []


def test_a_kept_release_must_be_of_the_page_s_study(kept: Any) -> None:
    changed = SHOWN.replace("echo study", "echo another")
    (fault,) = run(kept, changed)
    assert "a.release.json is missing, or is not of this study" in fault
    assert run(kept, changed, write=True) == []
    assert run(kept, changed) == []


def test_a_release_that_is_not_kept_is_a_fault(tool: Any) -> None:
    (fault,) = run(tool, SHOWN)
    assert "is missing" in fault


def test_write_renews_numbers_and_nothing_else(kept: Any) -> None:
    wrong = SHOWN.replace("rate         0.7059  0.006454", "rate  ...  0.1").replace("left 9 of", "left 8 of")
    before = (kept.KEPT / "page/a.release.json").read_bytes()
    assert run(kept, wrong, write=True) == []
    text = (kept.ROOT / "docs/page.md").read_text()
    assert text == SHOWN.replace("rate         0.7059", "rate  ...")
    assert (kept.KEPT / "page/a.release.json").read_bytes() == before
    assert len(run(kept, SHOWN.replace("took", "lasted"), write=True)) == 1


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("0.7059", "0.7059", True),
        ("0.706", "0.7059", True),
        ("0.7060", "0.7059", False),
        ("0.7059", "0.706", False),
        ("5,000", "5,000", True),
        ("5,000", "5,001", False),
        ("1.2e-07", "1.24e-07", True),
        ("1.2e-07", "1.3e-07", False),
        ("-3.0", "3.0", False),
        ("21", "21.4", True),
        ("21", "21.6", False),
    ],
)
def test_digits(tool: Any, shown: str, printed: str, same: bool) -> None:
    import page_rows

    assert page_rows.agree(shown, printed) == same


def test_a_number_after_dots_is_the_last_of_its_line(tool: Any) -> None:
    import page_rows

    for row, same in [("p  0.5  ...  0.6", True), ("p  0.5  ...  0.4", False), ("18-29  ...  0.6", False)]:
        seen, _ = page_rows.find(row, "p  0.5  0.4  0.6\n18-29  0.6  0.7\n", 0, True)
        assert seen is not None and seen.agrees == same


def test_a_number_is_not_found_inside_another(tool: Any) -> None:
    import page_rows

    for row, output in [("n 5", "n 57"), ("n 5", "n 5.7"), ("n 5", "n 5,700"), ("n 57", "n 5")]:
        seen, _ = page_rows.find(row, output, 0, True)
        assert seen is None or not seen.agrees
    seen, _ = page_rows.find("a 2 b", "a 1 b\na 2 b\n", 0, True)
    assert seen is not None and seen.agrees and seen.end == 11
