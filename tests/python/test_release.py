"""Passing the gate: frames, files, counts; the charge and the book."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import postern as pn
import pyarrow
import pytest
from postern import _owner

from tests.python.desk import RECORDS, bernoulli, code_of

BIG = "900"  # so much that the noise is zero but for a chance of about e^-200


def counted(data: Any, **options: Any) -> list[int]:
    with pytest.warns(UserWarning, match="large"):
        release = pn.release(data, "study.toml", epsilon=BIG, ledger="big.ledger", **options)
    return next(iter(release.values.values()))


@pytest.fixture
def big(desk: Path) -> pandas.DataFrame:
    """The records, and a ledger that can pay for hardly any noise."""
    pn.Ledger.create("big.ledger", "study.toml", budget=1000, another_ledger=True)
    return pandas.read_csv("survey.csv")


def truth(frame: pandas.DataFrame) -> list[int]:
    return [
        int(((frame["smoker"] == smoker) & (frame["cancer"] == cancer)).sum())
        for smoker in ("no", "yes")
        for cancer in ("no", "yes")
    ]


def parquet_folder(frame: pandas.DataFrame) -> Path:
    folder = Path("tables")
    folder.mkdir()
    frame[:100].to_parquet(folder / "a.parquet")
    frame[100:].to_parquet(folder / "b.parquet")
    return folder


FRAMES: dict[str, Callable[[pandas.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "pandas-category": lambda frame: frame.astype({"smoker": "category"}),
    "pandas-object": lambda frame: frame.astype(object),
    "pandas-boolean": lambda frame: frame.assign(smoker=frame["smoker"] == "yes"),
    "pandas-mixed": lambda frame: frame.assign(smoker=[True if x == "yes" else x for x in frame["smoker"]]),
    "polars": polars.from_pandas,
    "pyarrow": lambda frame: pyarrow.Table.from_pandas(frame),
    "pyarrow-reader": lambda frame: pyarrow.Table.from_pandas(frame).to_reader(max_chunksize=7),
    "duckdb": lambda frame: duckdb.from_df(frame),
    "parquet": lambda frame: frame.to_parquet("survey.parquet") or "survey.parquet",
    "parquet-folder": lambda frame: parquet_folder(frame),
    "feather": lambda frame: frame.to_feather("survey.feather") or "survey.feather",
    "path": lambda _: "survey.csv",
    "pathlib": lambda _: Path("survey.csv"),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_of_frame_measures_the_same(big: pandas.DataFrame, kind: str) -> None:
    assert counted(FRAMES[kind](big)) == truth(big)


COUNTS: dict[str, Callable[[pandas.DataFrame], Any]] = {
    "pandas": lambda table: table,
    "polars": polars.from_pandas,
    "pyarrow": lambda table: pyarrow.Table.from_pandas(table),
    "duckdb": lambda table: duckdb.from_df(table),
    "mapping": lambda table: table.to_dict("list"),
    "floats": lambda table: table.astype({"count": float}),
}


@pytest.mark.parametrize("kind", COUNTS)
def test_every_kind_of_counts_measures_the_same(big: pandas.DataFrame, kind: str) -> None:
    table = big.groupby(["smoker", "cancer"]).size().reset_index(name="count")
    assert counted(COUNTS[kind](table), counts=True) == truth(big)


def test_counts_from_a_file(big: pandas.DataFrame) -> None:
    big.groupby(["smoker", "cancer"]).size().reset_index(name="count").to_csv("counts.csv", index=False)
    assert counted("counts.csv", counts=True) == truth(big)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "mapping"])
def test_truths_are_no_counts(big: pandas.DataFrame, kind: str) -> None:
    table = pandas.DataFrame({"smoker": ["no", "yes"], "cancer": ["no", "no"], "count": [True, False]})
    with pytest.raises(pn.Error, match="count"):
        pn.release(COUNTS[kind](table), "study.toml", epsilon="1", ledger="big.ledger", counts=True)
    assert pn.Ledger.open("big.ledger").balance().charges == 0


def test_counts_are_a_csv_file_or_a_frame(big: pandas.DataFrame) -> None:
    table = big.groupby(["smoker", "cancer"]).size().reset_index(name="count")
    table.to_parquet("counts.parquet")
    table.to_parquet("counts.csv")
    for path, format in (("counts.parquet", None), ("counts.parquet", "parquet"), ("counts.csv", "parquet")):
        with pytest.raises(pn.Error, match="a table of counts is a CSV file or a frame") as error:
            pn.release(path, "study.toml", epsilon="1", ledger="big.ledger", counts=True, format=format)
        assert code_of(error) == "bad-option"
    assert pn.Ledger.open("big.ledger").balance().charges == 0
    assert counted(pandas.read_parquet("counts.parquet"), counts=True) == truth(big)


@pytest.mark.parametrize("kind", ["parquet", "parquet-folder", "feather"])
def test_tables_without_the_plugin(big: pandas.DataFrame, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel has no plugin: pyarrow reads for it."""

    def refuse(*_: object) -> None:
        raise pn.Error("unsupported", "there is no plugin")

    monkeypatch.setattr(_owner, "open_records", refuse)
    assert counted(FRAMES[kind](big)) == truth(big)


