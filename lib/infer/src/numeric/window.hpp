#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace postern::infer {

/// The integers lo..hi; empty when lo > hi.
struct Window {
  std::int64_t lo = 0;
  std::int64_t hi = -1;

  [[nodiscard]] bool empty() const { return lo > hi; }
  [[nodiscard]] std::size_t size() const { return empty() ? 0 : static_cast<std::size_t>(hi - lo) + 1; }
  [[nodiscard]] bool contains(std::int64_t r) const { return lo <= r && r <= hi; }
  friend bool operator==(const Window&, const Window&) = default;
};

[[nodiscard]] inline Window intersect(Window a, Window b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}

/// The k with pitch k in the window. @pre lo >= 0
[[nodiscard]] inline Window multiples_in(Window window, std::int64_t pitch) {
  return {(window.lo + pitch - 1) / pitch, window.hi / pitch};
}

}  // namespace postern::infer
