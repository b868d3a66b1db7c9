#pragma once

#include <span>

namespace postern::infer {

/// Poisson counts of equal weight, one a draw of their mean.
class CountMixture {
 public:
  explicit CountMixture(std::span<const double> means) : means_(means) {}
  [[nodiscard]] double mean() const;
  /// P(count <= k)
  [[nodiscard]] double cdf(double k) const;
  [[nodiscard]] double log_mass(double k) const;
  /// The smallest k with cdf(k) >= p.
  [[nodiscard]] double quantile(double p) const;

 private:
  std::span<const double> means_;
};

}  // namespace postern::infer
