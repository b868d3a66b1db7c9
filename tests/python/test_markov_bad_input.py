"""Markov networks that are odd or cannot be: a right answer or a clear refusal, from Python."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas
import postern as pn
import pytest

from tests.python.desk import code_of

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

STUDY = """
version = 1
name = "odd"
dataset = "census"
[privacy]
adjacency = "{adjacency}"
{n}
[columns.a]
categories = ["x", "y"]
missing = "x"
[columns.b]
categories = ["p", "q", "r"]
missing = "p"
[columns.c]
categories = ["u", "v"]
missing = "u"
[columns.one]
categories = ["only"]
missing = "only"
[columns.wide]
integer = [0, 9999]
cuts = [{cuts}]
missing = "0"
[columns.wider]
integer = [0, 9999]
cuts = [{cuts}]
missing = "0"
[model]
kind = "markov-net"
"""
LOOP = 'cliques = [["a", "b"], ["b", "c"], ["a", "c"]]'
TREE = 'cliques = [["a", "b"], ["b", "c"]]'
WITHIN = 'cliques = [["a", "b", "c"], ["a"], ["b", "a"]]'
ONE_LEVEL = 'cliques = [["a", "one"], ["one", "b"], ["a", "b"]]'


def study(model: str, adjacency: str = "replace-one") -> pn.Study:
    n = "n = { at_most = 1000 }" if adjacency == "add-remove" else ""
    cuts = ", ".join(str(at) for at in range(1, 2100))
    return pn.Study.parse(STUDY.format(adjacency=adjacency, n=n, cuts=cuts) + model)


def release_of(folder: Path, declared: pn.Study, records: int) -> pn.Release:
    frame = pandas.DataFrame(
        {
            "a": ["x", "y"] * records,
            "b": ["p", "r"] * records,
            "c": ["u", "v"] * records,
            "one": ["only"] * 2 * records,
            "wide": ["0"] * 2 * records,
            "wider": ["0"] * 2 * records,
        },
        dtype=str,
    )
    ledger = pn.Ledger.create(folder / "odd.ledger", declared, budget="10")
    return pn.release(frame, declared, epsilon="3", ledger=ledger)


def expect_probabilities(post: pn.Posterior) -> None:
    for row in post.summary():
        assert row.name == "n" or -1e-12 <= row.mean <= 1 + 1e-12, row
    network = json.loads(post.to_json())
    for clique in network["cliques"]:
        assert math.isclose(sum(clique["probabilities"]), 1, abs_tol=1e-9)
    assert len(post.synthesize(5, seed=1)) == 5


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("cliques = []", "between 1 and"),
        ("cliques = [[]]", "1 to 16 columns"),
        ('cliques = [["a", "b"], ["a", "b"]]', "a, b is there twice"),
        ('cliques = [["a", "b"], ["b", "a"]]', "a, b is there twice"),
        ('cliques = [["a", "a"]]', "'a' twice"),
        ('cliques = [["one"]]', "nothing can be learnt"),
        (
            'cliques = [["wide", "wider"], ["wide", "b"], ["wide", "a"]]',
            "wide, wider: 2100 x 2100; b, wide: 3 x 2100; a, wide: 2 x 2100",
        ),
        (LOOP + "\nprior = { hyper-dirichlet = 1 }", 'write prior = { normal = "1" }'),
    ],
)
def test_a_study_is_refused_with_what_is_wrong(model: str, says: str) -> None:
    with pytest.raises(pn.Error, match="study:") as error:
        study(model)
    assert says in str(error.value)
    assert code_of(error) in ("bad-value", "bad-prior")


@pytest.mark.parametrize("adjacency", ["replace-one", "add-remove"])
@pytest.mark.parametrize("records", [0, 100])
@pytest.mark.parametrize("model", [LOOP, TREE, WITHIN, ONE_LEVEL])
def test_odd_networks_and_no_records_have_an_answer(
    tmp_path: Path, model: str, records: int, adjacency: str
) -> None:
    if records == 0 and adjacency == "replace-one":
        with pytest.raises(pn.Error, match="the table has no records"):
            release_of(tmp_path, study(model, adjacency), records)
        return
    release = release_of(tmp_path, study(model, adjacency), records)
    for engine in ("auto", "map"):
        expect_probabilities(pn.infer(release, draws=50, chains=2, seed=1, engine=engine))


def test_a_network_beyond_its_memory_names_its_largest_cliques(tmp_path: Path) -> None:
    release = release_of(tmp_path, study(LOOP), 10)
    with pytest.raises(pn.Error) as error:
        pn.infer(release, engine="map", memory_limit=1000)
    assert code_of(error) == "engine-limit"
    assert "a x b x c (12 cells)" in str(error.value)


GOOD = {"a b": [50.0] * 6, "b c": [30.0, 70, 40, 60, 50, 50], "a c": [60.0, 90, 60, 90]}


def foreign(values: dict[str, list[Any]], n: int = 300, scale: float = 5, model: str = LOOP) -> pn.Release:
    measured = [
        {"what": "table", "columns": columns.split(), "noise": "gaussian", "scale": scale, "values": cells}
        for columns, cells in values.items()
    ]
    return pn.Release.foreign(
        {**study(model).to_dict(), "foreign": {"made_by": "mbi", "n": n, "measured": measured}}
    )


@pytest.mark.parametrize(
    ("values", "how", "code"),
    [
        ({"a b": [math.nan] + [50.0] * 5}, {}, "bad-value"),
        ({"a b": [math.inf] + [50.0] * 5}, {}, "wrong-type"),
        ({"a b": [1e300] + [50.0] * 5}, {}, "wrong-type"),
        ({"a b": [-1e300] + [50.0] * 5}, {}, "wrong-type"),
        ({"a b": [1e15] + [50.0] * 5}, {}, "engine-limit"),
        ({"a b": [50.0, 50.0]}, {}, "bad-value"),
        ({"a b c": [25.0] * 12}, {}, "release-inconsistent"),
        ({}, {"n": -1}, "bad-value"),
        ({}, {"n": 10**18}, "bad-value"),
        ({}, {"scale": 0}, "bad-value"),
        ({}, {"scale": math.nan}, "wrong-type"),
        ({}, {"scale": 1e300}, "wrong-type"),
    ],
)
def test_wild_margins_of_another_tool_are_refused(
    values: dict[str, list[Any]], how: dict[str, Any], code: str
) -> None:
    with pytest.raises(pn.Error) as error:
        pn.infer(foreign({**GOOD, **values}, **how), draws=50)
    assert code_of(error) == code


@pytest.mark.parametrize("engine", ["auto", "map"])
@pytest.mark.parametrize("model", [LOOP, TREE])
@pytest.mark.parametrize(
    ("values", "disagree"),
    [
        (GOOD, False),
        ({**GOOD, "b a": [50.0] * 6}, False),
        ({**GOOD, "b": [100.0, 100, 100]}, False),
        ({**GOOD, "b c": [100.0, 100, 10, 10, 40, 40]}, True),
        ({**GOOD, "b": [150.0, 75, 75]}, True),
    ],
)
def test_margins_that_contradict_each_other_are_warned_of(
    values: dict[str, list[Any]], disagree: bool, model: str, engine: str
) -> None:
    taken = {columns: cells for columns, cells in values.items() if model == LOOP or columns != "a c"}
    post = pn.infer(foreign(taken, model=model), draws=50, chains=2, seed=1, engine=engine)
    assert ("tables-disagree" in [warning.name for warning in post.warnings]) is disagree
    expect_probabilities(post)


@pytest.mark.parametrize(
    ("value", "code"),
    [(10**15, "engine-limit"), (-(10**15), "engine-limit"), (0.5, None), ("NaN", None), (10**40, None)],
)
def test_a_release_that_was_changed_is_refused(tmp_path: Path, value: Any, code: str | None) -> None:
    release_of(tmp_path, study(LOOP), 100).save(tmp_path / "out.json")
    document = json.loads((tmp_path / "out.json").read_text())
    document["measurements"][0]["blocks"][0]["values"][0] = value
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":")) + "\n"
    with pytest.raises(pn.Error) as error:
        pn.infer(pn.Release.parse(canonical), draws=50)
    assert code is None or code_of(error) == code
