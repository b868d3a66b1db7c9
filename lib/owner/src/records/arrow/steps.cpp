#include "steps.hpp"

#include <algorithm>
#include <bit>

namespace postern::owner {

StepSearch::StepSearch(const std::vector<std::int64_t>& steps) {
  constexpr std::uint64_t kMostBuckets = 1 << 14;
  if (steps.empty()) return;
  const auto offset = [&](std::size_t i) {
    return static_cast<std::uint64_t>(steps[i]) - static_cast<std::uint64_t>(steps[0]);
  };
  std::uint64_t closest = kNone;
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (steps[i] <= steps[i - 1]) return;
    closest = std::min(closest, offset(i) - offset(i - 1));
  }
  // No wider than the closest steps are apart, so that two of them never share a bucket.
  const auto shift = static_cast<unsigned>(std::bit_width(closest) - 1);
  const std::uint64_t last = offset(steps.size() - 1) >> shift;
  if (last >= kMostBuckets) return;
  first_ = steps[0];
  shift_ = shift;
  count_ = steps.size();
  buckets_.resize(static_cast<std::size_t>(last) + 1);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    buckets_[offset(i) >> shift].before = offset(i) - 1;
  }
  std::size_t passed = 1;
  for (Bucket& bucket : buckets_) {
    bucket.passed = passed;
    passed += bucket.before != kNone ? 1 : 0;
  }
}

}  // namespace postern::owner
