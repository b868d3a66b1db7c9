#!/usr/bin/env bash
# The wheel on a machine that has Python and numpy and nothing else: pip install ., import, an owner, an analyst.
#   tests/python/installed.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
# With the flags of `make` and in a folder as deep as its own, so that what make has compiled is taken from the compiler's cache.
# The cache knows a compiler by its name too: CMake's is c++, and Python's would be g++.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CC=cc CXX=c++
rm -rf build-wheel # it names the build tools of an earlier run
"$work/venv/bin/pip" install --quiet --disable-pip-version-check . -C build-dir=build-wheel -C cmake.build-type=RelWithDebInfo \
  -C cmake.define.POSTERN_WERROR=ON -C cmake.define.CMAKE_CXX_FLAGS=-Wno-restrict
cp examples/smoking/study.toml "$work"
python3 examples/smoking/make_records.py 500 >"$work/survey.csv"
cd "$work" # not in the tree, where the sources would be imported
venv/bin/python - <<END
import importlib.util
import postern as pn

for other in ("arviz", "duckdb", "pandas", "polars", "pyarrow"):
    assert importlib.util.find_spec(other) is None, other
ledger = pn.Ledger.create("survey.ledger", "study.toml", budget="1")
release = pn.release("survey.csv", "study.toml", epsilon="0.5", ledger=ledger)
pn.verify(release, ledger)
print(pn.infer(release, query="P(cancer = yes | smoker = yes)"))
assert not pn.__file__.startswith('$root')
END
