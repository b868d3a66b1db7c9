#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "oracles.hpp"
#include "paper_mode.hpp"
#include "redacted.hpp"

// Oracle alg2_variants_vs_exact. Algorithm 2 of Bernstein & Sheldon 2018 as printed is off from the exact
// posterior: line 10 draws the sum of the kept records without looking at y, and line 8 takes the segments'
// counts for independent. Ranks over 500 studies do not see it (docs/experiments); medians do.

namespace postern::bs18 {
namespace {

struct Quartiles {
  double first = 0, median = 0, third = 0;
  [[nodiscard]] double range() const { return third - first; }
};
Quartiles quartiles(std::vector<double> draws) {
  std::sort(draws.begin(), draws.end());
  const auto at = [&](double p) {
    return draws[static_cast<std::size_t>(p * static_cast<double>(draws.size()))];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

/// From the exact posterior, in its interquartile range.
struct Off {
  double shift = 0;
  double ratio = 0;
};
Off off(const Quartiles& found, const Quartiles& exact) {
  return {(found.median - exact.median) / exact.range(), found.range() / exact.range()};
}

Off run_trial(const Redacted& redacted, std::size_t n, double epsilon, std::uint32_t index) {
  constexpr std::size_t kDraws = 20'000;
  Rng rng(20261117, index, Purpose::test);
  const double theta = draw_gamma(8, rng) / 2;
  const Bounds& bounds = redacted.bounds();
  double kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = draw_exponential(rng) / theta;
    if (x >= bounds.a && x <= bounds.b) kept += x;
  }
  const double scale = bounds.b / epsilon;
  const double y = kept + draw_laplace(scale, rng);
  const infer::NumberProblem problem = redacted.seen(n, y, scale);
  const infer::NumberPosterior posterior(problem, 1);
  const Quartiles exact{posterior.quantile(0.25), posterior.quantile(0.5), posterior.quantile(0.75)};

  const Sample paper = paper_algorithm_2(n, 8, 2, bounds, y, scale, {1000, kDraws}, rng);
  return off(quartiles(paper), exact);
}

struct Mean {
  double value = 0;
  double se = 0;
};
template <class F>
Mean mean(const std::vector<Off>& trials, const F& part) {
  const auto count = static_cast<double>(trials.size());
  Mean out;
  for (const Off& trial : trials) out.value += part(trial) / count;
  double square = 0;
  for (const Off& trial : trials) square += std::pow(part(trial) - out.value, 2);
  out.se = std::sqrt(square / (count - 1) / count);
  return out;
}

std::vector<Off> run_trials(const nlohmann::json& test) {
  constexpr std::size_t kTrials = 60;
  const Redacted redacted(predicted_middle());
  std::vector<Off> trials(kTrials);
  parallel_for(kTrials, 0, [&](std::size_t i) {
    trials[i] = run_trial(redacted, test.at("n"), test.at("eps"), static_cast<std::uint32_t>(i));
  });
  return trials;
}

class Algorithm2 : public testing::TestWithParam<std::size_t> {};

// 60 studies here and there: what is measured has the same standard error in both, and may differ by four of
// both.
TEST_P(Algorithm2, IsOffAsFarAsThePrototypeSays) {
  const nlohmann::json test = oracle("alg2_variants_vs_exact").at(GetParam());
  const std::vector<Off> trials = run_trials(test);
  const auto expect_same = [&](const char* name, const auto& part) {
    const Mean ours = mean(trials, part);
    EXPECT_NEAR(ours.value, test.at("paper").at(name).template get<double>(),
                4 * std::hypot(ours.se, ours.se))
        << name;
  };
  expect_same("med_shift_in_iqr", [](const Off& t) { return t.shift; });
  expect_same("iqr_ratio", [](const Off& t) { return t.ratio; });
  expect_same("abs_shift", [](const Off& t) { return std::abs(t.shift); });
}

INSTANTIATE_TEST_SUITE_P(All, Algorithm2, testing::Values(0, 1, 2, 3));

// n = 100, epsilon 1: 9 % too wide in an independent prototype. At alpha = 1e-6 the algorithm as
// printed is too wide by more than 3 %.
TEST(Algorithm2AsPrinted, HasIntervalsThatAreTooWide) {
  const Mean paper =
      mean(run_trials(oracle("alg2_variants_vs_exact").at(0)), [](const Off& t) { return t.ratio; });
  EXPECT_GT(paper.value - 4.9 * paper.se, 1.03);
}

// A release near the most that kept records can add: the printed algorithm leaves for thetas a tenth as
// large, of which the exact posterior knows nothing.
TEST(Algorithm2AsPrinted, GoesWhereThereIsNoPosterior) {
  const Redacted redacted(predicted_middle());
  const double scale = redacted.bounds().b;
  const infer::NumberProblem problem = redacted.seen(1000, 350, scale);
  const infer::NumberPosterior exact(problem, 1);
  EXPECT_LT(exact.cdf(0.5), 1e-12);
  Rng rng(20261117, 0, Purpose::test);
  const Sample paper = paper_algorithm_2(1000, 8, 2, redacted.bounds(), 350, scale, {1000, 20'000}, rng);
  EXPECT_LT(quartiles(paper).third, 0.5);
}

}  // namespace
}  // namespace postern::bs18
