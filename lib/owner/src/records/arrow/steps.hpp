#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace postern::owner {

/// How many of some rising steps a number has passed, by one look into a table of equally wide buckets that
/// hold a step each at most: the same few instructions for every number, whatever the records are.
class StepSearch {
 public:
  StepSearch() = default;
  /// Not ready if two steps are alike or out of order, or so close that the table would grow large.
  explicit StepSearch(const std::vector<std::int64_t>& steps);
  [[nodiscard]] bool ready() const { return !buckets_.empty(); }
  /// The number of steps <= value. @pre ready()
  [[nodiscard]] std::size_t passed(std::int64_t value) const {
    if (value < first_) return 0;
    const std::uint64_t offset = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(first_);
    const std::uint64_t place = offset >> shift_;
    if (place >= buckets_.size()) return count_;
    const Bucket& bucket = buckets_.data()[place];
    return bucket.passed + (offset > bucket.before ? 1u : 0u);
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Bucket {
    std::uint64_t before = kNone;  // the last offset that has not passed the bucket's step
    std::size_t passed = 0;        // steps in the buckets before, and the first of all
  };

  std::int64_t first_ = 0;
  unsigned shift_ = 0;
  std::size_t count_ = 0;
  std::vector<Bucket> buckets_;
};

}  // namespace postern::owner
