#pragma once

#include <cstddef>
#include <vector>

#include "postern/infer/moments/problem.hpp"

#include "moments/dense.hpp"

namespace postern::infer {

/// Noisy values of each G_ij, i and j places in w, averaged by precision, and the variance of their noise.
/// Those of two entries at once take the other entry as it was seen.
class SeenMoments {
 public:
  SeenMoments(const ScatterProblem& problem, double n);
  [[nodiscard]] bool has(std::size_t i, std::size_t j) const { return precision_(i, j) > 0; }
  [[nodiscard]] double value(std::size_t i, std::size_t j) const { return value_(i, j); }
  [[nodiscard]] double variance(std::size_t i, std::size_t j) const { return 1 / precision_(i, j); }
  [[nodiscard]] double sd(std::size_t i, std::size_t j) const;

 private:
  void add(std::size_t i, std::size_t j, double value, double variance);
  DenseMatrix value_, precision_;  ///< symmetric
};

/// n as it is, or as the noisy values say.
[[nodiscard]] double plausible_records(const ScatterProblem& problem);

/// How the columns' factor is written: which column comes when, and which entries noise hides.
struct ScatterOrder {
  std::vector<std::size_t> column;  ///< by position; the target's, if there is one, last
  std::size_t seen = 0;             ///< so many pivots stand out of their noise
  /// Entries of the factor, lower triangle, that are in units of their column's typical sd.
  std::vector<std::vector<bool>> hidden;
};
/// By a pivoted Cholesky factorisation of the noisy scatter: the column that stands farthest out of its noise
/// comes next. Released numbers alone settle it, so it is a change of coordinates and no more.
[[nodiscard]] ScatterOrder order_columns(const ScatterProblem& problem);

}  // namespace postern::infer
