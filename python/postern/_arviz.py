"""Draws as ArviZ takes them: variables, the names of their dimensions, and the labels along them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Table = Sequence[tuple[str, Sequence[str]]]
"""The columns of a table, each with the labels of its levels."""


def variables_of(
    names: Sequence[str], labels: Sequence[str], draws: npt.NDArray[np.float64], table: Table
) -> tuple[dict[str, Any], dict[str, list[str]], dict[str, list[str]]]:
    """Quantities with their names before the point as variables; ``draws`` is (chains, draws, quantities).

    The cells of a table have one dimension a column; others, such as the answers to queries, one of labels.
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name.split(".")[0], []).append(place)
    variables: dict[str, Any] = {}
    dims: dict[str, list[str]] = {}
    coords: dict[str, list[str]] = {}
    for stem, columns in places.items():
        if names[columns[0]] == stem:
            variables[stem] = draws[:, :, columns[0]]
        elif stem == "p" and table:
            sizes = [len(levels) for _, levels in table]
            variables[stem] = draws[:, :, columns].reshape(*draws.shape[:2], *sizes)
            dims[stem] = [_free(column, {"chain", "draw", *places}) for column, _ in table]
            coords |= {dim: list(levels) for dim, (_, levels) in zip(dims[stem], table, strict=True)}
        else:
            variables[stem] = draws[:, :, columns]
            dims[stem] = [f"{stem}_label"]
            coords[f"{stem}_label"] = [labels[column] for column in columns]
    return variables, dims, coords


def _free(column: str, taken: set[str]) -> str:
    """A column's name, unless a variable or a dimension of ArviZ is called that."""
    return f"{column}_level" if column in taken else column
