#!/usr/bin/env bash
# The network of the hospital with the program: a plan, a release of stays, its posterior, predictions.
#   examples/hospital/network.sh PROGRAM STAYS.csv FOLDER     the records of network.py; a new or empty folder
set -euo pipefail
postern=$(realpath "$1") stays=$(realpath "$2") folder=$3
study=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/network.toml
mkdir -p "$folder"
cd "$folder"
export XDG_STATE_HOME=$PWD/.state  # its ledger is not listed among yours
"$postern" plan "$study" --epsilon 1
"$postern" ledger init "$study" --budget 3 -o stays.ledger
"$postern" release "$study" "$stays" --epsilon 1 --ledger stays.ledger -o sepsis.release.json
"$postern" verify sepsis.release.json
"$postern" infer sepsis.release.json -o posterior \
  --query "P(sepsis = yes | catheter = yes) / P(sepsis = yes | catheter = no)"
printf 'age,catheter,sepsis\n82,yes,yes\n45,no,\n' >ward.csv
"$postern" predict posterior ward.csv --target died
