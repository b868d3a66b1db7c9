#include "postern/infer/augment/level_finder.hpp"

#include <cmath>
#include <limits>

#include "augment/record_kernels.hpp"

namespace postern::infer {
namespace {

/// Levels a step apart that add one more each, but for rounding far below what matters; the first and the
/// last may be shorter.
bool plain(const model::EncodedNumber& number, double step) {
  const std::size_t levels = number.levels();
  if (levels < 3 || !(step > 0)) return false;
  for (std::size_t l = 1; l < levels; ++l) {
    const double expected = number.edges[1] + static_cast<double>(l - 1) * step;
    if (!(std::abs(number.edges[l] - expected) < 1e-8 * step)) return false;
    if (number.values.adds[l] != number.values.adds[0] + static_cast<std::int64_t>(l)) return false;
  }
  return true;
}

/// What a record at this level adds; of one that is dropped, what no kept record adds.
std::int32_t adds_of(const model::EncodedNumber& number, std::int64_t level) {
  if (level < 0) return std::numeric_limits<std::int32_t>::min();
  return static_cast<std::int32_t>(number.values.adds.at(static_cast<std::size_t>(level)));
}

}  // namespace

LevelFinder::LevelFinder(const model::EncodedNumber& number)
    : edges_(number.edges),
      adds_(number.values.adds.begin(), number.values.adds.end()),
      front_(number.edges.front()),
      back_(number.edges.back()),
      below_(adds_of(number, number.below)),
      above_(adds_of(number, number.above)),
      least_(adds_.front()),
      most_(adds_.back()) {
  const std::size_t levels = adds_.size();
  const double width = back_ - front_;
  if (std::isfinite(width) && width > 0) {
    buckets_ = 2 * levels;
    per_bucket_ = static_cast<double>(buckets_) / width;
    if (!std::isfinite(per_bucket_)) per_bucket_ = 0;
  }
  const double step = levels < 3 ? 0 : (edges_[levels - 1] - edges_[1]) / static_cast<double>(levels - 2);
  if (plain(number, step)) {
    per_level_ = 1 / step;
    origin_ = edges_[1] - step;
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

void LevelFinder::adds(std::span<const double> t, std::int32_t* k) const {
  constexpr std::size_t kBatch = 64;
  constexpr std::size_t kLanes = RecordKernels::kLanes;
  static const RecordKernels& kernels = record_kernels();
  const PlainLevels plain_levels{
      origin_, per_level_, static_cast<double>(adds_.size()), front_, back_, kDoubt, least_, below_, above_};
  for (std::size_t start = 0; start < t.size(); start += kBatch) {
    const std::size_t end = std::min(start + kBatch, t.size());
    const std::size_t whole = start + (end - start) / kLanes * kLanes;
    const bool found =
        per_level_ > 0 && kernels.find_levels(plain_levels, t.data() + start, k + start, whole - start);
    for (std::size_t r = found ? whole : start; r < end; ++r) k[r] = adds(t[r]);
  }
}

}  // namespace postern::infer