def test_a_record_with_odd_values_stops_nothing(big: pandas.DataFrame) -> None:
    """A pandas column of several types has no Arrow type; its odd fields are missing, the others count."""
    frame = big.astype({"smoker": object})
    frame.loc[0, "smoker"] = 17
    frame["age"] = frame["age"].astype(object)
    frame.loc[1, "age"] = "canary"
    assert sum(counted(frame)) == RECORDS


@pytest.mark.parametrize("kind", ["object", "string[python]"])
def test_a_text_that_is_not_unicode_stops_nothing(big: pandas.DataFrame, kind: str) -> None:
    """A lone surrogate cannot be handed over in UTF-8: that field is missing, which here means "no"."""
    frame = big.astype({"smoker": kind})
    place = int(frame.index[frame["smoker"] == "yes"][0])
    frame.loc[place, "smoker"] = "\ud800"
    expected = big.copy()
    expected.loc[place, "smoker"] = "no"
    assert counted(frame) == truth(expected)


@pytest.mark.parametrize("epsilon", ["0.25", 1, Decimal("0.25"), Fraction(1, 4)])
def test_a_release_is_charged_recorded_and_true(desk: Path, epsilon: Any) -> None:
    ledger = pn.Ledger.open("survey.ledger")
    before = ledger.balance()
    release = pn.release("survey.csv", "study.toml", epsilon=epsilon, ledger=ledger)
    after = ledger.balance()
    assert release.cost == Decimal(str(float(epsilon))) == after.spent - before.spent
    assert (after.charges, after.published) == (before.charges + 1, before.published + 1)
    assert (release.unit, release.mechanism, release.n, release.key_id) == (
        "epsilon",
        "laplace",
        RECORDS,
        None,
    )
    assert all(check.passed for check in pn.verify(release, ledger))
    assert ledger.charges()[-1].release_id == release.id
    assert (release.study_name, release.dataset) == ("smoking-and-cancer", "survey-2026")
    assert release.created == json.loads(release.text)["created"]


def test_the_program_verifies_it(desk: Path, program: Callable[..., str]) -> None:
    pn.release("survey.csv", "study.toml", epsilon="0.5", ledger="survey.ledger").save("new.json")
    report = json.loads(program("verify", "--json", "new.json", "--ledger", "survey.ledger"))
    assert report["passed"]
    assert "published" in program("ledger", "balance", "survey.ledger", "--charges")


def test_gaussian_noise_and_a_private_n(desk: Path) -> None:
    study = pn.Study.parse(bernoulli("add-remove", "zcdp"))
    ledger = pn.Ledger.create("z.ledger", study, budget="1", another_ledger=True)
    release = pn.release("survey.csv", study, rho="0.1", ledger=ledger)
    assert (release.unit, release.mechanism, release.n) == ("rho", "gaussian", None)
    assert "n private" in repr(release)


