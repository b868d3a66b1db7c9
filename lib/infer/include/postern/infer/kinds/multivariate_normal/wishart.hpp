#pragma once

#include <array>
#include <cstddef>

#include "postern/core/rng.hpp"
#include "postern/infer/kinds/multivariate_normal/problem.hpp"

namespace postern::infer {

inline constexpr std::size_t kMostColumns = 8;

using Row = std::array<double, kMostColumns>;
/// A matrix of at most kMostColumns rows, on the stack.
struct Square {
  std::array<double, kMostColumns * kMostColumns> at{};
  double& operator()(std::size_t i, std::size_t j) { return at[i * kMostColumns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return at[i * kMostColumns + j]; }
};

/// Place of (i, j), i <= j < d, in an upper triangle kept row by row.
[[nodiscard]] constexpr std::size_t packed(std::size_t i, std::size_t j, std::size_t d) {
  return i * d - i * (i + 1) / 2 + j;
}

/// mu and Sigma = factor factor^T, factor lower triangular with a positive diagonal.
struct MeanAndSpread {
  Row mean{};
  Square factor{};
};

/// Sigma_ij, i <= j.
[[nodiscard]] inline double covariance(const MeanAndSpread& theta, std::size_t i, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k <= i; ++k) sum += theta.factor(i, k) * theta.factor(j, k);
  return sum;
}

/// What records say about mu and Sigma. Records: weight = degrees = how many there are.
struct VectorMoments {
  double weight = 0;   ///< the mean's variance is Sigma / weight
  double degrees = 0;  ///< what is added to the prior's
  Row mean{};
  Square scatter{};  ///< about the mean; lower triangle
};

/// The lower triangular factor of scatter, its squared pivots at least `least`: by rounding they could fall
/// below a bound that is known.
[[nodiscard]] Square lower_factor(const Square& scatter, std::size_t d, const Row& least);
/// A positive definite matrix near one that need not be: correlations are drawn in as far as it takes. Lower
/// triangles. @pre the diagonal is positive
[[nodiscard]] Square made_definite(const Square& covariance, std::size_t d);
/// The lower triangular factor with a positive diagonal of rows rows^T.
[[nodiscard]] Square triangular(const Square& rows, std::size_t d);

/// The normal-inverse-Wishart law of (mu, Sigma).
class NormalWishart {
 public:
  /// Throws bad_prior.
  explicit NormalWishart(const WishartPrior& prior);

  [[nodiscard]] std::size_t columns() const { return d_; }
  /// Of a loose prior: draws its scale given Sigma. Until it has been drawn it is its mean.
  void settle(const MeanAndSpread& theta, Rng& rng);
  [[nodiscard]] MeanAndSpread draw(const VectorMoments& moments, Rng& rng) const;
  /// Log density, up to a constant, against dmu times the measure of Sigma that no linear map G changes,
  /// Sigma -> G Sigma G^T: a proposal by such maps needs no Jacobian.
  [[nodiscard]] double log_weight(const MeanAndSpread& theta) const;
  /// A random step that leaves this law as it is, and is reversible: theta given the moments of so many
  /// imagined records of `from`. None: a new draw of the prior; many: a short step.
  [[nodiscard]] MeanAndSpread nearby(const MeanAndSpread& from, double records, Rng& rng) const;

 private:
  std::size_t d_;
  Row mean_{};
  double weight_;
  double degrees_;
  Square scale_{};
  Square factor_{};  ///< of the scale
  Row pivots_{};     ///< squares of its diagonal
  Row loose_{};      ///< means of a loose scale's entries; else 0
};

}  // namespace postern::infer
