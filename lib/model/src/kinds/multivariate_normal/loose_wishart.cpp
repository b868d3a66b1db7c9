#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/draw.hpp"
#include "postern/model/wishart.hpp"

// With p_k ~ chi-square(1) m_k, that is Gamma(1/2, rate 1 / (2 m_k)), and Sigma ~ inverse-Wishart(v,
// diag(p)), p_k given Sigma is Gamma((v + 1) / 2, rate (1 / m_k + (Sigma^-1)_kk) / 2).

namespace postern::model {
namespace {

constexpr double kLeast = 1e-30;  // of an entry in units of its mean, for the sake of later divisions

WishartPrior with_scale(const WishartPrior& prior, const std::vector<double>& entries) {
  WishartPrior out = prior;
  const std::size_t d = prior.mean.size();
  for (std::size_t i = 0; i < d; ++i)
    out.scale[i * d + i] = std::max(entries[i], kLeast * prior.scale[i * d + i]);
  out.loose = false;
  return out;
}

}  // namespace

WishartPrior settled(const WishartPrior& prior, Rng& rng) { return settled(prior, {}, rng); }

WishartPrior settled(const WishartPrior& prior, const std::vector<double>& inverse_diagonal, Rng& rng) {
  if (!prior.loose) return prior;
  const std::size_t d = prior.mean.size();
  const double shape = inverse_diagonal.empty() ? 0.5 : (prior.degrees + 1) / 2;
  std::vector<double> entries(d);
  for (std::size_t i = 0; i < d; ++i) {
    const double seen = inverse_diagonal.empty() ? 0 : inverse_diagonal[i];
    entries[i] = 2 * draw_gamma(shape, rng) / (1 / prior.scale[i * d + i] + seen);
  }
  return with_scale(prior, entries);
}

/// By elimination with row exchanges.
std::vector<double> inverse_diagonal(const std::vector<double>& root, std::size_t d) {
  std::vector<double> left = root;
  std::vector<double> inverse(d * d);
  for (std::size_t i = 0; i < d; ++i) inverse[i * d + i] = 1;
  for (std::size_t p = 0; p < d; ++p) {
    std::size_t best = p;
    for (std::size_t i = p + 1; i < d; ++i)
      if (std::abs(left[i * d + p]) > std::abs(left[best * d + p])) best = i;
    for (std::size_t k = 0; k < d; ++k) {
      std::swap(left[p * d + k], left[best * d + k]);
      std::swap(inverse[p * d + k], inverse[best * d + k]);
    }
    const double pivot = left[p * d + p];
    for (std::size_t k = 0; k < d; ++k) {
      left[p * d + k] /= pivot;
      inverse[p * d + k] /= pivot;
    }
    for (std::size_t i = 0; i < d; ++i) {
      const double factor = i == p ? 0 : left[i * d + p];
      for (std::size_t k = 0; k < d; ++k) {
        left[i * d + k] -= factor * left[p * d + k];
        inverse[i * d + k] -= factor * inverse[p * d + k];
      }
    }
  }
  std::vector<double> out(d);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = 0; k < d; ++k) out[i] += inverse[k * d + i] * inverse[k * d + i];
  }
  return out;
}

std::vector<VectorTheta> draw_after(const WishartPrior& prior, const VectorSums& sums, std::size_t draws,
                                    Rng& rng) {
  constexpr std::size_t kWarmUp = 50;
  WishartPrior known = prior;
  known.loose = false;
  std::vector<VectorTheta> out;
  for (std::size_t i = 0; i < draws + (prior.loose ? kWarmUp : 0); ++i) {
    VectorTheta theta = draw_normal_inverse_wishart(sums.n > 0 ? update(known, sums) : known, rng);
    if (prior.loose) known = settled(prior, inverse_diagonal(theta.root, prior.mean.size()), rng);
    if (!prior.loose || i >= kWarmUp) out.push_back(std::move(theta));
  }
  return out;
}

}  // namespace postern::model
