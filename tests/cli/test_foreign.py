"""Releases made elsewhere through the program: OpenDP's own numbers, what was done to them, and refusals."""

from __future__ import annotations

import json
import math
import shutil
import tomllib
from pathlib import Path

import pytest

from tests.cli.desk import CATEGORICAL, ROOT, Desk, study_text

OPENDP = ROOT / "examples" / "foreign" / "opendp.toml"
TABLE = """
[[foreign.measured]]
what = "table"
columns = ["smoker", "cancer"]
noise = "laplace"
scale = 2.0
"""


def declared(desk: Desk, name: str, measured: str, head: str = "n = 500") -> Path:
    path = desk.folder / name
    path.write_text(study_text(CATEGORICAL) + f'[foreign]\nmade_by = "a tool"\n{head}\n' + TABLE + measured)
    return path


def convolved(a: dict[int, float], b: dict[int, float]) -> dict[int, float]:
    out: dict[int, float] = {}
    for i, x in a.items():
        for j, y in b.items():
            out[i + j] = out.get(i + j, 0) + x * y
    return out


def means_by_hand(values: list[float], scale: float) -> tuple[list[float], float]:
    """E P(cell) and E n under dirichlet(1) and a flat n: every count within 60 scales of its value."""
    cells = [
        {
            s: math.exp(-abs(y - s) / scale)
            for s in range(max(0, int(y - 60 * scale)), int(y + 60 * scale) + 1)
        }
        for y in values
    ]
    whole = total = 0.0
    means = []
    for k, own in enumerate(cells):
        others = {0: 1.0}
        for j, cell in enumerate(cells):
            others = others if j == k else convolved(others, cell)
        mean = whole = total = 0.0
        for s, x in own.items():
            for rest, y in others.items():
                n = s + rest
                weight = x * y / ((n + 1) * (n + 2) * (n + 3))
                whole += weight
                total += weight * n
                mean += weight * (s + 1) / (n + 4)
        means.append(mean / whole)
    return means, total / whole


def test_opendp_release_is_inferred_from(desk: Desk) -> None:
    shutil.copy(OPENDP, desk.folder / "opendp.toml")
    result = desk.run("infer", "--foreign", "opendp.toml", "-o", "posterior", "--json")
    assert result.code == 0, result.err
    answer = result.json
    (block,) = tomllib.loads(OPENDP.read_text())["foreign"]["measured"]
    means, n = means_by_hand(block["values"], block["scale"])
    got = [row["mean"] for row in answer["summary"]]
    assert got[:4] == pytest.approx(means, rel=1e-9)
    assert got[4] == pytest.approx(n, rel=1e-9)
    assert answer["releases"][0]["noise_verified"] is False
    assert [warning["name"] for warning in answer["warnings"]] == ["noise-not-verified"]
    facts = json.loads((desk.folder / "posterior" / "posterior.json").read_text())
    assert "OpenDP 0.16.0" in facts["warnings"][0]["text"]
    text = desk.run("infer", "--foreign", "opendp.toml").out
    assert "noise not verified" in text
    assert "not verified by us" in " ".join(text.split())


def test_the_page_shows_the_file_of_the_run() -> None:
    assert OPENDP.read_text() in (ROOT / "docs" / "foreign.md").read_text()


def test_the_folder_predicts_and_can_be_read_again(desk: Desk) -> None:
    shutil.copy(OPENDP, desk.folder / "opendp.toml")
    assert desk.run("infer", "--foreign", "opendp.toml", "-o", "posterior").code == 0
    assert desk.run("synth", "posterior", "-n", "20", "-o", "made.csv").code == 0
    again = desk.run("infer", "--foreign", "posterior/release_1.json", "--json")
    assert again.code == 0, again.err
    assert desk.run("verify", "posterior/release_1.json").error == "release-malformed"
    assert desk.run("infer", "posterior/release_1.json").error == "release-malformed"


