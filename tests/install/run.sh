#!/usr/bin/env bash
# Installs the build into a prefix of its own and uses it as a stranger's project would.
#   tests/install/run.sh [build folder]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$(realpath "${1:-build}")
prefix=$build/install-test/prefix
work=$build/install-test/work
rm -rf "$build/install-test"
mkdir -p "$work"

cmake --install "$build" --prefix "$prefix" >"$work/install.log"
"$prefix/bin/postern" --version

configure() { # <source> <build> <options>...
  cmake -S "$1" -B "$2" -G Ninja "-DCMAKE_PREFIX_PATH=$prefix" "${@:3}" >"$2.log" 2>&1 || { cat "$2.log"; return 1; }
}

# Both sides, from records to a posterior.
configure examples/embed "$work/embed"
cmake --build "$work/embed" >"$work/embed-build.log" || { cat "$work/embed-build.log"; exit 1; }
python3 examples/smoking/make_records.py 1000 >"$work/survey.csv"
"$work/embed/clinic" examples/smoking/study.toml "$work/survey.csv" "$work/survey.ledger" "$work/release.json"
"$work/embed/university" "$work/release.json"

# The analyst's side alone: it has no owner's target and no owner's header.
configure tests/install/analyst_only "$work/analyst_only"
cmake --build "$work/analyst_only" --target allowed >"$work/allowed.log"
if cmake --build "$work/analyst_only" --target forbidden >"$work/forbidden.log" 2>&1; then
  echo "an analyst included an owner's header" >&2
  exit 1
fi
grep -q "postern/owner/gate.hpp: No such file\|'postern/owner/gate.hpp' file not found" "$work/forbidden.log"

# A component that does not exist is refused by name.
if configure tests/install/analyst_only "$work/unknown" -DCOMPONENT=wizard >"$work/unknown.out" 2>&1; then
  echo "an unknown component was found" >&2
  exit 1
fi
grep -q "wizard" "$work/unknown.out"
echo "installed, found and used: owner, analyst"
