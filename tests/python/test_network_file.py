"""Networks read from files, and their posteriors against those of pgmpy (tests/data/networks/make.py)."""

from __future__ import annotations

import os
from pathlib import Path

import postern as pn
import pytest

from tests.python.desk import ROOT, code_of

POSTERIORS = ROOT / "tests/data/networks/posteriors.txt"
Expected = tuple[dict[str, str], dict[str, list[float]]]


def expected() -> dict[str, Expected]:
    out: dict[str, Expected] = {}
    for line in POSTERIORS.read_text().splitlines():
        first, *rest = line.split()
        if first == "network":
            out[rest[0]] = ({}, {})
            name = rest[0]
        elif first == "evidence":
            out[name][0].update(zip(rest[::2], rest[1::2], strict=True))
        else:
            out[name][1][first] = [float(word) for word in rest]
    return out


@pytest.mark.skipif("POSTERN_DATA" not in os.environ, reason="needs POSTERN_DATA with networks/bif")
@pytest.mark.parametrize("name", sorted(expected()))
def test_published_networks_agree_with_pgmpy(name: str) -> None:
    evidence, posteriors = expected()[name]
    network = pn.read_bif(Path(os.environ["POSTERN_DATA"]) / "networks" / "bif" / f"{name}.bif")
    found = network.posteriors(evidence)
    assert set(found) == set(network.variables)
    for variable, wanted in posteriors.items():
        assert list(found[variable].values()) == pytest.approx(wanted, rel=0, abs=1e-10)
    for variable, level in evidence.items():
        assert found[variable][level] == 1


def test_a_network_tells_what_it_is(desk: Path) -> None:
    network = pn.read_bif("network.bif")
    assert network.variables == ("smoker", "age", "cancer")
    assert network.levels["age"] == ("young", "old")
    assert network.edges == (("smoker", "cancer"), ("age", "cancer"))
    assert network.posteriors()["cancer"]["yes"] == pytest.approx(0.04, abs=1e-15)
    (desk / "again.bif").write_text(network.to_bif())
    assert pn.read_bif(desk / "again.bif").to_bif() == network.to_bif()


def test_what_it_cannot_answer_is_refused(desk: Path) -> None:
    network = pn.read_bif("network.bif")
    for evidence, told in [
        ({"smoke": "yes"}, "no variable smoke; its variables: smoker, age, cancer"),
        ({"smoker": "maybe"}, "smoker has no level maybe; its levels: no, yes"),
        ({"smoker": 1}, "as text"),
        ([("smoker", "yes")], "a mapping"),
    ]:
        with pytest.raises(pn.Error, match=told) as error:
            network.posteriors(evidence)  # type: ignore[arg-type]
        assert code_of(error) == "bad-option"
    text = (desk / "network.bif").read_text().replace("0.98, 0.02", "1, 0").replace("0.88, 0.12", "1, 0")
    (desk / "healthy.bif").write_text(text)
    with pytest.raises(pn.Error, match="probability 0") as error:
        pn.read_bif("healthy.bif").posteriors({"cancer": "yes"})
    with pytest.raises(pn.Error, match="there is no file") as error:
        pn.read_bif("no.bif")
    assert code_of(error) == "input-missing"
    (desk / "bad.bif").write_text("network unknown { }\nvariable {")
    with pytest.raises(pn.Error, match=r"bad\.bif:2:10"):
        pn.read_bif("bad.bif")


def test_the_text_of_a_network_is_no_path(desk: Path) -> None:
    with pytest.raises(pn.Error, match="this is its text") as error:
        pn.read_bif(Path("network.bif").read_text())
    assert code_of(error) == "bad-option"
