#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/model/encoded_number.hpp"

namespace postern::infer {

/// What a record of statistic t adds to the sum: number.values.adds[number.level_of(t)], by a guide table in
/// place of a search, since millions of t are looked up. Buckets of equal width cut the column; each knows
/// the first level it meets, and only within a bucket is anything searched. On a plain grid, arithmetic does,
/// but for t too near to an edge.
/// @pre t is kept, where the column drops records
class LevelFinder {
 public:
  explicit LevelFinder(const model::EncodedNumber& number);

  [[nodiscard]] std::int32_t adds(double t) const {
    if (!(t >= front_)) return below_;
    if (t >= back_) return above_;
    if (per_level_ > 0) {
      const double x = (t - origin_) * per_level_;
      const auto level = static_cast<std::int32_t>(x);
      const double part = x - level;
      if (part > kDoubt && part < 1 - kDoubt) return least_ + level;
    }
    return search(t);
  }
  /// The same for many. @pre k has as many places
  void adds(std::span<const double> t, std::int32_t* k) const;
  /// Adds the record what no value outside of the column's range can add?
  [[nodiscard]] bool inside(std::int32_t k) const { return k != below_ && k != above_; }
  [[nodiscard]] std::int32_t least() const { return least_; }
  [[nodiscard]] std::int32_t most() const { return most_; }

 private:
  static constexpr double kDoubt = 1e-6;  ///< steps from an edge within which arithmetic is not trusted

  [[nodiscard]] std::int32_t search(double t) const {
    const std::size_t bucket = bucket_of(t);
    const std::uint32_t* guide = guide_.data() + bucket;
    std::uint32_t low = guide[0];
    std::uint32_t high = guide[1];
    const double* edges = edges_.data();
    while (low < high) {
      const std::uint32_t middle = low + (high - low + 1) / 2;
      if (t >= edges[middle]) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return adds_.data()[low];
  }
  /// Does not fall as t rises, whatever the rounding: that is all the guide relies on.
  [[nodiscard]] std::size_t bucket_of(double t) const {
    return std::min(static_cast<std::size_t>((t - front_) * per_bucket_), buckets_ - 1);
  }

  std::vector<double> edges_;
  std::vector<std::int32_t> adds_;
  std::vector<std::uint32_t> guide_;  ///< first level of each bucket, and the last level of all
  double front_, back_;
  double per_bucket_ = 0;
  std::size_t buckets_ = 1;
  double per_level_ = 0;  ///< of levels in equal steps that add one more each; else 0
  double origin_ = 0;     ///< where the first of them would begin
  std::int32_t below_, above_;
  std::int32_t least_, most_;
};

}  // namespace postern::infer
