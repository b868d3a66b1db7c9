#!/usr/bin/env bash
# From records to a posterior, as an owner and then as an analyst. Starts afresh each time.
#   examples/demo.sh <postern program> <folder to work in>
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/smoking" && pwd)
rm -rf "$2"
mkdir -p "$2"
cd "$2"
mkdir bin && ln -s "$program" bin/postern
export PATH=$PWD/bin:$PATH
export XDG_STATE_HOME=$PWD/.state  # the demo's ledger is not listed among yours

say() { printf '\n# %s\n' "$*"; }
run() {
  local word line='$'
  for word in "$@"; do [[ $word == *' '* ]] && line+=" \"$word\"" || line+=" $word"; done
  printf '%s\n' "$line"
  "$@"
}

cp "$here/study.toml" .
python3 "$here/make_records.py" 5000 >survey.csv

say "The owner: what would it cost, and what would it tell? No data are read."
run postern plan study.toml --epsilon 1 --n 5000
say "The owner: open the dataset's ledger, once."
run postern ledger init study.toml --budget 10 -o survey.ledger
say "The owner: charge the ledger, measure the records, add noise, publish."
run postern release study.toml survey.csv --epsilon 1 --ledger survey.ledger -o survey.release.json
run postern ledger balance survey.ledger
say "Anyone: does the document keep what it promises?"
run postern verify survey.release.json
say "The analyst, who has the release and nothing else."
run postern infer survey.release.json -o posterior --query "P(cancer = yes | smoker = yes)"
say "What the records say (only the owner could compute this):"
awk -F, 'NR > 1 { cells[$1 "," $3]++ } END { for (cell in cells) printf "  smoker,cancer = %-8s %.4f\n", cell, cells[cell] / (NR - 1) }' survey.csv | sort
