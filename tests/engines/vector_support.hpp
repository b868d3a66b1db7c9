#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/records.hpp"
#include "postern/model/column.hpp"

namespace postern::infer {

/// Columns, all over one range, and a prior, before anything was seen.
struct VectorShape {
  std::size_t columns = 2;
  model::Values values = model::RealRange{0, 1, Rational(1, 100), {}};
  WishartPrior prior;
  model::Policy outside = model::Clamp{};
};

/// Mean in the middle, Sigma about deviation^2 with correlations of `correlation`, all in widths of 0..1.
inline WishartPrior wishart_prior(std::size_t d, double weight, double degrees, double deviation,
                                  double correlation = 0) {
  WishartPrior out{std::vector<double>(d, 0.5), weight, degrees, {}};
  const double scale = deviation * deviation * (degrees - static_cast<double>(d) + 1);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) out.scale.push_back(scale * (i == j ? 1 : correlation));
  }
  return out;
}

inline VectorRecords make_records(const VectorShape& shape) {
  model::Column column;
  column.name = "x";
  column.values = shape.values;
  column.outside = shape.outside;
  VectorRecords out;
  out.numbers.assign(shape.columns, model::encoded_number(column, {}));
  out.sums.resize(shape.columns);
  out.products.resize(sums_of(shape.columns) - shape.columns);
  return out;
}

inline VectorProblem make_vectors(const VectorShape& shape, std::size_t sets = 1) {
  return {shape.prior, std::vector<VectorRecords>(sets, make_records(shape))};
}

/// What n records drawn at theta add up to.
inline VectorTotals draw_totals(const VectorRecords& records, const MeanAndSpread& theta, std::int64_t n,
                                Rng& rng) {
  const std::size_t d = records.numbers.size();
  VectorTotals out;
  out.n = static_cast<double>(n);
  for (std::int64_t r = 0; r < n; ++r) {
    Row z{};
    Row k{};
    for (std::size_t i = 0; i < d; ++i) {
      z[i] = draw_normal(rng);
      double x = theta.mean[i];
      for (std::size_t j = 0; j <= i; ++j) x += theta.factor(i, j) * z[j];
      const auto& number = records.numbers[i];
      k[i] = static_cast<double>(number.values.adds[static_cast<std::size_t>(number.level_of(x))]);
    }
    for (std::size_t i = 0; i < d; ++i) {
      out.sum[i] += k[i];
      for (std::size_t j = i; j < d; ++j) out.sum[d + packed(i, j, d)] += k[i] * k[j];
    }
  }
  return out;
}

/// The laws of the noise that a budget of epsilon buys, as the owner shares it: a tenth for the count where
/// n is private, the rest evenly over the sums. Gaussian: of the same variance.
struct VectorNoiseLaws {
  std::vector<release::NoiseLaw> sums;  ///< in the order of VectorTotals
  std::vector<release::NoiseLaw> counts;
};
inline VectorNoiseLaws noise_for(const VectorRecords& records, double epsilon, bool latent, bool gaussian) {
  const std::size_t d = records.numbers.size();
  const auto law = [&](double sensitivity, double share) {
    const release::DiscreteLaplace laplace(share / sensitivity);
    if (!gaussian) return release::NoiseLaw(laplace);
    return release::NoiseLaw(release::DiscreteGaussian(laplace.variance()));
  };
  const double share = (latent ? 0.9 : 1.0) * epsilon / static_cast<double>(sums_of(d));
  VectorNoiseLaws out;
  const auto range = [&](std::size_t i) {
    const auto& adds = records.numbers[i].values.adds;
    return static_cast<double>(adds.back() - adds.front());
  };
  for (std::size_t i = 0; i < d; ++i) out.sums.push_back(law(range(i), share));
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) out.sums.push_back(law(range(i) * range(j), share));
  }
  if (latent) out.counts.push_back(law(1, 0.1 * epsilon));
  return out;
}

/// Replaces what the set has seen by new noise on these totals.
inline void see(VectorRecords& records, const VectorNoiseLaws& noise, const VectorTotals& totals, Rng& rng) {
  const std::size_t d = records.numbers.size();
  const auto noisy_value = [&](const release::NoiseLaw& law, double value) {
    return std::vector<NoisyValue>{{value + static_cast<double>(release::simulate(law, rng)), law}};
  };
  for (std::size_t s = 0; s < sums_of(d); ++s)
    (s < d ? records.sums[s] : records.products[s - d]) = noisy_value(noise.sums[s], totals.sum[s]);
  records.counts.clear();
  for (const release::NoiseLaw& law : noise.counts) records.counts = noisy_value(law, totals.n);
}

/// mu, then the upper triangle of Sigma.
inline std::vector<double> values_of(const MeanAndSpread& theta, std::size_t d) {
  std::vector<double> out(theta.mean.begin(), theta.mean.begin() + static_cast<std::ptrdiff_t>(d));
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) out.push_back(covariance(theta, i, j));
  }
  return out;
}

}  // namespace postern::infer
