"""Docstrings and pages that run; stubs that tell the truth; names that are all described."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas
import postern as pn
import pytest

from tests.python.desk import ROOT

PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def public_things() -> list[tuple[str, Any]]:
    """Every public function and class, and the public methods of those classes."""
    things: dict[str, Any] = {}
    for module in (pn, pn.owner, pn.analyst):
        for name in module.__all__:
            things[name] = getattr(module, name)
    for name, thing in list(things.items()):
        if inspect.isclass(thing):
            things |= {f"{name}.{k}": getattr(thing, k) for k in vars(thing) if not k.startswith("_")}
    return sorted(things.items())


def with_examples() -> list[tuple[str, Any]]:
    return [(name, thing) for name, thing in public_things() if "." not in name and ">>>" in all_text(thing)]


def all_text(thing: Any) -> str:
    members = vars(thing).values() if inspect.isclass(thing) else []
    return "".join(str(inspect.getdoc(one)) for one in (thing, *members))


def posterior_of_another_dataset() -> pn.Posterior:
    facts = pn.Study.load("study.toml").to_dict()
    study = pn.Study.from_dict(facts | {"dataset": "another"})
    ledger = pn.Ledger.create("another.ledger", study, budget="1")
    return pn.infer(pn.release("survey.csv", study, epsilon="1", ledger=ledger))


@pytest.mark.parametrize(("name", "thing"), with_examples())
def test_docstrings_run(desk: Path, name: str, thing: Any) -> None:
    given: dict[str, Any] = vars(pn.analyst) | vars(pn.owner)
    given |= {"pn": pn, "frame": pandas.read_csv("survey.csv"), "post": pn.infer("survey.release.json")}
    if "other" in all_text(thing):
        given["other"] = posterior_of_another_dataset()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    for test in doctest.DocTestFinder().find(thing, name, module=False, globs=given):
        runner.run(test)
    assert runner.tries > 0
    assert runner.failures == 0


@pytest.mark.parametrize(("name", "thing"), public_things())
def test_every_public_name_is_described_and_typed(name: str, thing: Any) -> None:
    if isinstance(thing, property):
        assert thing.__doc__
        assert thing.fget is not None
        assert "return" in thing.fget.__annotations__
    elif inspect.isfunction(thing) or inspect.ismethod(thing):
        assert ">>>" in (thing.__doc__ or ""), f"{name} shows no example"
        signature = inspect.signature(thing)
        assert signature.return_annotation is not inspect.Signature.empty
        arguments = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
        assert all(argument.annotation is not inspect.Parameter.empty for argument in arguments)
    elif inspect.isclass(thing):
        assert thing.__doc__


@pytest.mark.parametrize("name", pn.__all__)
def test_top_level_names_show_an_example(name: str) -> None:
    assert ">>>" in (getattr(pn, name).__doc__ or "")


@pytest.mark.parametrize("side", ["_owner", "_analyst", "_rehearsal"])
def test_stubs_are_what_the_extensions_are(side: str, tmp_path: Path) -> None:
    """Renew with: python -m nanobind.stubgen -m postern._owner -o python/postern/_owner.pyi"""
    made = tmp_path / "made.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", f"postern.{side}", "-o", made], check=True
    )
    assert made.read_text() == (ROOT / "python" / "postern" / f"{side}.pyi").read_text()


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_pages_run(desk: Path, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("survey.ledger", "survey.ledger.key", "survey.release.json"):
        Path(name).unlink(missing_ok=True)
    blocks = PYTHON_BLOCK.findall((ROOT / page).read_text())
    assert blocks
    names = ModuleType("page").__dict__
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def test_typed() -> None:
    assert (Path(pn.__file__).parent / "py.typed").exists()
