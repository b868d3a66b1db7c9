#pragma once

#include <vector>

namespace postern::infer {

/// sum_i weight_i Beta(a_i, b_i). Weights sum to 1; some may be slightly negative (they are interpolation
/// weights, see SmoothNodes), the mixture is not. b = 0 is the point 1.
class BetaMixture {
 public:
  struct Part {
    double weight = 0;
    double a = 0;
    double b = 0;
  };
  BetaMixture() = default;
  /// Scales the weights to sum to 1 and forgets those that cannot count.
  explicit BetaMixture(std::vector<Part> parts);

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double sd() const { return sd_; }
  [[nodiscard]] double cdf(double theta) const;
  /// The theta at which the cdf is p, to about 1e-13 of itself where the density allows; 0 or 1 where theta
  /// underflows.
  [[nodiscard]] double quantile(double p) const;
  [[nodiscard]] std::size_t size() const { return parts_.size(); }

 private:
  struct Slope {
    double cdf = 0;
    double density = 0;
  };
  [[nodiscard]] Slope slope(double theta) const;

  std::vector<Part> parts_;
  double mean_ = 0;
  double sd_ = 0;
};

}  // namespace postern::infer
