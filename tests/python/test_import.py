"""What is loaded, and what is not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import postern as pn
import pytest

from tests.python.desk import ROOT

HEAVY = ("numpy", "pandas", "polars", "pyarrow", "duckdb", "arviz")


def loaded_after(code: str, cwd: Path | None = None) -> set[str]:
    """The modules in a fresh interpreter after running this."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules, sep='\\n')"],
        check=True,
        capture_output=True,
        text=True,
        cwd=cwd,
    )
    return set(done.stdout.split("\n"))


def test_importing_the_package_loads_neither_side() -> None:
    loaded = loaded_after("import postern")
    assert not loaded & {"postern._owner", "postern._analyst", *HEAVY}


def test_the_owner_does_not_load_the_analyst(desk: Path) -> None:
    loaded = loaded_after(
        "from postern.owner import Ledger, Study, release, verify\n"
        "study = Study.load('study.toml')\n"
        "done = release('survey.csv', study, epsilon='1', ledger=Ledger.open('survey.ledger'))\n"
        "verify(done, 'survey.ledger'), repr(done)",
        desk,
    )
    assert "postern._owner" in loaded
    assert not loaded & {"postern._analyst", "postern.analyst", *HEAVY}


def test_release_at_the_top_asks_the_analyst(desk: Path) -> None:
    """Whoever takes it from there has both sides, and is told of a release that infer would refuse."""
    call = "release('survey.csv', 'study.toml', epsilon='1', ledger='survey.ledger')"
    assert "postern._analyst" in loaded_after(f"import postern\npostern.{call}", desk)


def test_the_analyst_does_not_load_the_owner(desk: Path) -> None:
    loaded = loaded_after(
        "from postern.analyst import Study, calibrate, infer, plan, verify\n"
        "post = infer('survey.release.json', draws=10)\n"
        "repr(post), post.save('folder'), verify('survey.release.json')\n"
        "plan('study.toml', epsilon='1', n=10, simulations=1)\n"
        "calibrate('study.toml', epsilon='1', n=10, studies=20)",
        desk,
    )
    assert "postern._analyst" in loaded
    assert not loaded & {"postern._owner", "postern.owner", "postern._ledger", *set(HEAVY) - {"numpy"}}


def test_works_where_only_numpy_is_installed(desk: Path) -> None:
    others = set(HEAVY) - {"numpy"}
    missing = f"import sys\nfor name in {others!r}: sys.modules[name] = None\n"
    loaded_after(
        missing + "import postern as pn\n"
        "done = pn.release('survey.csv', 'study.toml', epsilon='1', ledger='survey.ledger')\n"
        "print(pn.infer(done, draws=10, public={'smoker': ['yes'], 'cancer': ['no']}))",
        desk,
    )


def test_both_sides_live_in_one_process() -> None:
    """The same C++ types are bound twice, and neither extension knows the other's."""
    from postern import _analyst, _owner

    text = (ROOT / "examples" / "smoking" / "study.toml").read_text()
    with pytest.raises(TypeError):
        _analyst.Study.parse(text, "s").plan("1", None, None, []).document(_owner.Study.parse(text, "s"))  # type: ignore[arg-type]


def test_every_name_resolves_and_no_other() -> None:
    for name in pn.__all__:
        assert getattr(pn, name) is not None
        assert name in dir(pn)
    assert sorted(dir(pn)) == sorted(set(dir(pn)))
    assert not {"importlib", "TYPE_CHECKING", "annotations"} & set(dir(pn))
    assert pn.owner.release is pn.release
    assert pn.analyst.infer is pn.infer
    with pytest.raises(AttributeError, match="no attribute 'relase'"):
        _ = pn.relase


def test_one_version() -> None:
    from postern import _analyst, _owner

    stated = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert stated is not None
    assert pn.__version__ == _owner.version == _analyst.version == stated.group(1)
