#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "postern/infer/kinds/total.hpp"

namespace postern::infer {

/// The law of noise on a sum of real numbers: discrete noise on a grid that is fine beside it.
struct MomentNoise {
  enum class Shape { laplace, gaussian };
  Shape shape = Shape::laplace;
  double scale = 1;  ///< Laplace: e^{-|t| / scale}; Gaussian: its standard deviation
};

/// A noisy value of G_ij + weight G_kl, where G is the sum of w w^T over the records, w = (1, x, y).
struct NoisyMoment {
  std::size_t i = 0;
  std::size_t j = 0;
  double value = 0;
  MomentNoise noise;
  double weight = 0;  ///< 0: of G_ij alone
  std::size_t k = 0;
  std::size_t l = 0;
  double unit = 1;  ///< what a step of the released whole number stands for
};

/// x ~ N(m, T), T ~ IW(degrees, diag(scale)), m | T ~ N(0, T / weight); y | x ~ N((1, x)^T beta, sigma2),
/// sigma2 ~ IG(shape, rate), beta | sigma2 ~ N(0, sigma2 diag(precision)^-1).
struct RegressionPrior {
  double weight = 0.01;
  double degrees = 0;
  std::vector<double> scale;      ///< one a feature
  std::vector<double> precision;  ///< of the intercept and of each feature
  double shape = 2;
  double rate = 0.1;
};

/// The default for so many features with values in -1..1: about a third of the target's variance is
/// explained, however many features there are.
[[nodiscard]] RegressionPrior default_regression_prior(std::size_t features);

/// What is known of the records of one record set, x and y scaled to -1..1.
struct RegressionProblem {
  std::size_t features = 0;
  RegressionPrior prior;
  std::vector<NoisyMoment> moments;  ///< as they were released, block by block; others behind them
  std::variant<KnownTotal, LatentTotal> total;
  /// The same sums over records that are public, row-major and square; empty where there are none.
  std::vector<double> public_moments;
  /// Of a joint_normal_prior: its scale is loose, as model::WishartPrior's.
  bool loose_scale = false;

  [[nodiscard]] std::size_t width() const { return features + 2; }  ///< of w
  [[nodiscard]] double public_records() const { return public_moments.empty() ? 0 : public_moments.front(); }
};

}  // namespace postern::infer
