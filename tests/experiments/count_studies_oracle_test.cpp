#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/kinds/total.hpp"

#include "../../lib/infer/src/kinds/plug_in.hpp"
#include "bootstrap.hpp"
#include "oracles.hpp"
#include "paper_mode.hpp"
#include "ranks.hpp"

// Oracles binomial_studies and multinomial_studies: Algorithm 1 against the exact engine, and the library's
// plug-in baseline, over studies drawn from the prior, in the settings of the paper's Figure 1. Whether ranks
// are uniform and what the other methods' are, test_bs18.py holds to the same prototype.

namespace postern::bs18 {
namespace {

constexpr std::size_t kTrials = 150;

struct Trial {
  double exact_rank = 0, exact_sd = 0;
  double plug_in_rank = 0;
  double off = 0;  ///< |difference of means|
  double sd_ratio = 0;
  double autocorrelation = 0;
};

Trial run_trial(const nlohmann::json& test, std::uint32_t index) {
  const auto alpha = test.at("prior").get<std::vector<double>>();
  const bool bits = alpha.size() == 2;
  const auto n = test.at("n").get<std::size_t>();
  const auto records = static_cast<std::int64_t>(n);
  const double scale = (bits ? 1 : 2) / test.at("eps").get<double>();
  Rng rng(20261117, index, Purpose::calibration);
  std::vector<double> theta(alpha.size());
  draw_dirichlet(alpha, theta, rng);
  std::vector<std::int64_t> counts(alpha.size());
  draw_multinomial(records, theta, counts, rng);
  infer::CountProblem problem{alpha, {}, infer::KnownTotal{records}};
  std::vector<double> y;
  for (const std::int64_t s : counts) {
    y.push_back(static_cast<double>(s) + draw_laplace(scale, rng));
    problem.noisy_values.push_back({{y.back(), release::DiscreteLaplace(1 / scale)}});
  }
  if (bits) problem.noisy_values[1].clear();
  const infer::CountPosterior exact(problem, std::size_t{1} << 30, 1);
  const Sample paper = bits ? paper_algorithm_1(n, alpha[0], alpha[1], y[0], scale, {2000, 5000}, rng)
                            : paper_algorithm_1(n, alpha, y, scale, {1000, 3000}, rng);
  std::vector<double> first;
  for (std::size_t i = 0; i < paper.size(); i += bits ? 1 : alpha.size()) first.push_back(paper[i]);
  const double centre = mean(first);
  double square = 0;
  double product = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    square += (first[i] - centre) * (first[i] - centre);
    if (i > 0) product += (first[i] - centre) * (first[i - 1] - centre);
  }
  const std::vector<double> after = infer::plug_in(alpha, problem);
  std::vector<double> drawn(alpha.size());
  std::vector<double> plugged(300);
  for (double& x : plugged) {
    draw_dirichlet(after, drawn, rng);
    x = drawn[0];
  }
  const double sd = std::sqrt(square / static_cast<double>(first.size()));
  return {exact.cdf(0, theta[0]),           exact.sd(0),      infer::rank_of(theta[0], plugged, rng),
          std::abs(centre - exact.mean(0)), sd / exact.sd(0), product / square};
}

/// What all trials say, against what the prototype's say: four standard errors of both.
class Comparison {
 public:
  Comparison(nlohmann::json test, std::vector<Trial> trials)
      : test_(std::move(test)), trials_(std::move(trials)), theirs_(test_.at("exact_M")) {}

  [[nodiscard]] std::vector<double> all(double Trial::*part) const {
    std::vector<double> out;
    for (const Trial& trial : trials_) out.push_back(trial.*part);
    return out;
  }
  template <class Measure>
  [[nodiscard]] double reach(double Trial::*part, const Measure& measure) const {
    return 4 * standard_error(all(part), measure) * std::sqrt(1 + kTrials / theirs_);
  }
  template <class Measure>
  void expect_same(const nlohmann::json& value, double Trial::*part, const Measure& measure) const {
    EXPECT_NEAR(measure(all(part)), value.get<double>(), reach(part, measure)) << test_;
  }

 private:
  nlohmann::json test_;
  std::vector<Trial> trials_;
  double theirs_;  ///< trials
};

double distance(const std::vector<double>& ranks) { return assess::ks_uniform(ranks); }

class CountStudies : public testing::TestWithParam<std::size_t> {
 protected:
  static void compare(const char* name) {
    const nlohmann::json test = oracle(name).at(GetParam());
    std::vector<Trial> trials(kTrials);
    parallel_for(kTrials, 0,
                 [&](std::size_t i) { trials[i] = run_trial(test, static_cast<std::uint32_t>(i)); });
    const Comparison comparison(test, std::move(trials));
    comparison.expect_same(test.at("sd_exact"), &Trial::exact_sd, mean);
    comparison.expect_same(test.at("sd_ratio"), &Trial::sd_ratio, median);
    comparison.expect_same(test.at("exact")[0], &Trial::exact_rank, distance);
    if (test.contains("acf1_med"))
      comparison.expect_same(test.at("acf1_med"), &Trial::autocorrelation, median);
    if (test.contains("naive_clip"))
      comparison.expect_same(test.at("naive_clip")[0], &Trial::plug_in_rank, distance);
    // Their exact means were means of draws, ours are computed: chains may be nearer to ours.
    EXPECT_LT(mean(comparison.all(&Trial::off)),
              test.at("mean_absdiff").get<double>() + comparison.reach(&Trial::off, mean))
        << test;
    EXPECT_LT(distance(comparison.all(&Trial::exact_rank)), 2.70 / std::sqrt(double{kTrials}))
        << test;  // alpha = 1e-6
  }
};

TEST_P(CountStudies, OfBitsAreThePrototypes) { compare("binomial_studies"); }
TEST_P(CountStudies, OfThreeCategoriesAreThePrototypes) { compare("multinomial_studies"); }

INSTANTIATE_TEST_SUITE_P(All, CountStudies, testing::Range<std::size_t>(0, 12));

}  // namespace
}  // namespace postern::bs18
