#!/usr/bin/env bash
# Everything a reader should not have to check by eye.
#   tools/lint.sh [layers] [style] [format] [python] [headers] [tidy]      default: all of them
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=.venv/bin/python

layers() { $python tools/check_layers.py; }
style() {
  $python tools/check_style.py
  $python tools/check_citations.py
}

format() {
  git ls-files -z '*.cpp' '*.hpp' | xargs -0 clang-format-16 --dry-run -Werror
}

python() {
  local scripts
  mapfile -t scripts < <(git ls-files '*.py')
  $python -m ruff check "${scripts[@]}"
  $python -m mypy "${scripts[@]}"
}

# Each public header compiles on its own, with only the include roots its room may see.
headers() {
  cmake --preset tidy >/dev/null
  cmake --build build-tidy --target all_verify_interface_header_sets
}

# What changed since the commit named in tools/tidied, at which the whole tree was clean; all of it where that commit
# is not in the history, or with TIDY_ALL=1, as in `make test-long`.
tidy() {
  local log base files pattern
  cmake --preset tidy >/dev/null
  base=$(<tools/tidied)
  pattern="$PWD/(lib|app|bench|fuzz)/.*\.cpp$"
  if [[ -z ${TIDY_ALL:-} ]] && git cat-file -e "$base^{commit}" 2>/dev/null; then
    mapfile -t files < <(git diff --name-only --diff-filter=d "$base" -- 'lib/*.cpp' 'app/*.cpp')
    ((${#files[@]} == 0)) && return 0
    pattern="$PWD/($(IFS='|'; echo "${files[*]//./\\.}"))$"
  fi
  log=$(mktemp)
  if ! run-clang-tidy-16 -quiet -p build-tidy "$pattern" >"$log" 2>/dev/null; then
    grep -E '(warning|error|note):' "$log" | sort -u || cat "$log"
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

stages=("$@")
((${#stages[@]})) || stages=(layers style format python headers tidy)
for stage in "${stages[@]}"; do
  echo "lint: $stage"
  "$stage"
done
