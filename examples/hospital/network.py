"""A hospital publishes a network of what makes a stay dangerous; an epidemiologist asks it.

Written in cells, as a notebook: `# %%` begins one. Run it whole with

    python examples/hospital/network.py [a new or empty folder for the files]

The records are simulated, so that the truth is known and the intervals can be held against it. network.sh
does the same with the program, on the records that this writes.
"""

# %% What the hospital has: one row a stay.
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import postern as pn

here = Path(__file__).parent
folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="hospital-network-"))
folder.mkdir(parents=True, exist_ok=True)
if any(folder.iterdir()):
    sys.exit(f"'{folder}' holds files; name a new or an empty folder")

rng = np.random.default_rng(2026)
stays = 20_000
age = rng.integers(18, 95, size=stays)
emergency = rng.random(stays) < 0.35
catheter = rng.random(stays) < np.where(emergency, 0.45, 0.2)
infection = rng.random(stays) < 0.03 + 0.04 * (age >= 70) + 0.09 * catheter
sepsis = rng.random(stays) < np.where(infection, 0.3, 0.01)
died = rng.random(stays) < 0.01 + 0.03 * (age >= 70) + 0.2 * sepsis
records = pd.DataFrame({"age": age, "kind": np.where(emergency, "emergency", "planned")})
for name, values in (("catheter", catheter), ("infection", infection), ("sepsis", sepsis), ("died", died)):
    records[name] = np.where(values, "yes", "no")
records.to_csv(folder / "stays.csv", index=False)

# %% The owner: what the study would tell, a ledger, a release of six noisy tables.
study = pn.Study.load(here / "network.toml")
print(pn.plan(study, epsilon="1", n=stays, simulations=2))
ledger = pn.Ledger.create(folder / "stays.ledger", study, budget="3")
release = pn.release(records, study, epsilon="1", ledger=ledger)
release.save(folder / "sepsis.release.json")
print("left in the ledger:", ledger.balance().left)

# %% The analyst: columns that no table holds together are asked about all the same.
QUESTIONS = {
    "P(sepsis = yes | catheter = yes)": records[records.catheter == "yes"].sepsis,
    "P(sepsis = yes | catheter = no)": records[records.catheter == "no"].sepsis,
    "P(died = yes | infection = yes, age >= 70)": records[
        (records.infection == "yes") & (records.age >= 70)
    ].died,
}
RATIO = "P(sepsis = yes | catheter = yes) / P(sepsis = yes | catheter = no)"
posterior = pn.infer(folder / "sepsis.release.json", query=[*QUESTIONS, RATIO], seed=1)
posterior.save(folder / "posterior")
print(f"engine: {posterior.engine}")

# %% Only the hospital can do this: hold the intervals against the records themselves.
print(f"{'question':46} {'5%':>8} {'records':>8} {'95%':>8}")
for question, rows in QUESTIONS.items():
    low, high = np.quantile(posterior[question], [0.05, 0.95])
    print(f"{question:46} {low:8.4f} {(rows == 'yes').mean():8.4f} {high:8.4f}")
low, high = np.quantile(posterior[RATIO], [0.05, 0.95])
print(f"a catheter multiplies the risk of sepsis by {low:.1f} to {high:.1f}")

# %% A patient of whom some things are known: the chance to die, with its interval.
ward = pd.DataFrame({"age": [82, 45], "catheter": ["yes", "no"], "sepsis": ["yes", None]})
print(posterior.predict_proba(ward, target="died"))

# %% The network at its posterior means, for other programs, and asked on the spot.
(folder / "sepsis.bif").write_text(posterior.to_bif())
found = pn.read_bif(folder / "sepsis.bif").posteriors({"died": "yes"})
print(f"of those who die, had sepsis: {found['sepsis']['yes']:.2f}")
