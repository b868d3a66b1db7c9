"""A person as the unit of privacy: several records each, of which at most three count."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.desk import BERNOULLI, CATEGORICAL, PERSON, Desk

HEADER = "person_id,smoker,age,cancer\n"


def open_people(desk: Desk, model: str = BERNOULLI, currency: str = "pure", at_most: int = 100000) -> None:
    """A study of people and a ledger that pays for nearly noiseless releases."""
    desk.write_study(model=model, adjacency="add-remove", currency=currency, at_most=at_most, unit=PERSON)
    desk.ok("ledger", "init", "study.toml", "--budget", "1000", "-o", "survey.ledger")


def counts_of(desk: Desk, records: str, *more: str, amount: tuple[str, str] = ("--epsilon", "150")) -> Any:
    """What a release says that is too dear to be noisy: at lambda = 150 / 3 noise is 0 but for 2 e^-50."""
    desk.write("survey.csv", records)
    result = desk.release(*more, "--force", amount=amount)
    assert result.code == 0, result
    document = json.loads(desk.path("out.json").read_text())
    assert document["privacy"]["unit"] == {"at_most": 3, "column": "person_id"}
    assert document["n"]["kind"] == "private"
    return [int(value) for value in document["measurements"][0]["blocks"][0]["values"]]


def test_at_most_three_records_of_each_person_count(desk: Desk) -> None:
    open_people(desk)
    few = "".join(f"p{i},no,20,no\n" for i in range(10)) + "p0,no,30,no\np0,no,40,no\n"
    assert counts_of(desk, HEADER + few) == [12, 0]
    assert counts_of(desk, HEADER + few + "busy,yes,20,no\n" * 500) == [12, 3]
    assert counts_of(desk, HEADER + few + ' busy\t,"yes",20,no\n"busy",yes,20,no\n' * 9) == [12, 3]
    # Nobody's records do not count, nor do those of lines that cannot be read.
    assert counts_of(desk, HEADER + few + ",yes,20,no\n ,yes,20,no\np77\n\n") == [12, 0]
    # Where the ids stand does not matter, nor how many threads read them.
    swapped = "smoker,age,cancer,person_id\n" + "yes,20,no,busy\n" * 500 + "no,20,no,ann\n"
    for more in [(), ("--threads", "1")]:
        assert counts_of(desk, swapped, *more) == [1, 3]


def test_dropped_records_take_no_place(desk: Desk) -> None:
    columns = '[columns.smoker]\ncategories = ["no", "yes"]\nmissing = "drop"\n'
    desk.write_study(adjacency="add-remove", columns=columns, unit=PERSON)
    desk.ok("ledger", "init", "study.toml", "--budget", "1000", "-o", "survey.ledger")
    records = "person_id,smoker\n" + "ann,\nann,\nann,\nann,\nann,yes\nann,yes\n"
    assert counts_of(desk, records) == [0, 2]


def test_from_plan_to_posterior(desk: Desk) -> None:
    """2,000 people with one to five records, three in ten of them yes: at most three count of each."""
    open_people(desk, at_most=20000)
    lines = [
        f"id{i},{'yes' if (i + j) % 10 < 3 else 'no'},{20 + j},no"
        for i in range(2000)
        for j in range(i % 5 + 1)
    ]
    desk.write("survey.csv", HEADER + "\n".join(lines) + "\n")
    kept = sum(min(i % 5 + 1, 3) for i in range(2000))
    plan = desk.ok("plan", "study.toml", "--epsilon", "1", "--n", "6000", "--json").json
    assert plan["privacy"]["unit"] == {"column": "person_id", "at_most": 3}
    assert plan["blocks"][0]["parameter"] == "1/3"
    assert plan["cost_factor"] == "3"
    assert 25 * 6000 <= plan["bounding_bytes"] <= 64 * 6000
    assert "3 x the 1/3 of one record" in desk.ok("plan", "study.toml", "--epsilon", "1").out
    released = desk.release()
    assert released.code == 0, released
    verified = desk.ok("verify", "out.json", "--ledger", "survey.ledger", "--json").json
    assert verified["passed"] is True, verified
    table = desk.ok("infer", "out.json", "-o", "posterior", "--json").json
    rows = {row["label"]: row for row in table["summary"]}
    rate = rows["P(smoker = yes)"]
    assert abs(rate["mean"] - 0.3) < 5 * rate["sd"] + 0.01
    records = rows["number of records"]
    assert abs(records["mean"] - kept) < 6 * records["sd"]
    assert records["sd"] < 30
    # A second release chooses other records of the busy people: it is not of the same records.
    assert desk.release(output="again.json").code == 0
    both = desk.run("infer", "out.json", "again.json", "-o", "both")
    desk.refused(both, "releases-conflict", 65)


def test_counts_are_the_callers_word(desk: Desk) -> None:
    open_people(desk)
    desk.write("counts.csv", "smoker,count\nyes,30\nno,70\n")
    result = desk.release("--counts", data="counts.csv", amount=("--epsilon", "150"))
    assert result.code == 0, result
    document = json.loads(desk.path("out.json").read_text())
    assert document["counted_by"] == "caller"
    assert [int(v) for v in document["measurements"][0]["blocks"][0]["values"]] == [70, 30]
    assert "bounding" in desk.ok("verify", "out.json").out


@pytest.mark.parametrize(("model", "currency"), [(BERNOULLI, "pure"), (CATEGORICAL, "zcdp")])
def test_rehearsals_with_one_persons_records(desk: Desk, model: str, currency: str) -> None:
    desk.write_study(model=model, adjacency="add-remove", currency=currency, unit=PERSON)
    claim = ("--epsilon", "1") if currency == "pure" else ("--rho", "0.5")
    pairs = desk.ok("audit", "study.toml", *claim, "--runs", "2000", "--json").json["pairs"]
    names = [pair["neighbours"] for pair in pairs]
    assert any("7 x last level" in name for name in names), names
    assert not any("nobody" in name for name in names), names  # nothing differs: nothing to rehearse
    for pair in pairs:
        assert pair["bound"] <= pair["claim"], pair
    assert max(pair["bound"] / pair["claim"] for pair in pairs) > 0.1
