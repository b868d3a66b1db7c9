"""tools/check_style.py counts the lines of functions as a reader would."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture(scope="module")
def check() -> Any:
    sys.path.insert(0, str(TOOLS))
    try:
        import check_style
    finally:
        sys.path.remove(str(TOOLS))
    return check_style


SOURCE = """// A comment with a brace {
#include "postern/core/units.hpp"
#define OPEN {

namespace postern::core {
namespace {

constexpr std::array kPrimes = {2, 3, 5};
const std::string_view kText = R"({ not a brace)";

template <class T, class = std::enable_if_t<(sizeof(T) > 1)>>
requires std::integral<T>
[[nodiscard]] T twice(T x) {
  return x + x;
}

struct Pair {
  int a{1};
  int b = 2;
  [[nodiscard]] int sum() const { return a + b; }
  friend bool operator==(const Pair&, const Pair&) = default;
  bool operator<(const Pair& other) const {
    // why

    return sum() < other.sum();
  }
};

}  // namespace

Thing::Thing(Study study, std::vector<int> values)
    : study_(std::move(study)),
      values_{std::move(values)},
      start_(start_of(study_, {})) {
  for (const int value : values_) {
    if (value < 0) throw Error({"below 0"});
  }
}

const auto apply = [](int x) {
  const auto again = [&] { return x + 1; };
  return again();
};

extern "C" int run(const char* text) {
  switch (*text) {
    case '{':
      return 1'000;
    default:
      return 0;
  }
}

auto Thing::made() -> std::unique_ptr<Thing> {
  return std::make_unique<Thing>(Study{}, std::vector{1});
}

}  // namespace postern::core
"""


def test_functions_are_found_with_their_lengths(check: Any) -> None:
    found = [(one.name, one.length) for one in check.functions_of(SOURCE)]
    assert found == [("twice", 5), ("sum", 1), ("operator<", 3), ("Thing::Thing", 8), ("lambda", 4),
                     ("run", 8), ("Thing::made", 3)]


def body(lines: int) -> str:
    return "void work() {\n" + "  // why\n\n  step();\n" * (lines - 2) + "}\n"


def test_a_function_has_at_most_forty_lines_of_code(check: Any) -> None:
    assert check.function_faults("lib/core/src/work.cpp", body(40)) == []
    (fault,) = check.function_faults("lib/core/src/work.cpp", body(43))
    assert fault.where == "lib/core/src/work.cpp:1"
    assert "work has 43 lines" in fault.what
    assert (fault.key, fault.weight) == ("function: work", 3)
    assert check.function_faults("tests/unit/core/work_test.cpp", body(43)) == []


def test_a_listed_function_may_only_shrink(check: Any, tmp_path: Path) -> None:
    allowed = tmp_path / "style.txt"
    allowed.write_text("3 function: work\n")

    def told(lines: int) -> list[str]:
        faults = check.function_faults("lib/core/src/work.cpp", body(lines))
        answer: list[str] = check.Allowances(allowed).judge(faults)
        return answer

    assert told(43) == []
    assert "work has 44 lines" in told(44)[0]
    assert "there are 2" in told(42)[0]
    assert "there are 0" in told(40)[0]


def test_braces_that_do_not_match_are_a_fault(check: Any) -> None:
    (fault,) = check.function_faults("lib/core/src/work.cpp", "void work() {\n")
    assert "braces do not match" in fault.what


@pytest.mark.parametrize(("name", "most"), [("lib/core/src/a.hpp", 200), ("lib/core/src/a.cpp", 300)])
def test_sizes_of_files(check: Any, name: str, most: int) -> None:
    assert check.size_fault(name, most) is None
    assert f"at most {most}" in check.size_fault(name, most + 1)
