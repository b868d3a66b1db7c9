#pragma once

#include <cstddef>
#include <vector>

namespace postern::infer {

/// A row of a mixture: sum_i weight_i Beta(a + i, b_i) with either a + i + b_i the same for all i, or b_i.
/// Weights may be slightly negative where they are interpolation weights (SmoothNodes); the whole mixture is
/// not. b = 0 is the point 1.
struct BetaRow {
  enum class Keeps { sum, b };
  double a = 0;
  double b = 0;  ///< of the first
  Keeps keeps = Keeps::sum;
  std::vector<double> weight;
};

/// A mixture of Betas. Weights sum to 1.
class BetaMixture {
 public:
  BetaMixture() = default;
  /// Scales the weights to sum to 1. Throws engine_limit if they are all 0, or not finite.
  explicit BetaMixture(std::vector<BetaRow> rows);

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double sd() const { return sd_; }
  [[nodiscard]] double cdf(double theta) const;
  /// The theta at which the cdf is p, to about 1e-13 of itself where the density allows; 0 or 1 where theta
  /// underflows.
  [[nodiscard]] double quantile(double p) const;
  /// Number of Betas.
  [[nodiscard]] std::size_t size() const;

 private:
  struct Slope {
    double cdf = 0;
    double density = 0;
  };
  [[nodiscard]] Slope slope(double theta) const;
  static void add_row(const BetaRow& row, double theta, Slope& out);

  std::vector<BetaRow> rows_;  ///< `weight` holds running sums
  double mean_ = 0;
  double sd_ = 0;
};

}  // namespace postern::infer
