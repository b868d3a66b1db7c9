#pragma once

#include <algorithm>

namespace postern::infer {

struct Range {
  double lo = 0;
  double hi = 0;

  [[nodiscard]] bool empty() const { return lo > hi; }
};

/// What so many records can add up to, each from record.lo to record.hi.
inline Range sums(const Range& records, const Range& record) {
  return {std::min(records.lo * record.lo, records.hi * record.lo),
          std::max(records.lo * record.hi, records.hi * record.hi)};
}

}  // namespace postern::infer
