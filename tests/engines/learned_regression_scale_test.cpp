#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/importance.hpp"
#include "postern/infer/moments/chain.hpp"

#include "learned_regressions.hpp"

// Draws weighed to another scale of their prior say what chains under that prior say.

namespace postern::infer {
namespace {

constexpr std::size_t kDraws = 1000;

std::vector<double> quantity(const MomentRun& run, std::size_t q) {
  std::vector<double> out;
  for (const std::vector<double>& chain : run.chains.draws) {
    const auto first = chain.begin() + static_cast<std::ptrdiff_t>(q * kDraws);
    out.insert(out.end(), first, first + kDraws);
  }
  return out;
}

MomentRun run_at(ScatterProblem problem, double scale) {
  problem.prior_scale = scale;
  DriverOptions options;
  options.draws = kDraws;
  options.seed = 4;
  options.threads = 1;
  return draw_learned_regression(problem, options, {});
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// 120 records of two features, the first of which explains a part of the target.
ScatterProblem made_up() {
  Rng rng(5, 0, Purpose::test);
  const MomentNoise noise{MomentNoise::Shape::laplace, 6};
  ScatterProblem out;
  out.columns = 3;
  out.target = true;
  out.total = KnownTotal{120};
  std::vector<double> sums(16);
  for (int r = 0; r < 120; ++r) {
    const double x = 0.4 * draw_normal(rng);
    const double w[] = {1, x, 0.3 * draw_normal(rng), 0.6 * x + 0.2 * draw_normal(rng)};
    for (int i = 0; i < 16; ++i) sums[static_cast<std::size_t>(i)] += w[i / 4] * w[i % 4];
  }
  for (std::size_t i = 1; i < 4; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      out.moments.push_back({i, j, sums[4 * i + j] + draw_moment_noise(noise, rng), noise});
  }
  return out;
}

TEST(LearnedRegressionScale, WeightsSayWhatChainsSay) {
  const ScatterProblem problem = made_up();
  const LearnedRegressionQuantities at(problem);
  const MomentRun own = run_at(problem, 1);
  double farthest = 0;
  for (const double times : {0.5, 2.0}) {
    const ImportanceWeights weights =
        smoothed_weights(quantity(own, times < 1 ? at.half_scale : at.twice_scale));
    ASSERT_LT(weights.pareto_k, 0.7) << times;
    const MomentRun other = run_at(problem, times);
    for (std::size_t q = 0; q <= at.sigma; ++q) {
      const std::vector<double> draws = quantity(own, q);
      const double mean = mean_of(draws);
      double weighed = 0;
      double square = 0;
      for (std::size_t i = 0; i < draws.size(); ++i) {
        weighed += weights.weight[i] * draws[i];
        square += (draws[i] - mean) * (draws[i] - mean) / static_cast<double>(draws.size());
      }
      const double sd = std::sqrt(square);
      // 4000 nearly independent draws on either side, weights that are worth a fifth of them: .04 sds.
      EXPECT_NEAR(weighed / sd, mean_of(quantity(other, q)) / sd, 0.2) << times << " quantity " << q;
      farthest = std::max(farthest, std::abs(weighed - mean) / sd);
    }
  }
  EXPECT_GT(farthest, 0.3);  // or there is nothing to see
}

}  // namespace
}  // namespace postern::infer