def test_foreign_values_that_were_rounded_are_not_taken_for_noisy_ones(desk: Desk) -> None:
    declared(desk, "exact.toml", "values = [350, 10, 130, 10]\n")
    declared(desk, "rounded.toml", "round_to = 10\nvalues = [350, 10, 130, 10]\n")
    sds = [
        desk.run("infer", "--foreign", name, "--json").json["summary"][1]["sd"]
        for name in ("exact.toml", "rounded.toml")
    ]
    assert sds[1] > 1.02 * sds[0]


def test_foreign_release_without_record_set_is_combined_with_none(desk: Desk) -> None:
    declared(desk, "one.toml", "values = [350, 10, 130, 10]\n")
    declared(desk, "two.toml", "values = [350, 11, 130, 10]\n")
    refused = desk.run("infer", "--foreign", "one.toml", "--foreign", "two.toml")
    assert refused.error == "releases-conflict"
    assert "record_set" in refused.err
    head = 'n = 500\nrecord_set = "wave 1"'
    declared(desk, "one.toml", "values = [350, 10, 130, 10]\n", head)
    declared(desk, "two.toml", "values = [350, 11, 130, 10]\n", head)
    both = desk.run("infer", "--foreign", "one.toml", "--foreign", "two.toml", "--json")
    assert both.code == 0, both.err
    assert both.json["engine"] == "exact"


@pytest.mark.parametrize(
    ("measured", "error", "words"),
    [
        ("values = [1, 2, 3]\n", "bad-value", "4 cells"),
        ('values = [1, 2, 3, "absent"]\n', "bad-value", "threshold"),
        ("vallues = [1, 2, 3, 4]\n", "unknown-key", "values"),
        ("at_least = 0\nvalues = [1, 2, 3, -4]\n", "bad-value", "clipped"),
    ],
)
def test_refusals_name_the_line_and_what_to_write(desk: Desk, measured: str, error: str, words: str) -> None:
    declared(desk, "f.toml", measured)
    refused = desk.run("infer", "--foreign", "f.toml")
    assert refused.error == error
    assert words in refused.err
    assert "f.toml:" in refused.err


def test_a_study_or_a_release_of_ours_is_not_foreign(desk: Desk) -> None:
    (desk.folder / "study.toml").write_text(study_text(CATEGORICAL))
    refused = desk.run("infer", "--foreign", "study.toml")
    assert refused.error == "missing-key"
    assert "foreign" in refused.err
    assert desk.run("infer").error == "usage"


MBI = """
version = 1
name = "measured-by-mbi"
dataset = "survey"
[privacy]
adjacency = "replace-one"
[columns.a]
categories = ["no", "yes"]
[columns.b]
categories = ["no", "yes"]
[columns.c]
categories = ["no", "yes"]
[model]
kind = "markov-net"
cliques = {cliques}
[foreign]
made_by = "mbi 2.0"
n = 1000
"""
MARGIN = """
[[foreign.measured]]
what = "table"
columns = {columns}
noise = "gaussian"
scale = 20
values = [{values}]
{more}
"""


@pytest.mark.parametrize(
    ("pairs", "engine"), [(["a b", "b c"], "exact"), (["a b", "b c", "a c"], "potentials")]
)
def test_noisy_margins_of_mbi_make_a_markov_network(desk: Desk, pairs: list[str], engine: str) -> None:
    cliques = [pair.split() for pair in pairs]
    text = MBI.format(cliques=json.dumps(cliques))
    values = "441.3, 260.2, 95.7, 203.1"
    for columns in cliques:
        text += MARGIN.format(columns=json.dumps(columns), values=values, more="")
    desk.write("mbi.toml", text)
    answer = desk.ok("infer", "--foreign", "mbi.toml", "--query", "P(a = yes)", "--json").json
    assert answer["engine"] == engine
    assert any(warning["name"] == "noise-not-verified" for warning in answer["warnings"])
    assert abs(answer["summary"][-1]["mean"] - 0.3) < 0.1
    desk.write("held.toml", text + MARGIN.format(columns='["a"]', values="690, 310", more="round_to = 10"))
    rounded = desk.run("infer", "--foreign", "held.toml")
    if engine == "exact":
        assert rounded.code == 0, rounded
    else:
        assert rounded.error == "engine-unsuitable"
