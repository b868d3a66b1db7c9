#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "postern/core/draw.hpp"
#include "postern/infer/glm/problem.hpp"
#include "postern/model/wishart.hpp"

#include "regression_problems.hpp"

namespace postern::infer {

/// A draw of the coefficients from the prior, and the sums of products of n records under them.
struct MadeUpGlm {
  std::vector<double> theta;
  std::size_t width = 0;
  std::vector<double> moments;  ///< sum of w w^T, w = (1, x, y), square

  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return moments[i * width + j]; }
};

inline double draw_target(const GlmLaw& law, double a, Rng& rng) {
  if (!law.counts()) return rng.uniform() < 1 / (1 + std::exp(-a)) ? 1 : -1;
  const double count = a > 9 ? law.most_counted : draw_poisson(std::exp(a), rng);
  return 2 * std::min(count, law.most_counted) / law.most_counted - 1;
}

inline MadeUpGlm draw_glm_records(const GlmProblem& problem, std::int64_t n, Rng& rng) {
  const RegressionPrior& prior = problem.sums.prior;
  const std::size_t d = prior.scale.size();
  MadeUpGlm out{std::vector<double>(d + 1), d + 2, std::vector<double>((d + 2) * (d + 2))};
  model::WishartPrior law{std::vector<double>(d), prior.weight, prior.degrees, std::vector<double>(d * d)};
  for (std::size_t i = 0; i < d; ++i) law.scale[i * d + i] = prior.scale[i];
  const model::VectorTheta features = model::draw_normal_inverse_wishart(law, rng);
  out.theta[0] = problem.intercept_mean + problem.intercept_sd * draw_normal(rng);
  for (std::size_t i = 1; i <= d; ++i) out.theta[i] = problem.slope_sd * draw_normal(rng);
  std::vector<double> w(d + 2, 1);
  std::vector<double> z(d);
  for (std::int64_t r = 0; r < n; ++r) {
    for (double& one : z) one = draw_normal(rng);
    double a = out.theta[0];
    for (std::size_t i = 0; i < d; ++i) {
      w[i + 1] = features.mean[i];
      for (std::size_t k = 0; k < d; ++k) w[i + 1] += features.root[i * d + k] * z[k];
      a += out.theta[i + 1] * w[i + 1];
    }
    w[d + 1] = draw_target(problem.law, a, rng);
    for (std::size_t i = 0; i < w.size(); ++i) {
      for (std::size_t j = 0; j < w.size(); ++j) out.moments[i * w.size() + j] += w[i] * w[j];
    }
  }
  return out;
}

/// The chance that the engine's density gives such records to be of columns in -1..1.
inline double chance_to_pass(const MadeUpGlm& records) {
  double chance = 1;
  for (std::size_t i = 1; i + 1 < records.width; ++i)
    chance *= std::max(0.0, 1 - records.at(i, i) / records.at(0, 0));
  return std::sqrt(chance);
}

/// What is measured of w w^T: all but the number of records and the target's square.
inline bool is_measured(std::size_t i, std::size_t j, std::size_t width) {
  return i > 0 && (i != j || i + 1 < width);
}

/// A problem whose features' means are nearer to 0 than by default, which is quicker to find.
inline GlmProblem blank_glm(std::size_t features, const GlmLaw& law) {
  GlmProblem out;
  out.sums.features = features;
  out.sums.prior = centred_prior(features);
  out.law = law;
  out.slope_sd = law.counts() ? 0.7 : 2;
  out.intercept_sd = law.counts() ? 0.7 : 1.5;
  out.intercept_mean = law.counts() ? 0.5 * std::log(law.most_counted) : 0;
  return out;
}

/// Draws records that pass, and sees their sums through noise.
inline MadeUpGlm see_records(GlmProblem& problem, std::int64_t n, const MomentNoise& noise, Rng& rng) {
  MadeUpGlm records = draw_glm_records(problem, n, rng);
  while (rng.uniform() >= chance_to_pass(records)) records = draw_glm_records(problem, n, rng);
  for (std::size_t i = 1; i < records.width; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (is_measured(i, j, records.width))
        problem.sums.moments.push_back({i, j, records.at(i, j) + draw_noise(noise, rng), noise});
    }
  }
  problem.sums.total = KnownTotal{n};
  return records;
}

}  // namespace postern::infer
