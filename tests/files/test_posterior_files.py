"""The posterior folder as its readers see it: ArviZ in Python, the package posterior in R."""

from __future__ import annotations

import csv
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.desk import CATEGORICAL, Desk, study_text

CHAINS = 3
DRAWS = 400


def has_r_posterior() -> bool:
    if shutil.which("Rscript") is None:
        return False
    found = subprocess.run(["Rscript", "-e", "library(posterior)"], capture_output=True, check=False)
    return found.returncode == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A posterior with several quantities, n among them."""
    desk = Desk(tmp_path_factory.mktemp("desk"))
    desk.write("study.toml", study_text(model=CATEGORICAL, adjacency="add-remove"))
    desk.write_records(1000)
    desk.ok("ledger", "init", "study.toml", "--budget", "1", "-o", "survey.ledger")
    assert desk.release(amount=("--epsilon", "1")).code == 0
    options = ("--chains", str(CHAINS), "--draws", str(DRAWS), "--seed", "3")
    desk.ok("infer", "out.json", "-o", "posterior", *options, "--query", "P(cancer=yes | smoker=yes)")
    return desk.path("posterior")


def columns(folder: Path) -> dict[str, list[float]]:
    """Every draw of each quantity, chain after chain, read with nothing but Python."""
    found: dict[str, list[float]] = {}
    for chain in range(1, CHAINS + 1):
        with (folder / f"chain_{chain}.csv").open() as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                for name, value in row.items():
                    found.setdefault(name, []).append(float(value))
    return {name: values for name, values in found.items() if not name.endswith("__")}


def test_arviz_reads_the_chains(folder: Path) -> None:
    arviz = pytest.importorskip("arviz")
    data = arviz.from_cmdstan(posterior=str(folder / "chain_*.csv"))
    assert (data.posterior.sizes["chain"], data.posterior.sizes["draw"]) == (CHAINS, DRAWS)
    plain = columns(folder)
    assert set(data.posterior.data_vars) == {"p", "n", "query"}
    for k in range(4):
        ours = plain[f"p.{k + 1}"]
        assert data.posterior["p"].values[:, :, k].ravel().tolist() == ours
    assert data.posterior["n"].values.ravel().tolist() == plain["n"]
    summary = arviz.summary(data, round_to="none")
    assert (summary["r_hat"] < 1.02).all()


@pytest.mark.skipif(not has_r_posterior(), reason="needs R with posterior: apt install r-cran-posterior")
def test_r_posterior_reads_the_chains(folder: Path) -> None:
    script = Path(__file__).with_name("read_chains.R")
    done = subprocess.run(
        ["Rscript", str(script), str(folder)], capture_output=True, check=True, text=True, timeout=120
    )
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    rows = {name: [float(value) for value in values] for name, *values in lines if not name.endswith("__")}
    plain = columns(folder)
    assert set(rows) == set(plain)
    for name, (count, mean, rhat, ess) in rows.items():
        assert count == CHAINS * DRAWS
        assert mean == pytest.approx(sum(plain[name]) / len(plain[name]), rel=1e-12)
        assert rhat < 1.02
        assert ess > 300  # independent draws: about 1200


def test_summary_has_a_row_for_each_quantity(folder: Path) -> None:
    with (folder / "summary.csv").open() as file:
        names = [row["name"] for row in csv.DictReader(file)]
    assert names == list(columns(folder))
