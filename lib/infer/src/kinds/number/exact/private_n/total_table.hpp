#pragma once

#include <cstdint>
#include <vector>

#include "postern/infer/kinds/number/problem.hpp"

#include "kinds/number/exact/sum/sum_likelihood.hpp"
#include "kinds/number/exact/sum/sum_noise.hpp"

namespace postern::infer {

/// The law of n at one theta, as runs of numbers with a mass each: of one number, or narrow beside the law.
class TotalTable {
 public:
  struct Run {
    double lo = 0;  ///< n - 1/2 of the first number
    double hi = 0;  ///< n + 1/2 of the last
    double log_weight = 0;
  };
  TotalTable() = default;
  explicit TotalTable(std::vector<Run> runs);  ///< @pre rising, not empty

  [[nodiscard]] double log_sum() const { return log_sum_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// As if each run were in its middle, for a run is narrow or has the height of its middle.
  [[nodiscard]] double mean_square(double about) const;
  /// P(n <= x) for half-integers, linear within a run.
  [[nodiscard]] double cdf(double x) const;
  /// Its inverse.
  [[nodiscard]] double quantile(double u) const;

 private:
  std::vector<double> edge_;  ///< of runs, which touch or leave out what does not count
  std::vector<double> end_;
  std::vector<double> below_;  ///< mass below the end of each run
  double log_sum_ = 0;
  double mean_ = 0;
};

/// p(n) and the noisy values of n: the weight of each n apart from what the sums say.
class CountWeight {
 public:
  explicit CountWeight(const NumberProblem& problem);

  [[nodiscard]] std::int64_t most() const { return most_; }
  [[nodiscard]] double log_at(double n) const { return noise_.log_at(n) + slope_ * n - log_norm_; }
  [[nodiscard]] const SumNoise& noise() const { return noise_; }
  /// log_at(n) - noise().log_at(n) = slope n - log_norm
  [[nodiscard]] double slope() const { return slope_; }
  [[nodiscard]] double log_norm() const { return log_norm_; }

 private:
  SumNoise noise_;
  std::int64_t most_ = 0;
  double slope_ = 0;
  double log_norm_ = 0;
};

/// sum over n of p(n) p(counts | n) p(sums | theta, n), and the law of n that goes with it. log p(sums |
/// theta, n) is smooth in n but where a noisy value of the sum is reached; it is interpolated on blocks of n
/// that are cut until two more points agree to e^-nats, and listed where there are few n.
[[nodiscard]] TotalTable total_table(const NumberProblem& problem, const CountWeight& weight,
                                     SumLikelihood& sums, double nats = 16);

/// Where n is, roughly, before theta is known.
[[nodiscard]] double guess_total(const NumberProblem& problem, const SumLattice& lattice);

}  // namespace postern::infer
