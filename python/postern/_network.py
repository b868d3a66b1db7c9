"""Networks that are known: read from a file, asked by exact elimination."""

from __future__ import annotations

import os
from collections.abc import Mapping

from . import _analyst
from ._files import NETWORK_BYTES, PathLike, read_text
from .errors import Error


class Network:
    """A discrete Bayesian network with its probabilities.

    >>> network = read_bif("network.bif")
    >>> network
    Network 'unknown': 3 variables, 2 edges
    """

    def __init__(self, inner: _analyst.Network) -> None:
        """Use `read_bif`."""
        self._inner = inner

    @property
    def name(self) -> str:
        """What the file calls it."""
        return self._inner.name

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables, in the order of the file."""
        return tuple(self._inner.variables)

    @property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """The levels of each variable."""
        pairs = zip(self._inner.variables, self._inner.levels, strict=True)
        return {name: tuple(levels) for name, levels in pairs}

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Parents with their children."""
        return tuple(self._inner.edges)

    def posteriors(self, evidence: Mapping[str, str] | None = None) -> dict[str, dict[str, float]]:
        """P(level | evidence) of every variable and level, exact; without evidence, the marginals.

        The junction tree is forecast before anything is allocated: a network too dense for it is refused,
        and its largest cliques are named. Evidence of probability 0 is refused.

        >>> network = read_bif("network.bif")
        >>> found = network.posteriors({"cancer": "yes"})
        >>> round(found["smoker"]["yes"], 6)
        0.6
        """
        given = {} if evidence is None else evidence
        if not isinstance(given, Mapping):
            raise Error("bad-option", 'evidence is a mapping, such as posteriors({"HR": "LOW"})')
        pairs = list(given.items())
        if not all(isinstance(word, str) for pair in pairs for word in pair):
            raise Error("bad-option", 'evidence has names and levels as text, such as {"HR": "LOW"}')
        return self._inner.posteriors(pairs)

    def to_bif(self) -> str:
        """The text of a network file that reads as this network, to the last digit.

        >>> read_bif("network.bif").to_bif().splitlines()[0]
        'network unknown {'
        """
        return self._inner.to_bif()

    def __repr__(self) -> str:
        name = _analyst.printable(self.name)
        return f"Network '{name}': {len(self._inner.variables)} variables, {len(self.edges)} edges"


def read_bif(path: PathLike) -> Network:
    """Reads a Bayesian network in the interchange format (BIF).

    Faults are told with line and column. The file is public, as ``post.to_bif()`` and network repositories
    write it.

    >>> read_bif("network.bif").variables
    ('smoker', 'age', 'cancer')
    """
    if not isinstance(path, str | os.PathLike):
        raise Error("bad-option", 'read_bif takes the path of a network, such as "alarm.bif"')
    name = os.fspath(path)
    if "{" in name:
        raise Error("bad-option", "read_bif takes the path of a network, and this is its text: save it first")
    return Network(_analyst.parse_network(read_text(name, NETWORK_BYTES), name))


Network.__module__ = "postern.analyst"
read_bif.__module__ = "postern.analyst"