@pytest.mark.filterwarnings("ignore:epsilon 900 is large")
def test_a_person_counts_as_often_as_the_study_says(desk: Path) -> None:
    unit = 'unit = { column = "person", at_most = 2 }'
    study = pn.Study.parse(bernoulli("add-remove").replace('unit = "record"', unit))
    frame = polars.DataFrame({"person": [*"aaaaab", None], "smoker": ["yes"] * 7, "other": range(7)})
    ledger = pn.Ledger.create("people.ledger", study, budget=1000, another_ledger=True)
    release = pn.release(frame, study, epsilon=BIG, ledger=ledger)
    assert list(release.values.values()) == [
        [0, 3]
    ]  # two of a, one of b; a record without a person is dropped
    with pytest.raises(pn.Error) as error:
        pn.release(frame.drop("person"), study, epsilon="1", ledger=ledger)
    assert code_of(error) == "column-absent"


def test_a_signed_release(desk: Path) -> None:
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", "key.pem"], check=True)
    release = pn.release("survey.csv", "study.toml", epsilon="1", ledger="survey.ledger", sign="key.pem")
    assert release.key_id is not None
    Path("bad.pem").write_text("no key")
    before = pn.Ledger.open("survey.ledger").balance()
    with pytest.raises(pn.Error) as error:
        pn.release("survey.csv", "study.toml", epsilon="1", ledger="survey.ledger", sign="bad.pem")
    assert code_of(error) == "signature-invalid"
    assert pn.Ledger.open("survey.ledger").balance() == before


@pytest.mark.filterwarnings("ignore:epsilon 11 is large")
@pytest.mark.parametrize(
    ("data", "options", "code"),
    [
        ("survey.csv", {}, "usage"),
        ("survey.csv", {"epsilon": "1", "rho": "1"}, "usage"),
        ("survey.csv", {"rho": "1"}, "currency-mismatch"),
        ("survey.csv", {"epsilon": "0"}, "bad-budget"),
        ("survey.csv", {"epsilon": "11"}, "budget-exhausted"),
        ("survey.csv", {"epsilon": 0.5}, "bare-float"),
        ("survey.csv", {"epsilon": "1", "mechanism": "laplas"}, "bad-option"),
        ("survey.csv", {"epsilon": "1", "threads": -1}, "bad-option"),
        ("survey.csv", {"epsilon": "1", "sign": "none.pem"}, "input-missing"),
        ("none.csv", {"epsilon": "1"}, "input-missing"),
        (None, {"epsilon": "1"}, "wrong-type"),
        ([1, 2], {"epsilon": "1"}, "wrong-type"),
        (polars.DataFrame({"smoker": ["no"]}), {"epsilon": "1"}, "column-absent"),
        ({"smoker": ["no"], "count": [1]}, {"epsilon": "1", "counts": True}, "column-absent"),
    ],
)
def test_what_is_wrong_is_told_before_the_charge(desk: Path, data: Any, options: Any, code: str) -> None:
    before = pn.Ledger.open("survey.ledger").balance()
    with pytest.raises(pn.Error) as error:
        pn.release(data, "study.toml", ledger="survey.ledger", **options)
    assert code_of(error) == code
    assert pn.Ledger.open("survey.ledger").balance() == before


def test_documents_are_saved_whole_and_not_over_others(desk: Path) -> None:
    release = pn.Release.load("survey.release.json")
    release.save("copy.json")
    assert Path("copy.json").read_bytes() == Path("survey.release.json").read_bytes()
    with pytest.raises(pn.Error) as error:
        release.save("copy.json")
    assert code_of(error) == "output-exists"
    release.save("copy.json", force=True)
    with pytest.raises(pn.Error) as error:
        release.save("none/copy.json")
    assert code_of(error) == "output-unwritable"
    assert sorted(path.name for path in desk.iterdir() if path.name.startswith(".")) == []
    assert pn.Release.parse(release.text) == release
    assert hash(pn.Release.parse(release.text)) == hash(release)


