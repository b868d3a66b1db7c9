#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/gibbs/bounded.hpp"

#include "number_gibbs_support.hpp"
#include "oracles.hpp"

namespace postern::infer {
namespace {

NumberProblem coin(std::int64_t n, std::vector<NoisyValue> sums, double a, double b) {
  NumberProblem problem = number_problem("binomial", {1}, whole_column(0, 1), {a, b});
  problem.total = KnownTotal{n};
  problem.sums = std::move(sums);
  return problem;
}

/// theta of many chains, each begun anew, after `burn` steps.
std::vector<double> run(const BoundedNumber& kernel, std::uint32_t chains, int burn, int steps) {
  std::vector<double> out;
  for (std::uint32_t c = 0; c < chains; ++c) {
    Rng rng(20261116, c, Purpose::test);
    BoundedNumber::State state = kernel.init(rng);
    for (int i = 0; i < burn + steps; ++i) {
      kernel.step(state, rng);
      if (i >= burn) out.push_back(state.theta);
    }
  }
  return out;
}

/// Moments of the exact mixture of Betas, weights C(n, s) B(a + s, b + n - s) prod_j e^{-lambda_j |y_j - s|}.
MeanAndSd exact_mixture(double n, const std::vector<NoisyValue>& sums, double a, double b) {
  std::vector<double> logs;
  for (double s = 0; s <= n; ++s) {
    double w = log_choose(n, s) + log_beta(a + s, b + n - s);
    for (const NoisyValue& noisy_value : sums) w += release::log_pmf(noisy_value.law, noisy_value.y - s);
    logs.push_back(w);
  }
  const double whole = log_sum_exp(logs);
  double mean = 0;
  double square = 0;
  for (double s = 0; s <= n; ++s) {
    const double w = std::exp(logs[static_cast<std::size_t>(s)] - whole);
    const double share = (a + s) / (a + b + n);
    mean += w * share;
    square += w * share * (a + s + 1) / (a + b + n + 1);
  }
  return {mean, std::sqrt(square - mean * mean)};
}

/// Chains begun anew, each with its mean: what they say together, and how well.
struct ChainMeans {
  MeanAndSd theta;
  double se = 0;  ///< of the mean
};
ChainMeans run_chains_of(const BoundedNumber& kernel, std::uint32_t chains, std::size_t steps) {
  const std::vector<double> drawn = run(kernel, chains, 200, static_cast<int>(steps));
  std::vector<double> means(chains, 0.0);
  for (std::size_t i = 0; i < drawn.size(); ++i) means[i / steps] += drawn[i] / static_cast<double>(steps);
  return {mean_and_sd(drawn), mean_and_sd(means).sd / std::sqrt(chains - 1.0)};
}

// The oracles `gibbs_vs_exact_long`: 400 chains of 4000 draws each, as theirs. The mean lies where theirs
// does, up to four standard errors of both, and within 0.01 sd of the exact one; the sd is right to 1 %.
TEST(BoundedNumber, AgreesWithTheExactMixtureAsTheOracleDoes) {
  const nlohmann::json cases = oracle("gibbs_vs_exact_long");
  ASSERT_EQ(cases.size(), 4u);
  for (const nlohmann::json& test : cases) {
    const auto n = test.at("n").get<std::int64_t>();
    const double a = test.at("prior")[0];
    const double b = test.at("prior")[1];
    const std::vector<NoisyValue> seen{laplace(test.at("y"), test.at("b"))};
    const MeanAndSd exact = exact_mixture(static_cast<double>(n), seen, a, b);
    const ChainMeans found = run_chains_of(BoundedNumber(coin(n, seen, a, b)), 400, 4000);
    const double far = (found.theta.mean - exact.mean) / exact.sd;
    const double reach = 4 * std::hypot(found.se / exact.sd, test.at("se").get<double>());
    EXPECT_NEAR(far, test.at("mean_diff_over_sd").get<double>(), reach) << test;
    EXPECT_LT(std::abs(far), 0.01) << test;
    EXPECT_LT(reach, 0.02) << test;
    EXPECT_NEAR(found.theta.sd / exact.sd, test.at("sd_ratio").get<double>(), 0.01) << test;
    EXPECT_NEAR(found.theta.sd / exact.sd, 1, 0.01) << test;
  }
}

// The oracle `two_releases_binomial`: n = 100, y = 42 and 48, b = 10, Beta(1, 1), one set of records.
TEST(BoundedNumber, TwoNoisyValuesOfOneSum) {
  const std::vector<NoisyValue> seen{laplace(42, 10), laplace(48, 10)};
  const MeanAndSd found = mean_and_sd(run(BoundedNumber(coin(100, seen, 1, 1)), 100, 200, 4000));
  EXPECT_NEAR(found.mean, 0.4510066805914139, 0.02 * 0.088);
  EXPECT_NEAR(found.sd / 0.08819265592247567, 1, 0.02);
}

TEST(BoundedNumber, WithoutNoiseItIsConjugate) {
  const BoundedNumber kernel(coin(1000, {laplace(300, 1e-9)}, 2, 3));
  const MeanAndSd found = mean_and_sd(run(kernel, 10, 10, 20'000));
  const double a = 302;
  const double b = 703;
  const double sd = std::sqrt(a * b / ((a + b) * (a + b) * (a + b + 1)));
  EXPECT_NEAR(found.mean, a / (a + b), 4.9 * sd / std::sqrt(200'000.0));
  EXPECT_NEAR(found.sd / sd, 1, 0.01);
}

// However many records: noise this wide says nothing about them.
TEST(BoundedNumber, WithoutASightItIsThePrior) {
  for (const std::int64_t n : {0, 100, 100'000'000}) {
    for (const double b : {1e12, 0.0}) {
      const BoundedNumber kernel(
          coin(n, b > 0 ? std::vector{laplace(50, b)} : std::vector<NoisyValue>{}, 2, 3));
      const MeanAndSd found = mean_and_sd(run(kernel, 10, 10, 10'000));
      EXPECT_NEAR(found.mean, 0.4, 0.01) << n << " " << b;
      EXPECT_NEAR(found.sd, 0.2, 0.01) << n << " " << b;
    }
  }
}

TEST(BoundedNumber, GaussianNoiseOnABinomialOfFourTrials) {
  NumberProblem problem = number_problem("binomial", {4}, whole_column(0, 4), {1, 1});
  problem.total = KnownTotal{200};
  problem.sums = {gaussian(250, 400)};
  // 800 throws of a coin, seen with the same noise.
  const MeanAndSd exact = exact_mixture(800, {gaussian(250, 400)}, 1, 1);
  const MeanAndSd found = mean_and_sd(run(BoundedNumber(problem), 20, 100, 10'000));
  EXPECT_NEAR(found.mean, exact.mean, 0.02 * exact.sd);
  EXPECT_NEAR(found.sd / exact.sd, 1, 0.02);
}

// Add-remove: successes and failures are both seen, n is not. Against the sum over every n and s.
TEST(BoundedNumber, LatentNumberOfRecords) {
  const double y = 60;
  const double rest = 130;
  NumberProblem problem = coin(0, {laplace(y, 5)}, 2, 2);
  problem.mirrored_sums = {laplace(rest, 5)};
  problem.total = LatentTotal{400};
  std::vector<double> logs;
  std::vector<double> totals;
  std::vector<double> shares;
  for (double n = 0; n <= 400; ++n) {
    for (double s = 0; s <= n; ++s) {
      logs.push_back(log_choose(n, s) + log_beta(2 + s, 2 + n - s) -
                     (std::abs(y - s) + std::abs(rest - n + s)) / 5);
      totals.push_back(n);
      shares.push_back((2 + s) / (4 + n));
    }
  }
  const double whole = log_sum_exp(logs);
  double mean_n = 0;
  double square_n = 0;
  double mean = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const double w = std::exp(logs[i] - whole);
    mean_n += w * totals[i];
    square_n += w * totals[i] * totals[i];
    mean += w * shares[i];
  }
  DriverOptions options;
  options.draws = 20'000;
  const ChainRun found = draw_bounded_number(problem, options, {});
  std::vector<double> theta;
  std::vector<double> n;
  for (const auto& chain : found.draws) {
    theta.insert(theta.end(), chain.begin(), chain.begin() + 20'000);
    n.insert(n.end(), chain.begin() + 20'000, chain.end());
  }
  const double sd_n = std::sqrt(square_n - mean_n * mean_n);
  EXPECT_NEAR(mean_and_sd(n).mean, mean_n, 0.03 * sd_n);
  EXPECT_NEAR(mean_and_sd(n).sd / sd_n, 1, 0.03);
  EXPECT_NEAR(mean_and_sd(theta).mean, mean, 0.03 * mean_and_sd(theta).sd);
}

}  // namespace
}  // namespace postern::infer
