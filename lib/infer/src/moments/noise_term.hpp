#pragma once

#include <vector>

#include "moments/unknowns.hpp"

namespace postern::infer {

/// How probable the noise is that the released values imply, and that columns lie in -1..1: a factor
/// (1 - G_ii / n)^(1/2) a column of many levels.
class NoiseTerm {
 public:
  NoiseTerm(const ScatterProblem& problem, const ScatterOrder& order);

  struct Workspace {
    Workspace(const NoiseTerm& term, const UnknownPlaces& places);
    DenseMatrix moments;  ///< G, lower triangle
    std::vector<double> residual;
    DenseMatrix by_moment;
  };
  /// `smooth` takes Laplace noise for Gaussian noise of its variance, to look for a mode.
  [[nodiscard]] double value(const ScatterState& state, bool smooth, Workspace& work) const;
  /// Adds to slopes. @pre work is that of value
  void slope(const ScatterState& state, bool smooth, Workspace& work, ScatterSlope& slope) const;
  [[nodiscard]] std::size_t size() const { return seen_.size(); }

 private:
  struct Seen {
    int first, second;  ///< entries of G, columns in the factor's order
    double value, weight, rate, precision;
  };
  void add_bounds(const ScatterState& state, ScatterSlope& slope) const;

  int width_;
  std::vector<Seen> seen_;
  std::vector<double> origin_;  ///< by position
  std::vector<int> bounded_;    ///< columns
  double log_slope_ = 0;
};

}  // namespace postern::infer
