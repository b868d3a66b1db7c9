#!/usr/bin/env bash
# Runs the whole suite, bindings included, under ThreadSanitizer. A report of a race fails the run and is kept.
#   tools/tsan.sh [suite...]       default: native python; each may be left out
# The preset leaves out the tests named Long*, the boundary tests, which only compile, and calibration: it does what
# other tests of the engines do, thousands of times.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
build=$root/build-tsan
reports=$build/reports
jobs=${JOBS:-$(nproc)}
suites=("$@")
((${#suites[@]} > 0)) || suites=(native python)

# A program to be started without the runtime that is loaded before the interpreter, under its own name.
alone() {
  printf '#!/bin/sh\nunset LD_PRELOAD\nexec "%s" "$@"\n' "$1" >"$build/alone/${1##*/}"
  chmod +x "$build/alone/${1##*/}"
}

cmake --preset tsan >/dev/null
cmake --build "$build" --parallel "$jobs"
rm -rf "$reports"
mkdir -p "$reports" "$build/alone"
# Programs that tests start report too, whatever a test makes of their status.
export TSAN_OPTIONS="log_path=$reports/report suppressions=$root/tools/tsan.supp"
# Names and lines in reports. The symbolizer is a program of its own and inherits the runtime of whoever it helps.
symbolizer=/usr/lib/llvm-16/bin/llvm-symbolizer
if [[ -x $symbolizer ]]; then
  alone "$symbolizer"
  TSAN_OPTIONS+=" external_symbolizer_path=$build/alone/llvm-symbolizer"
fi
# Memory of libraries that are not instrumented, where it can be followed; and no allocator's thread that begins
# before the runtime knows it.
export ARROW_DEFAULT_MEMORY_POOL=system _RJEM_MALLOC_CONF=background_thread:false
failed=()

# Where files may not grow, the runtime cannot start.
native() {
  GTEST_FILTER=-Fault.FilesThatMayNotGrowStopARunCleanly \
    ctest --preset tsan --parallel "$jobs" --output-on-failure || failed+=(native)
}

# The interpreter is not instrumented, so the runtime of the extensions is loaded before it. The program brings
# its own and must be started without the other.
python() {
  local runtime suite
  runtime=$(clang++-16 -print-resource-dir)/lib/linux/libclang_rt.tsan-$(uname -m).so
  if [[ ! -e $runtime ]]; then
    echo "tools/tsan.sh: no ThreadSanitizer runtime at $runtime" >&2
    exit 70
  fi
  alone "$build/postern"
  for suite in tests/python/test_*.py; do
    echo "==== $suite"
    # Lock orders are left to the native suite: polars takes more locks in a fork than the runtime can hold.
    timeout 3600 env LD_PRELOAD="$runtime" PYTHONPATH="$build/python" POSTERN="$build/alone/postern" \
      TSAN_OPTIONS="$TSAN_OPTIONS detect_deadlocks=0" \
      .venv/bin/python -m pytest -q --durations=3 "$suite" || failed+=("$suite")
  done
}

for suite in "${suites[@]}"; do "$suite"; done
mapfile -t found < <(grep -rl 'ThreadSanitizer:' "$reports" | sort)
for report in "${found[@]}"; do cat "$report"; done
echo "tools/tsan.sh: ${#found[@]} reports, ${#failed[@]} failed suites: ${failed[*]:-none}"
((${#found[@]} == 0 && ${#failed[@]} == 0))
