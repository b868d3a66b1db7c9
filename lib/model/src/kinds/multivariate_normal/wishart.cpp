#include "postern/model/wishart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

namespace postern::model {
namespace {

constexpr double kDigits = 1e-16;  ///< of a double, squared pivots being told apart

}  // namespace

VectorSums no_vectors(std::size_t dimension) {
  return {0, std::vector<double>(dimension), std::vector<double>(dimension * (dimension + 1) / 2)};
}

void add_vector(VectorSums& sums, const std::vector<double>& x) {
  sums.n += 1;
  std::size_t place = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sums.sums[i] += x[i];
    for (std::size_t j = i; j < x.size(); ++j) sums.products[place++] += x[i] * x[j];
  }
}

/// Around the prior's mean: with y = x - mean, scale' = scale + sum y y^T - (sum y)(sum y)^T / (weight + n).
WishartPrior update(const WishartPrior& prior, const VectorSums& sums) {
  const std::size_t d = prior.mean.size();
  const double weight = prior.weight + sums.n;
  std::vector<double> shift(d);
  for (std::size_t i = 0; i < d; ++i) shift[i] = sums.sums[i] - sums.n * prior.mean[i];
  WishartPrior out = prior;
  out.weight = weight;
  out.degrees += sums.n;
  for (std::size_t i = 0; i < d; ++i) {
    out.mean[i] += shift[i] / weight;
    for (std::size_t j = i; j < d; ++j) {
      const double about_mean =
          sums.products[packed_place(i, j, d)] - prior.mean[i] * sums.sums[j] - prior.mean[j] * shift[i];
      out.scale[i * d + j] += about_mean - shift[i] * shift[j] / weight;
      out.scale[j * d + i] = out.scale[i * d + j];
    }
  }
  return out;
}

std::vector<double> cholesky(const std::vector<double>& matrix, std::size_t d, double least) {
  std::vector<double> lower(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = matrix[i * d + j];
      for (std::size_t k = 0; k < j; ++k) rest -= lower[i * d + k] * lower[j * d + k];
      if (i != j) {
        lower[i * d + j] = rest / lower[j * d + j];
        continue;
      }
      const double raised = std::max(least * std::abs(matrix[i * d + i]), std::numeric_limits<double>::min());
      const double pivot = least > 0 ? std::max(rest, raised) : rest;
      if (!(pivot > 0)) return {};
      lower[i * d + i] = std::sqrt(pivot);
    }
  }
  return lower;
}

/// The least of Bartlett's squared pivots is a chi-square of degrees - d + 1; P(chi-square < x) is
/// (x/2)^(k/2) / Gamma(k/2 + 1) for k degrees and x near 0.
double singular_share(double degrees, std::size_t d) {
  const double half = (degrees - static_cast<double>(d) + 1) / 2;
  return std::exp(half * std::log(kDigits / 2) - log_gamma(half + 1));
}

/// Bartlett: with scale = L L^T and A lower triangular, A_ii^2 ~ chi-square(degrees - i), A_ij ~ Normal(0,
/// 1), Sigma = B B^T for B = L A^-T.
VectorTheta draw_normal_inverse_wishart(const WishartPrior& prior, Rng& rng) {
  if (prior.loose) return draw_normal_inverse_wishart(settled(prior, rng), rng);
  const std::size_t d = prior.mean.size();
  // Records of a nearly singular Sigma may add up to a scale that is definite before rounding only.
  const std::vector<double> lower = cholesky(prior.scale, d, kDigits);
  std::vector<double> bartlett(d * d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < i; ++j) bartlett[i * d + j] = draw_normal(rng);
    // In logarithms: a chi-square of few degrees may be too small for a double.
    const double log_half = draw_log_gamma((prior.degrees - static_cast<double>(i)) / 2, rng);
    bartlett[i * d + i] = std::clamp(std::sqrt(2.0) * std::exp(log_half / 2), 1e-120, 1e120);
  }
  std::vector<double> root(d * d);
  for (std::size_t r = 0; r < d; ++r) {
    for (std::size_t j = 0; j < d; ++j) {
      double rest = lower[r * d + j];
      for (std::size_t k = 0; k < j; ++k) rest -= root[r * d + k] * bartlett[j * d + k];
      root[r * d + j] = rest / bartlett[j * d + j];
    }
  }
  VectorTheta theta{prior.mean, std::vector<double>(d * d), {}};
  std::vector<double> normal(d);
  for (double& z : normal) z = draw_normal(rng);
  for (std::size_t i = 0; i < d; ++i) {
    double shift = 0;
    for (std::size_t k = 0; k < d; ++k) shift += root[i * d + k] * normal[k];
    theta.mean[i] += shift / std::sqrt(prior.weight);
    for (std::size_t j = 0; j < d; ++j) {
      double entry = 0;
      for (std::size_t k = 0; k < d; ++k) entry += root[i * d + k] * root[j * d + k];
      theta.covariance[i * d + j] = entry;
    }
  }
  theta.root = std::move(root);
  return theta;
}

}  // namespace postern::model
