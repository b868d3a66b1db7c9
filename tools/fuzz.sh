#!/usr/bin/env bash
# Runs every fuzz target for a while, two at a time, each on its own corpus; a finding fails the run and is kept.
#   tools/fuzz.sh [seconds per target]      default 60
# POSTERN_FUZZ_RUNS counts executions of each target in place of seconds.
# fuzz/<name>.options holds a target's flags, one a line; fuzz/<name>.dict the words of its language.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}
build=build-fuzz
jobs=${JOBS:-$(nproc)}

cmake --preset fuzz >/dev/null
cmake --build "$build" --parallel "$jobs" --target fuzzers

mapfile -t targets < <(find "$build/fuzz" -maxdepth 1 -type f -name 'fuzz_*' -perm -u+x | sort)
if ((${#targets[@]} == 0)); then
  echo "tools/fuzz.sh: no fuzz target was built" >&2
  exit 70
fi

run_one() {
  local target=$1 seconds=$2 build=$3
  local name=${target##*/}
  local corpus=$build/corpus/$name seeds=fuzz/corpus/${name#fuzz_} log=$build/$name.log
  mkdir -p "$corpus" "$build/findings"
  local folders=("$corpus")
  [[ -d $seeds ]] && folders+=("$seeds")
  local effort=(-max_total_time="$seconds")
  if [[ -n ${POSTERN_FUZZ_RUNS:-} ]]; then effort=(-runs="$POSTERN_FUZZ_RUNS"); fi
  local flags=() dictionary=fuzz/${name#fuzz_}.dict options=fuzz/${name#fuzz_}.options
  if [[ -e $options ]]; then mapfile -t flags <"$options"; fi
  if [[ -e $dictionary ]]; then flags+=(-dict="$dictionary"); fi
  # Weighing inputs by how rare their features are would take half of the time.
  if "$target" "${effort[@]}" "${flags[@]}" -entropic=0 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$build/findings/$name-" "${folders[@]}" >"$log" 2>&1; then
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions, no finding"
  else
    tail -n 40 "$log"
    echo "$name: FOUND A FAULT; its input is in $build/findings" >&2
    return 1
  fi
}
export -f run_one
printf '%s\0' "${targets[@]}" | xargs -0 -P "$jobs" -I{} bash -c 'run_one "$@"' _ {} "$seconds" "$build"
