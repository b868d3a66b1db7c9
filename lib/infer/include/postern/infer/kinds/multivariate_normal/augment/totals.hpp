#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/infer/kinds/multivariate_normal/wishart.hpp"
#include "postern/infer/noise/totals_noise.hpp"

namespace postern::infer {

inline constexpr std::size_t kMostSums = kMostColumns + kMostColumns * (kMostColumns + 1) / 2;

/// What n records of d columns add up to, whole numbers: the sums of k_i, then of k_i k_j, i <= j, row by
/// row.
struct VectorTotals {
  double n = 0;
  std::array<double, kMostSums> sum{};
};

/// d + d (d + 1) / 2
[[nodiscard]] constexpr std::size_t sums_of(std::size_t d) { return d + d * (d + 1) / 2; }

/// What all noisy values of one record set say about its totals.
class VectorNoise {
 public:
  struct Kink {
    std::array<double, kMostSums> at{};
    std::array<double, kMostSums> rate{};  ///< 0 where a sum is not seen
  };

  VectorNoise() = default;
  /// `most`: the largest n that can be.
  VectorNoise(const VectorRecords& records, double most);

  [[nodiscard]] std::size_t sums() const { return sums_.size(); }
  [[nodiscard]] const SumEvidence& operator[](std::size_t sum) const { return sums_[sum]; }
  [[nodiscard]] double log_ratio(const VectorTotals& to, const VectorTotals& from) const;
  /// At least as large as log_ratio of any totals with this n.
  [[nodiscard]] double max_log_gain(double n, const VectorTotals& from) const;
  /// Every sum is seen once through Laplace noise, or not at all; then `kinks` says it all.
  [[nodiscard]] bool plain() const { return plain_; }
  [[nodiscard]] const Kink& kinks() const { return kinks_; }

 private:
  std::vector<SumEvidence> sums_;
  SumEvidence counts_;
  Kink kinks_;
  bool plain_ = true;
};

}  // namespace postern::infer
