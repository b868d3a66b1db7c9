"""Differentially private Bayesian inference with honest uncertainty.

As the owner of sensitive records::

    study   = pn.Study.load("study.toml")
    ledger  = pn.Ledger.create("survey.ledger", study, budget="10")
    release = pn.release(frame, study, epsilon="1", ledger=ledger)

As the analyst, who has the release and nothing else::

    post = pn.infer(release, seed=1)
    post.summary()

``postern.owner`` and ``postern.analyst`` are the two sides; neither imports the other, and the names here are
looked up when they are first used. ``audit`` alone has both, on made-up records.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from .errors import Error

if TYPE_CHECKING:
    from ._audit import Audit, AuditPair, audit
    from ._release import Release, verify
    from ._study import Study
    from .analyst import Network, Posterior, calibrate, difference, infer, plan, read_bif
    from .owner import Ledger, RecordsCheck, check, init, release

__all__ = [
    "Audit",
    "AuditPair",
    "Error",
    "Ledger",
    "Network",
    "Posterior",
    "RecordsCheck",
    "Release",
    "Study",
    "audit",
    "calibrate",
    "check",
    "difference",
    "infer",
    "init",
    "plan",
    "read_bif",
    "release",
    "verify",
]
__version__ = "0.1.0"

_HOMES = {
    "Ledger": "owner",
    "RecordsCheck": "owner",
    "check": "owner",
    "init": "owner",
    "release": "owner",
    "Network": "analyst",
    "Posterior": "analyst",
    "calibrate": "analyst",
    "difference": "analyst",
    "infer": "analyst",
    "plan": "analyst",
    "read_bif": "analyst",
    "Audit": "_audit",
    "AuditPair": "_audit",
    "audit": "_audit",
    "Release": "_release",
    "verify": "_release",
    "Study": "_study",
}


def __getattr__(name: str) -> object:
    if name in ("analyst", "owner"):
        return importlib.import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module 'postern' has no attribute {name!r}")
    home = importlib.import_module(f".{_HOMES[name]}", __name__)
    if name == "release":
        home._may_ask_analyst = True  # type: ignore[attr-defined]
    value: object = getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__", "analyst", "errors", "owner"})
