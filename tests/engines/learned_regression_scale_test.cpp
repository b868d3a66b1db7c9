#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/importance.hpp"
#include "postern/infer/glm/chain.hpp"
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

DriverOptions options() {
  DriverOptions out;
  out.draws = kDraws;
  out.seed = 4;
  out.threads = 1;
  return out;
}

/// Draws in units of some draws' middle half, 3 at most: a posterior may have no mean.
class Bounded {
 public:
  explicit Bounded(std::vector<double> draws) {
    std::sort(draws.begin(), draws.end());
    middle_ = draws[draws.size() / 2];
    scale_ = (draws[3 * draws.size() / 4] - draws[draws.size() / 4]) / 1.35;
  }
  [[nodiscard]] double mean(const std::vector<double>& draws, const std::vector<double>& weight) const {
    double sum = 0;
    for (std::size_t i = 0; i < draws.size(); ++i)
      sum += weight[i] * std::clamp((draws[i] - middle_) / scale_, -3.0, 3.0);
    return sum;
  }

 private:
  double middle_ = 0;
  double scale_ = 1;
};

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

/// `run(times)` draws with the prior's scales so many times as large; `half` and `twice` are the places of
/// the ratios that the run at 1 reports.
void expect_weights_say(const std::function<MomentRun(double)>& run, std::size_t half, std::size_t twice,
                        std::size_t quantities) {
  const MomentRun own = run(1);
  double farthest = 0;
  for (const double times : {0.5, 2.0}) {
    const ImportanceWeights weights = smoothed_weights(quantity(own, times < 1 ? half : twice));
    ASSERT_LT(weights.pareto_k, 0.7) << times;
    const MomentRun other = run(times);
    for (std::size_t q = 0; q < quantities; ++q) {
      const std::vector<double> draws = quantity(own, q);
      const std::vector<double> equal(draws.size(), 1 / static_cast<double>(draws.size()));
      const Bounded bounded(draws);
      const double weighed = bounded.mean(draws, weights.weight);
      // 4000 nearly independent draws on either side, weights that are worth a fifth of them: .04.
      EXPECT_NEAR(weighed, bounded.mean(quantity(other, q), equal), 0.2) << times << " quantity " << q;
      farthest = std::max(farthest, std::abs(weighed - bounded.mean(draws, equal)));
    }
  }
  EXPECT_GT(farthest, 0.3);  // or there is nothing to see
}

TEST(LearnedRegressionScale, WeightsSayWhatChainsSay) {
  const auto run = [](double times) {
    ScatterProblem problem = made_up();
    problem.prior_scale = times;
    return draw_learned_regression(problem, options(), {});
  };
  const LearnedRegressionQuantities at(made_up());
  expect_weights_say(run, at.half_scale, at.twice_scale, at.sigma + 1);
}

/// 400 records of one feature and a yes or no.
GlmProblem made_up_odds() {
  Rng rng(6, 0, Purpose::test);
  const MomentNoise noise{MomentNoise::Shape::laplace, 12};
  GlmProblem out;
  out.sums.features = 1;
  out.sums.total = KnownTotal{400};
  out.two_levels.resize(1);
  std::vector<double> sums(9);
  for (int r = 0; r < 400; ++r) {
    const double x = std::clamp(0.4 * draw_normal(rng), -1.0, 1.0);
    const double w[] = {1, x, rng.uniform() < 1 / (1 + std::exp(-2 * x)) ? 1.0 : -1.0};
    for (int i = 0; i < 9; ++i) sums[static_cast<std::size_t>(i)] += w[i / 3] * w[i % 3];
  }
  for (const auto& [i, j] : {std::pair{1, 0}, {1, 1}, {2, 0}, {2, 1}}) {
    const auto place = static_cast<std::size_t>(3 * i + j);
    out.sums.moments.push_back({static_cast<std::size_t>(i), static_cast<std::size_t>(j),
                                sums[place] + draw_moment_noise(noise, rng), noise});
  }
  return out;
}

TEST(LearnedGlmScale, WeightsSayWhatChainsSay) {
  const auto run = [](double times) {
    GlmProblem problem = made_up_odds();
    problem.prior_scale = times;
    return draw_learned_glm(problem, options(), {});
  };
  const LearnedGlmQuantities at(made_up_odds());
  expect_weights_say(run, at.half_scale, at.twice_scale, at.coefficients);
}

}  // namespace
}  // namespace postern::infer
