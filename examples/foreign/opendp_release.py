"""Releases the example survey with OpenDP, and declares what came out for postern: opendp.toml.

    pip install opendp==0.16.0
    python3 ../smoking/make_records.py 5000 > survey.csv
    python3 opendp_release.py survey.csv > opendp.toml

The values are OpenDP's, and new ones every time. The opendp.toml beside this file is of one run.
"""

from __future__ import annotations

import csv
import sys

import opendp.prelude as dp

LEVELS = ["no", "yes"]
SCALE = 2.0

DECLARATION = """\
# Made by opendp_release.py. What OpenDP published, and what everybody may know about it.
version = 2
name    = "smoking-by-opendp"
dataset = "survey-2026"

[privacy]
adjacency = "add-remove"           # OpenDP's symmetric distance; n is private
n         = {{ at_most = 100000 }}

[columns.smoker]
categories = ["no", "yes"]

[columns.cancer]
categories = ["no", "yes"]

[model]
kind    = "family"
family  = "categorical"
columns = ["smoker", "cancer"]
prior   = {{ dirichlet = 1 }}

[foreign]
made_by = "OpenDP {version}, then_laplace (epsilon {epsilon})"

[[foreign.measured]]
what    = "table"
columns = ["smoker", "cancer"]     # cells in this order, the last column's levels fastest
noise   = "laplace"                # counts were made floats: continuous noise
scale   = {scale}
values  = {values}
"""


def main() -> None:
    dp.enable_features("contrib")
    with open(sys.argv[1], encoding="utf-8") as file:
        cells = [f"{row['smoker']}/{row['cancer']}" for row in csv.DictReader(file)]
    records = (dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance())
    count = records >> dp.t.then_count_by_categories(
        [f"{smoker}/{cancer}" for smoker in LEVELS for cancer in LEVELS],
        null_category=False,
        MO="L1Distance<f64>",
        TOA="f64",
    )
    release = count >> dp.m.then_laplace(scale=SCALE)
    print(
        DECLARATION.format(
            version=dp.__version__, epsilon=release.map(d_in=1), scale=SCALE, values=release(cells)
        ),
        end="",
    )


if __name__ == "__main__":
    main()
