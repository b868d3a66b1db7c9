#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/infer/moments/problem.hpp"
#include "postern/model/wishart.hpp"

namespace postern::infer {

/// Coefficients, and the moments of n records under them.
struct LearnedTruth {
  std::vector<double> beta;  ///< the intercept's first
  double sigma = 0;
  std::int64_t n = 0;
  std::vector<double> moments;  ///< sum of w w^T, w = (1, x, y), square

  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return moments[i * (beta.size() + 1) + j]; }
};

/// nu of the covariance's prior.
inline double draw_nu(Rng& rng) {
  for (;;) {
    const double nu = std::exp(std::log(20.0) + 0.7 * draw_normal(rng));
    if (rng.uniform() < std::exp(-0.5 * nu * nu / 6400)) return nu;
  }
}

/// Sds of columns whose axes are asked for: log sds in `units` are Student's t about their mean (spread 0.2,
/// one degree), their geometric mean is flat, and each has the weight exp(-2 s^2) of a half-normal of 0.5.
inline std::vector<double> draw_alike_sds(const std::vector<double>& units, Rng& rng) {
  const auto d = static_cast<double>(units.size());
  double log_units = 0;
  for (const double unit : units) log_units += std::log(unit) / d;
  for (;;) {
    const double spread = 0.2 / std::abs(draw_normal(rng));
    std::vector<double> out(units.size());
    double mean = 0;
    for (double& one : out) mean += (one = spread * draw_normal(rng)) / d;
    double squares = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = std::exp(out[i] - mean + log_units) / units[i];
      squares += out[i] * out[i];
    }
    if (!std::isfinite(squares)) continue;
    // The geometric mean, given the rest, is half-normal; squares are d or more.
    if (rng.uniform() > std::sqrt(d / squares)) continue;
    const double mean_sd = 0.5 / std::sqrt(squares) * std::abs(draw_normal(rng));
    for (double& one : out) one *= mean_sd;
    return out;
  }
}

/// The features' covariance from its prior; `units` of columns whose axes are asked for, else empty.
inline model::VectorTheta draw_learned_covariance_truth(std::size_t d, Rng& rng,
                                                        const std::vector<double>& units = {}) {
  const double nu = draw_nu(rng);
  const double share = rng.uniform();
  const double g = std::sqrt(share / (1 - share));
  std::vector<double> sd(d), f(d);
  if (!units.empty()) sd = draw_alike_sds(units, rng);
  for (std::size_t i = 0; i < d; ++i) {
    f[i] = g * ((rng.uniform() < 0.5 ? -1 : 1) + 0.5 * draw_normal(rng));
    if (units.empty()) sd[i] = 0.5 * std::abs(draw_normal(rng));
    sd[i] /= std::sqrt(1 + f[i] * f[i]);
  }
  // The mean is not used: those of the records are flat.
  model::WishartPrior prior{std::vector<double>(d), 1, nu + static_cast<double>(d) - 1,
                            std::vector<double>(d * d)};
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j)
      prior.scale[i * d + j] = nu * sd[i] * sd[j] * ((i == j ? 1 : 0) + f[i] * f[j]);
  }
  return model::draw_normal_inverse_wishart(prior, rng);
}

/// Draws from the law that the posterior of moments with learned scales presumes; means of records are flat
/// in the box. `n` may be another in every try.
template <class DrawN>
LearnedTruth draw_learned_truth(std::size_t d, DrawN draw_n, Rng& rng) {
  for (;;) {
    LearnedTruth out{std::vector<double>(d + 1), 0, draw_n(), std::vector<double>((d + 2) * (d + 2))};
    const auto n = static_cast<double>(out.n);
    const model::VectorTheta law = draw_learned_covariance_truth(d, rng);
    // Residuals of the records about their means, d features and the target's errors.
    std::vector<double> scatter((d + 1) * (d + 1)), z(d), x(d + 1);
    std::vector<double> sums(d + 1);
    for (std::int64_t r = 0; r < out.n; ++r) {
      for (double& one : z) one = draw_normal(rng);
      for (std::size_t i = 0; i < d; ++i) {
        x[i] = 0;
        for (std::size_t k = 0; k < d; ++k) x[i] += law.root[i * d + k] * z[k];
      }
      x[d] = draw_normal(rng);
      for (std::size_t i = 0; i <= d; ++i) {
        sums[i] += x[i] / n;
        for (std::size_t j = 0; j <= d; ++j) scatter[i * (d + 1) + j] += x[i] * x[j];
      }
    }
    const auto about = [&](std::size_t i, std::size_t j) {
      return scatter[i * (d + 1) + j] - n * sums[i] * sums[j];
    };
    const double rate = 0.04 * draw_exponential(rng);
    out.sigma = std::sqrt(rate / draw_exponential(rng));
    const double tau2 = 0.64 / static_cast<double>(d) * 1.5 / draw_gamma(1.5, rng);
    for (std::size_t j = 0; j < d; ++j) {
      const double lambda2 = 1.5 / draw_gamma(1.5, rng);
      out.beta[j + 1] = out.sigma * std::sqrt(tau2 * lambda2 / (about(j, j) / n)) * draw_normal(rng);
    }
    // y about its mean is x beta + sigma e; means are flat.
    std::vector<double> mean(d + 2, 1);
    for (std::size_t i = 1; i <= d + 1; ++i) mean[i] = 2 * rng.uniform() - 1;
    std::vector<double> centred((d + 2) * (d + 2));
    const auto weight = [&](std::size_t k) { return k < d ? out.beta[k + 1] : out.sigma; };
    for (std::size_t i = 0; i <= d; ++i) {
      for (std::size_t k = 0; k <= d; ++k) {
        if (i < d) centred[(i + 1) * (d + 2) + d + 1] += weight(k) * about(i, k);
        centred[(d + 1) * (d + 2) + d + 1] += weight(i) * weight(k) * about(i, k);
        if (i < d && k < d) centred[(i + 1) * (d + 2) + k + 1] = about(i, k);
      }
    }
    out.beta[0] = mean[d + 1] - out.sigma / std::sqrt(n) * draw_normal(rng);
    for (std::size_t j = 0; j < d; ++j) out.beta[0] -= out.beta[j + 1] * mean[j + 1];
    double chance = 1;
    for (std::size_t i = 0; i < d + 2; ++i) {
      for (std::size_t j = 0; j < d + 2; ++j) {
        const double value = centred[std::min(i, j) * (d + 2) + std::max(i, j)];
        out.moments[i * (d + 2) + j] = value + n * mean[i] * mean[j];
      }
      if (i > 0) chance *= std::max(0.0, 1 - out.at(i, i) / n);
    }
    if (rng.uniform() < std::sqrt(chance)) return out;
  }
}

inline double draw_moment_noise(const MomentNoise& noise, Rng& rng) {
  if (noise.shape == MomentNoise::Shape::gaussian) return noise.scale * draw_normal(rng);
  return noise.scale * (draw_exponential(rng) - draw_exponential(rng));
}

/// All moments but n, seen through noise.
inline ScatterProblem seen_through(const LearnedTruth& truth, const MomentNoise& noise, Rng& rng) {
  ScatterProblem out;
  out.columns = truth.beta.size();
  out.target = true;
  out.total = KnownTotal{truth.n};
  for (std::size_t i = 1; i < out.width(); ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      out.moments.push_back({i, j, truth.at(i, j) + draw_moment_noise(noise, rng), noise});
  }
  return out;
}

}  // namespace postern::infer
