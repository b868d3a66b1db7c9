#pragma once

#include <cstddef>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::model {

/// Sigma ~ inverse-Wishart(degrees, scale), mu | Sigma ~ Normal(mean, Sigma / weight), in d dimensions.
struct WishartPrior {
  std::vector<double> mean;  ///< d
  double weight = 1;
  double degrees = 1;         ///< above d - 1
  std::vector<double> scale;  ///< d x d, row-major, symmetric, positive definite
  /// The scale is diagonal and unknown: each entry is chi-square(1) times what `scale` says, its mean. Then
  /// standard deviations are half-t with degrees - d + 1 degrees (Huang and Wand 2013).
  bool loose = false;
};

/// What n vectors x add up to.
struct VectorSums {
  double n = 0;
  std::vector<double> sums;      ///< d: of x_i
  std::vector<double> products;  ///< of x_i x_j, the upper triangle i <= j row by row
};
/// All zero.
[[nodiscard]] VectorSums no_vectors(std::size_t dimension);
/// Adds one vector.
void add_vector(VectorSums& sums, const std::vector<double>& x);

struct VectorTheta {
  std::vector<double> mean;        ///< d
  std::vector<double> covariance;  ///< d x d, row-major
  std::vector<double> root;        ///< d x d, row-major: root root^T = covariance
};

/// The place of (i, j), i <= j < d, in a packed upper triangle.
[[nodiscard]] constexpr std::size_t packed_place(std::size_t i, std::size_t j, std::size_t d) {
  return i * d - i * (i + 1) / 2 + j;
}

/// The conjugate law of (mu, Sigma) after n vectors. @pre vectors can add up to the sums, the scale is known
[[nodiscard]] WishartPrior update(const WishartPrior& prior, const VectorSums& sums);
/// Lower triangle L, row-major, with L L^T = matrix; nothing (empty) unless it is positive definite. Squared
/// pivots are raised to `least` of the diagonal, for what rounding may have taken.
[[nodiscard]] std::vector<double> cholesky(const std::vector<double>& matrix, std::size_t d,
                                           double least = 0);
/// The share of covariance matrices, Sigma in units of the scale, that are singular to the sixteen digits of
/// a double: with degrees hardly above d - 1 it is large, as one direction reaches past all bounds.
[[nodiscard]] double singular_share(double degrees, std::size_t d);
/// @pre prior.scale is positive definite, but for rounding, degrees > d - 1, weight > 0
[[nodiscard]] VectorTheta draw_normal_inverse_wishart(const WishartPrior& prior, Rng& rng);

/// A loose prior with its scale drawn, or drawn given Sigma^-1, of which the diagonal says all; a prior whose
/// scale is known as it is.
[[nodiscard]] WishartPrior settled(const WishartPrior& prior, Rng& rng);
[[nodiscard]] WishartPrior settled(const WishartPrior& prior, const std::vector<double>& inverse_diagonal,
                                   Rng& rng);
/// The diagonal of (root root^T)^-1. @pre root is d x d, row-major, invertible
[[nodiscard]] std::vector<double> inverse_diagonal(const std::vector<double>& root, std::size_t d);
/// Draws of (mu, Sigma) after n vectors: independent where the scale is known, a short Gibbs chain where not.
[[nodiscard]] std::vector<VectorTheta> draw_after(const WishartPrior& prior, const VectorSums& sums,
                                                  std::size_t draws, Rng& rng);

}  // namespace postern::model
