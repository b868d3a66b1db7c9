"""Releases made elsewhere, from Python."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import postern as pn
import pytest

from tests.python.desk import ROOT, bernoulli, code_of

OPENDP = ROOT / "examples" / "foreign" / "opendp.toml"


def facts(**block: Any) -> dict[str, Any]:
    measured = {
        "what": "table",
        "columns": ["smoker"],
        "noise": "discrete-laplace",
        "scale": 2,
        "values": [35, 15],
        **block,
    }
    return {
        **pn.Study.parse(bernoulli()).to_dict(),
        "foreign": {"made_by": "Tumult Analytics", "n": 50, "measured": [measured]},
    }


def test_a_file_gives_the_programs_answer_with_its_claim_named() -> None:
    release = pn.Release.foreign(OPENDP)
    assert release.made_by == "OpenDP 0.16.0, then_laplace (epsilon 0.5)"
    assert release.n is None
    assert "not verified" in repr(release)
    assert list(release.values) == ["table of smoker x cancer"]
    with pytest.warns(UserWarning, match="noise-not-verified"):
        post = pn.infer(release)
    assert post.engine == "exact"
    assert [warning.name for warning in post.warnings] == ["noise-not-verified"]
    assert "not verified by us" in repr(post)
    assert pickle.loads(pickle.dumps(release)) == release


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_dictionary_takes_arrays_and_missing_values() -> None:
    given = pn.Release.foreign(facts(values=np.array([35, 15])))
    assert given.values == {"table of smoker": [35.0, 15.0]}
    absent = pn.Release.foreign(facts(values=[35.0, math.nan], threshold=20))
    assert absent == pn.Release.foreign(facts(values=[35, None], threshold=20))
    assert absent.values == {"table of smoker": [35.0, None]}
    seen, held_back = (pn.infer(release, seed=1).summary()[0] for release in (given, absent))
    assert held_back.sd > seen.sd


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_posterior_is_saved_and_loaded(tmp_path: Path) -> None:
    pn.infer(pn.Release.foreign(facts())).save(tmp_path / "posterior")
    loaded = pn.Posterior.load(tmp_path / "posterior")
    assert loaded.warnings[0].name == "noise-not-verified"
    assert len(loaded.synthesize(5)) == 5


def test_what_is_not_known_of_it_is_refused() -> None:
    release = pn.Release.foreign(facts())
    for name in ("cost", "unit", "mechanism", "created"):
        with pytest.raises(pn.Error) as error:
            getattr(release, name)
        assert code_of(error) == "unsupported"
    with pytest.raises(pn.Error) as error:
        pn.verify(release)
    assert code_of(error) == "unsupported"


def test_refusals_name_the_key() -> None:
    with pytest.raises(pn.Error, match="discrete") as error:
        pn.Release.foreign(facts(values=[1.5, 2]))
    assert code_of(error) == "bad-value"
    with pytest.raises(pn.Error) as error:
        pn.Release.foreign(pn.Study.parse(bernoulli()).to_dict())
    assert code_of(error) == "missing-key"
    with pytest.raises(pn.Error) as error:
        pn.Release.foreign([1, 2])  # type: ignore[arg-type]
    assert code_of(error) == "wrong-type"
