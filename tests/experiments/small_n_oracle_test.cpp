#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/total.hpp"

#include "bootstrap.hpp"
#include "oracles.hpp"
#include "paper_mode.hpp"
#include "ranks.hpp"

// Oracle small_n: how wrong the central limit theorem is for few Bernoulli records.
// Algorithm 1 is as far off here as in the prototype; the library's exact engine is not off.

namespace postern::bs18 {
namespace {

constexpr std::size_t kTrials = 500;

/// One method in one trial.
struct Answer {
  double rank = 0;
  double z = 0;  ///< difference of means in exact sd
  double sd_ratio = 1;
};
struct Trial {
  Answer paper, exact;
};

Answer answer(const Sample& draws, double theta, const infer::CountPosterior& exact, Rng& rng) {
  const auto count = static_cast<double>(draws.size());
  const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / count;
  double square = 0;
  for (const double x : draws) square += (x - mean) * (x - mean) / count;
  return {infer::rank_of(theta, draws, rng), (mean - exact.mean(0)) / exact.sd(0),
          std::sqrt(square) / exact.sd(0)};
}

Trial run_trial(const nlohmann::json& test, std::uint32_t index) {
  const double a = test.at("prior")[0];
  const double b = test.at("prior")[1];
  const auto n = test.at("n").get<std::size_t>();
  const double scale = 1 / test.at("eps").get<double>();
  Rng rng(20261117, index, Purpose::calibration);
  const double theta = draw_beta(a, b, rng);
  const auto records = static_cast<std::int64_t>(n);
  const double y = static_cast<double>(draw_binomial(records, theta, rng)) + draw_laplace(scale, rng);
  const infer::CountPosterior exact(
      {{a, b}, {{{y, release::DiscreteLaplace(1 / scale)}}, {}}, infer::KnownTotal{records}},
      std::size_t{1} << 30, 1);
  Trial out;
  out.paper = answer(paper_algorithm_1(n, a, b, y, scale, {500, 2000}, rng), theta, exact, rng);
  out.exact.rank = exact.cdf(0, theta);
  return out;
}

using Part = std::function<double(const Trial&)>;
std::vector<double> all(const std::vector<Trial>& trials, const Part& part) {
  std::vector<double> out;
  for (const Trial& trial : trials) out.push_back(part(trial));
  return out;
}

/// The share of ranks in the middle 90 %.
double coverage(const std::vector<double>& ranks) {
  const auto inside =
      std::count_if(ranks.begin(), ranks.end(), [](double u) { return u > 0.05 && u < 0.95; });
  return static_cast<double>(inside) / static_cast<double>(ranks.size());
}
double distance(const std::vector<double>& ranks) { return assess::ks_uniform(ranks); }

class SmallN : public testing::TestWithParam<std::size_t> {};

// 500 studies here, 1000 there: four standard errors of both.
TEST_P(SmallN, Algorithm1IsAsFarOffAsThePrototypeSays) {
  const nlohmann::json test = oracle("small_n").at(GetParam());
  std::vector<Trial> trials(kTrials);
  parallel_for(kTrials, 0,
               [&](std::size_t i) { trials[i] = run_trial(test, static_cast<std::uint32_t>(i)); });
  const auto expect_same = [&](const char* name, const Part& part, const auto& measure) {
    const std::vector<double> values = all(trials, part);
    const double reach = 4 * std::sqrt(1.5) * standard_error(values, measure);
    EXPECT_NEAR(measure(values), test.at(name).get<double>(), reach) << name << " of " << test;
  };
  const Part paper = [](const Trial& t) { return t.paper.rank; };
  const Part exact = [](const Trial& t) { return t.exact.rank; };
  expect_same("gibbs", paper, distance);
  expect_same("gibbs_cov90", paper, coverage);
  expect_same("exact", exact, distance);
  expect_same("exact_cov90", exact, coverage);
  expect_same(
      "z_mean", [](const Trial& t) { return t.paper.z; }, mean);
  expect_same(
      "z_abs", [](const Trial& t) { return std::abs(t.paper.z); }, mean);
  expect_same(
      "sd_ratio", [](const Trial& t) { return t.paper.sd_ratio; }, median);

  // alpha = 1e-6 each.
  EXPECT_LT(distance(all(trials, exact)), 2.70 / std::sqrt(double{kTrials})) << test;
  EXPECT_NEAR(coverage(all(trials, exact)), 0.9, 4.9 * 0.3 / std::sqrt(double{kTrials})) << test;
}

INSTANTIATE_TEST_SUITE_P(All, SmallN, testing::Range<std::size_t>(0, 27));

}  // namespace
}  // namespace postern::bs18
