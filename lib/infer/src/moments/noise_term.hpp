#pragma once

#include <vector>

#include "moments/unknowns.hpp"

namespace postern::infer {

/// How probable the noise is that the released values imply, and that columns lie in -1..1: a factor
/// (1 - G_ii / n)^(1/2) a column of many levels.
class NoiseTerm {
 public:
  NoiseTerm(const ScatterProblem& problem, const ScatterOrder& order);

  /// `smooth` takes Laplace noise for Gaussian noise of its variance, to look for a mode.
  [[nodiscard]] double value(const ScatterState& state, bool smooth) const;
  void slope(const ScatterState& state, bool smooth, ScatterSlope& slope) const;
  /// What the released values are values of, in the order of the problem's moments.
  void latent(const ScatterState& state, std::span<double> out) const;
  [[nodiscard]] std::size_t size() const { return seen_.size(); }

 private:
  struct Seen {
    int i, j, k, l;  ///< places in w, columns in the factor's order
    double value, weight, rate, precision;
  };
  static double moment(const ScatterState& state, int i, int j);
  static double residual(const ScatterState& state, const Seen& one);
  static void add(const ScatterState& state, int i, int j, double by_moment, ScatterSlope& slope);

  std::vector<Seen> seen_;
  std::vector<int> bounded_;  ///< columns
  double log_slope_ = 0;
};

}  // namespace postern::infer
