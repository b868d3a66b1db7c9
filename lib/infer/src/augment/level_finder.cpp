#include "postern/infer/augment/level_finder.hpp"

#include <cmath>

namespace postern::infer {

LevelFinder::LevelFinder(const model::EncodedNumber& number)
    : edges_(number.edges),
      adds_(number.values.adds.begin(), number.values.adds.end()),
      front_(number.edges.front()),
      back_(number.edges.back()),
      below_(adds_.at(static_cast<std::size_t>(number.below))),
      above_(adds_.at(static_cast<std::size_t>(number.above))),
      least_(adds_.front()),
      most_(adds_.back()) {
  const std::size_t levels = adds_.size();
  const double width = back_ - front_;
  if (std::isfinite(width) && width > 0) {
    buckets_ = 2 * levels;
    per_bucket_ = static_cast<double>(buckets_) / width;
    if (!std::isfinite(per_bucket_)) per_bucket_ = 0;
  }
  // t of level l lies in a bucket no earlier than that of the level's begin and no later than that of its
  // end: bucket b meets no level that ends before it.
  guide_.assign(buckets_ + 1, static_cast<std::uint32_t>(levels - 1));
  std::size_t bucket = 0;
  for (std::size_t level = 0; level < levels; ++level) {
    const std::size_t last = level + 1 < levels ? bucket_of(edges_[level + 1]) : buckets_ - 1;
    for (; bucket <= last; ++bucket) guide_[bucket] = static_cast<std::uint32_t>(level);
  }
}

}  // namespace postern::infer
