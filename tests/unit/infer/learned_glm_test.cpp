#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/infer/glm/chain.hpp"

namespace postern::infer {
namespace {

struct Shape {
  std::size_t features;
  double most;  ///< of a count; 0: two levels
  MomentNoise noise;
  bool latent = false;
};

double target_of(const Shape& shape, double a, Rng& rng) {
  if (shape.most == 0) return rng.uniform() < 1 / (1 + std::exp(-a)) ? 1 : -1;
  return 2 * std::min(draw_poisson(std::exp(a), rng), shape.most) / shape.most - 1;
}

/// 400 records of features that hang together, their sums seen through noise.
GlmProblem made_up(const Shape& shape, Rng& rng) {
  constexpr int kRecords = 400;
  GlmProblem out;
  out.sums.features = shape.features;
  out.law = {shape.most};
  const std::size_t width = out.sums.width();
  std::vector<double> sums(width * width), w(width, 1);
  for (int r = 0; r < kRecords; ++r) {
    for (std::size_t j = 1; j + 1 < width; ++j)
      w[j] = 0.06 * static_cast<double>(j + 1) * draw_normal(rng) + 0.02 * static_cast<double>(j);
    w[width - 2] += 0.3 * w[1];
    w.back() = target_of(shape, 0.3 + 4 * w[1] - w[width - 2], rng);
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < width; ++j) sums[i * width + j] += w[i] * w[j];
    }
  }
  for (std::size_t i = 1; i < width; ++i) {
    for (std::size_t j = 0; j <= i && (i + 1 < width || j < i); ++j)
      out.sums.moments.push_back(
          {i, j, sums[i * width + j] + shape.noise.scale * draw_normal(rng), shape.noise});
  }
  out.sums.moments.push_back({1, 1, sums[width + 1] - 0.5 * kRecords, shape.noise, -0.5, 0, 0});
  out.sums.total = KnownTotal{kRecords};
  if (shape.latent) {
    out.sums.total = LatentTotal{2000};
    out.sums.moments.push_back({0, 0, kRecords + shape.noise.scale * draw_normal(rng), shape.noise});
  }
  return out;
}

void expect_exact_gradient(const GlmProblem& problem, Rng& rng) {
  constexpr double kStep = 1e-6;
  const LearnedGlmDensity density(problem);
  std::vector<double> q = density.start();
  for (double& one : q) one += 0.05 * draw_normal(rng);
  std::vector<double> slope;
  const double value = density.gradient(q, slope);
  ASSERT_TRUE(std::isfinite(value));
  EXPECT_EQ(value, density.log_density(q));
  for (std::size_t u = 0; u < q.size(); ++u) {
    const double at = q[u];
    q[u] = at + kStep;
    const double above = density.log_density(q);
    q[u] = at - kStep;
    const double below = density.log_density(q);
    q[u] = at;
    EXPECT_NEAR((above - below) / (2 * kStep), slope[u],
                1e-4 * (1 + std::abs(slope[u])) + 1e-9 * std::abs(value) / kStep)
        << "unknown " << u << " of " << q.size();
  }
}

TEST(LearnedGlmDensity, GradientIsThatOfFiniteDifferences) {
  Rng rng(21, 0, Purpose::test);
  for (const std::size_t features : {1, 2, 4}) {
    for (const double most : {0.0, 12.0}) {
      for (const double scale : {3.0, 60.0}) {
        for (const bool latent : {false, true}) {
          const Shape shape{features, most, {MomentNoise::Shape::laplace, scale}, latent};
          GlmProblem problem = made_up(shape, rng);
          expect_exact_gradient(problem, rng);
          problem.prior_scale = 0.5;
          problem.two_levels = {TwoLevels{-1, 1}};
          problem.two_levels.resize(features);
          problem.sums.moments.front().noise.shape = MomentNoise::Shape::gaussian;
          expect_exact_gradient(problem, rng);
        }
      }
    }
  }
}

}  // namespace
}  // namespace postern::infer