def test_a_false_document_is_refused(desk: Path) -> None:
    text = Path("survey.release.json").read_text()
    with pytest.raises(pn.Error) as error:
        pn.Release.parse(text[:-3])
    assert code_of(error) == "release-malformed"
    Path("false.json").write_text(text.replace('"epsilon":"1"', '"epsilon":"1/2"'))
    with pytest.raises(pn.Error, match="cost: claimed") as error:
        pn.verify("false.json")
    assert code_of(error) == "release-inconsistent"
    with pytest.raises(pn.Error) as error:
        pn.infer("false.json")
    assert code_of(error) == "release-inconsistent"


def openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def test_the_owners_key(desk: Path) -> None:
    openssl("genpkey", "-algorithm", "ed25519", "-out", "key.pem")
    openssl("pkey", "-in", "key.pem", "-pubout", "-out", "owner.pub")
    signed = pn.release("survey.csv", "study.toml", epsilon="1", ledger="survey.ledger", sign="key.pem")
    assert pn.verify(signed, key="owner.pub")[-1].detail == "signed with this very key"
    openssl("genpkey", "-algorithm", "ed25519", "-out", "other.pem")
    openssl("pkey", "-in", "other.pem", "-pubout", "-out", "other.pub")
    with pytest.raises(pn.Error, match="signed with another key") as error:
        pn.verify(signed, key="other.pub")
    assert code_of(error) == "release-inconsistent"
    with pytest.raises(pn.Error, match="not signed"):
        pn.verify("survey.release.json", key="owner.pub")
    with pytest.raises(pn.Error, match="pubout") as error:
        pn.verify(signed, key="key.pem")
    assert code_of(error) == "signature-invalid"


def test_a_signing_key_is_private(desk: Path) -> None:
    openssl("genpkey", "-algorithm", "ed25519", "-out", "key.pem")
    Path("key.pem").chmod(0o644)
    ledger = pn.Ledger.open("survey.ledger")
    with pytest.raises(pn.Error, match="chmod 600") as error:
        pn.release("survey.csv", "study.toml", epsilon="1", ledger=ledger, sign="key.pem")
    assert code_of(error) == "signature-invalid"
    assert ledger.balance().charges == 1


def test_any_failure_after_the_charge_says_so(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(_text: str) -> pn.Release:
        raise MemoryError

    monkeypatch.setattr("postern.owner.Release", no_memory)
    with pytest.raises(MemoryError) as error:
        pn.release("survey.csv", "study.toml", epsilon="1", ledger="survey.ledger")
    assert error.value.__notes__ == ["the ledger was charged before this failed, and the charge stands"]


def test_a_book_that_goes_after_the_charge(desk: Path) -> None:
    """The first error is told, with the charge, although the book can no longer be asked."""

    class Leaving:
        def __init__(self) -> None:
            self.table = pyarrow.table({"smoker": ["no"], "cancer": ["no"], "age": ["30"]})

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            Path("survey.ledger").unlink(missing_ok=True)
            return self.table.__arrow_c_stream__(requested_schema)

    with pytest.raises(pn.Error) as error:
        pn.release(Leaving(), "study.toml", epsilon="1", ledger="survey.ledger")
    assert code_of(error) == "ledger-missing"
    assert error.value.__notes__ == ["the ledger was charged before this failed, and the charge stands"]


@pytest.mark.parametrize("nameless", [True, False])
def test_saving_leaves_the_document_and_nothing_else(
    desk: Path, monkeypatch: pytest.MonkeyPatch, nameless: bool
) -> None:
    if not nameless:
        monkeypatch.setattr("postern._files._DOOR", "/no/such/place/{}")
    release = pn.Release.load("survey.release.json")
    before = sorted(path.name for path in desk.iterdir())
    release.save("copy.json")
    with pytest.raises(pn.Error) as error:
        release.save("copy.json")
    assert code_of(error) == "output-exists"
    Path("copy.json").write_text("old")
    release.save("copy.json", force=True)
    assert Path("copy.json").read_text() == release.text
    assert sorted(path.name for path in desk.iterdir()) == sorted([*before, "copy.json"])
    with pytest.raises(pn.Error) as error:
        release.save("no/such/place.json")
    assert code_of(error) == "output-unwritable"
