#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/infer/regression/problem.hpp"
#include "postern/model/wishart.hpp"

namespace postern::infer {

/// A draw of the parameters from the prior, and the moments of n records under it.
struct MadeUpRecords {
  std::vector<double> beta;
  double sigma = 0;
  std::vector<double> moments;  ///< sum of w w^T, w = (1, x, y), square

  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return moments[i * (beta.size() + 1) + j]; }
};

inline MadeUpRecords draw_records(const RegressionPrior& prior, std::int64_t n, Rng& rng) {
  const std::size_t d = prior.scale.size();
  MadeUpRecords out{std::vector<double>(d + 1), 0, std::vector<double>((d + 2) * (d + 2))};
  model::WishartPrior law{std::vector<double>(d), prior.weight, prior.degrees, std::vector<double>(d * d)};
  for (std::size_t i = 0; i < d; ++i) law.scale[i * d + i] = prior.scale[i];
  const model::VectorTheta theta = model::draw_normal_inverse_wishart(law, rng);
  out.sigma = std::sqrt(prior.rate / draw_gamma(prior.shape, rng));
  for (std::size_t i = 0; i <= d; ++i)
    out.beta[i] = out.sigma / std::sqrt(prior.precision[i]) * draw_normal(rng);
  std::vector<double> w(d + 2);
  std::vector<double> z(d);
  for (std::int64_t r = 0; r < n; ++r) {
    for (double& one : z) one = draw_normal(rng);
    w[0] = 1;
    for (std::size_t i = 0; i < d; ++i) {
      w[i + 1] = theta.mean[i];
      for (std::size_t k = 0; k < d; ++k) w[i + 1] += theta.root[i * d + k] * z[k];
    }
    w[d + 1] = out.sigma * draw_normal(rng);
    for (std::size_t i = 0; i <= d; ++i) w[d + 1] += out.beta[i] * w[i];
    for (std::size_t i = 0; i < w.size(); ++i) {
      for (std::size_t j = 0; j < w.size(); ++j) out.moments[i * w.size() + j] += w[i] * w[j];
    }
  }
  return out;
}

/// Whether such records pass for records of columns in -1..1, as the engine's density has it.
inline bool pass(const MadeUpRecords& records, Rng& rng) {
  const std::size_t width = records.beta.size() + 1;
  double chance = 1;
  for (std::size_t i = 1; i < width; ++i) {
    const double room = 1 - records.at(i, i) / records.at(0, 0);
    if (!(room > 0)) return false;
    chance *= room;
  }
  return rng.uniform() < std::sqrt(chance);
}

inline double draw_noise(const MomentNoise& noise, Rng& rng) {
  if (noise.shape == MomentNoise::Shape::gaussian) return noise.scale * draw_normal(rng);
  return noise.scale * (draw_exponential(rng) - draw_exponential(rng));
}

/// All moments of these records but n, seen through noise.
inline void see(RegressionProblem& problem, const MadeUpRecords& records, const MomentNoise& noise,
                Rng& rng) {
  for (std::size_t i = 1; i < problem.width(); ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      problem.moments.push_back({i, j, records.at(i, j) + draw_noise(noise, rng), noise});
  }
}

/// Records of the default prior that pass, but a mean nearer to 0, which is quicker to find; n is public.
inline RegressionPrior centred_prior(std::size_t features) {
  RegressionPrior prior = default_regression_prior(features);
  prior.weight = 2;
  prior.precision[0] = 2;
  return prior;
}

inline RegressionProblem made_up_problem(std::size_t features, std::int64_t n, const MomentNoise& noise,
                                         Rng& rng) {
  RegressionProblem problem;
  problem.features = features;
  problem.prior = centred_prior(features);
  problem.total = KnownTotal{n};
  MadeUpRecords records = draw_records(problem.prior, n, rng);
  while (!pass(records, rng)) records = draw_records(problem.prior, n, rng);
  see(problem, records, noise, rng);
  return problem;
}

}  // namespace postern::infer
