"""A hospital publishes how often patients come back; a health economist reads it.

Written in cells, as a notebook: `# %%` begins one. Run it whole with

    python examples/hospital/hospital.py [a new or empty folder for the files]

The records are simulated, so that the truth is known and the intervals can be held against it.
"""

# %% What the hospital has: one row an admission, a patient may have several.
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import postern as pn

LEDGER, RELEASE, PICTURE = "admissions.ledger", "readmission.release.json", "readmission.png"
MARK = ".made-by-the-hospital-example"


def desk(folder: Path) -> Path:
    """A folder to write into: new, empty, or one of an earlier run, whose own files are taken away.

    A ledger is never made anew in silence, but this one is of made-up patients. Nothing else is touched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / MARK).exists():
        for suffix in ("", ".key", "-wal", "-shm", "-journal"):
            (folder / f"{LEDGER}{suffix}").unlink(missing_ok=True)
        for name in (RELEASE, PICTURE):
            (folder / name).unlink(missing_ok=True)
    elif any(folder.iterdir()):
        sys.exit(f"'{folder}' holds files that are not of this example; name a new or an empty folder")
    (folder / MARK).touch()
    return folder


here = Path(__file__).parent
folder = desk(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="hospital-")))

rng = np.random.default_rng(2026)
patients = 6000
visits = rng.choice([1, 2], size=patients, p=[0.8, 0.2])
patient = np.repeat(np.arange(patients), visits)
age = np.repeat(rng.integers(18, 95, size=patients), visits)
emergency = rng.random(len(patient)) < 0.35
risk = 0.05 + 0.06 * (age >= 70) + 0.07 * emergency
records = pd.DataFrame(
    {
        "patient": patient,
        "age": age,
        "kind": np.where(emergency, "emergency", "planned"),
        "readmitted": np.where(rng.random(len(patient)) < risk, "yes", "no"),
    }
)
print(f"{len(records)} admissions of {patients} patients")

# %% Before anything is spent: what would epsilon = 1 tell, and what would it cost?
study = pn.Study.load(here / "study.toml")
print(pn.plan(study, epsilon="1", n=7000, simulations=50))

# %% The owner's gate: a ledger once, then a release. The frame is handed over without a copy.
ledger = pn.Ledger.create(folder / LEDGER, study, budget="3")
release = pn.release(records, study, epsilon="1", ledger=ledger)
release.save(folder / RELEASE)
print(release)
print("left in the ledger:", ledger.balance().left)

# %% The analyst has one file. Does it hold what it claims?
for check in pn.verify(folder / RELEASE):
    print(check)

# %% The posterior knows the noise. Ask it what the economist wants to know.
QUESTIONS = {
    "P(readmitted = yes | kind = planned)": records[records.kind == "planned"],
    "P(readmitted = yes | kind = emergency)": records[records.kind == "emergency"],
    "P(readmitted = yes | age = 70-110)": records[records.age >= 70],
}
posterior = pn.infer(folder / RELEASE, query=list(QUESTIONS), seed=1)
print(posterior)

# %% Only the hospital can do this: hold the intervals against the records themselves.
print(f"{'question':42} {'5%':>8} {'records':>8} {'95%':>8}")
for question, rows in QUESTIONS.items():
    low, high = np.quantile(posterior[question], [0.05, 0.95])
    print(f"{question:42} {low:8.4f} {(rows.readmitted == 'yes').mean():8.4f} {high:8.4f}")

# %% How sure may one be of such intervals? Simulate the whole study many times.
print(pn.calibrate(study, epsilon="1", studies=200, seed=3))

# %% Pictures, where ArviZ is installed.
try:
    import arviz
    from matplotlib import pyplot

    pyplot.switch_backend("agg")
    arviz.plot_forest(posterior.to_arviz(), var_names=["query"], combined=True)
    pyplot.savefig(folder / PICTURE, bbox_inches="tight")
    print("a picture is in", folder / PICTURE)
except ImportError:
    print("install arviz to see a picture")
