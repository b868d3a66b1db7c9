#include <cmath>

#include <gtest/gtest.h>

#include "postern/infer/infer.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/kinds/total.hpp"
#include "postern/model/plan.hpp"

#include "number_gibbs_support.hpp"
#include "oracles.hpp"
#include "small_studies.hpp"

// The exact engine against numbers computed elsewhere, to 1e-10 relative
// (tests/data/oracles/noise-aware.json).

namespace postern::infer {
namespace {

using Json = nlohmann::json;

constexpr double kTolerance = 1e-10;
constexpr std::size_t kMemory = std::size_t{1} << 30;

void expect_near(double found, double wanted, const std::string& what) {
  EXPECT_NEAR(found, wanted, kTolerance * std::max(1.0, std::fabs(wanted))) << what;
}

release::NoiseLaw laplace(const Json& test) {
  return release::DiscreteLaplace(1 / test.at("laplace_scale").get<double>());
}

/// The oracles leave out the constant tanh(lambda/2) of each noisy value.
double noise_constant(const Json& test, std::size_t noisy_values) {
  return static_cast<double>(noisy_values) * release::log_pmf(laplace(test), 0);
}

TEST(Oracle, BetaMixtureOfABinomialCount) {
  const Json cases = oracle("binomial_exact");
  ASSERT_GE(cases.size(), 4u);
  for (const Json& test : cases) {
    CountProblem problem;
    problem.alpha = {test.at("prior")[1].get<double>(), test.at("prior")[0].get<double>()};
    problem.noisy_values = {{}, {{test.at("y").get<double>(), laplace(test)}}};
    problem.total = KnownTotal{test.at("n").get<std::int64_t>()};
    const CountPosterior posterior(problem, kMemory, 1);
    expect_near(posterior.mean(1), test.at("mean"), "mean");
    expect_near(posterior.sd(1), test.at("sd"), "sd");
    expect_near(posterior.expected_count(1), test.at("E_s"), "E s");
    expect_near(posterior.log_evidence() - noise_constant(test, 1), test.at("log_sum_BB_exp"),
                "log evidence");
    for (const auto& [p, value] : test.at("quantiles").items()) {
      EXPECT_NEAR(posterior.quantile(1, std::stod(p)), value.get<double>(), 1e-9) << "quantile " << p;
    }
    expect_near(posterior.cdf(1, 0.4), test.at("cdf_at_0p4"), "cdf");
    // The weight of the possible count nearest to y.
    const auto nearest = std::max<std::int64_t>(0, std::llround(test.at("y").get<double>()));
    expect_near(posterior.count_probability(1, nearest), test.at("w_at_y"), "P(s = y)");
  }
}

TEST(Oracle, DirichletMultinomialTable) {
  const Json cases = oracle("dirichlet_multinomial_exact");
  ASSERT_GE(cases.size(), 2u);
  for (const Json& test : cases) {
    CountProblem problem;
    problem.alpha = test.at("prior").get<std::vector<double>>();
    for (const Json& y : test.at("y")) problem.noisy_values.push_back({{y.get<double>(), laplace(test)}});
    problem.total = KnownTotal{test.at("n").get<std::int64_t>()};
    const CountPosterior posterior(problem, kMemory, 1);
    for (std::size_t cell = 0; cell < problem.alpha.size(); ++cell) {
      expect_near(posterior.mean(cell), test.at("theta_mean")[cell], "mean");
      expect_near(posterior.sd(cell), test.at("theta_sd")[cell], "sd");
      expect_near(posterior.expected_count(cell), test.at("E_s")[cell], "E s");
    }
    for (std::size_t s = 0; s < test.at("p_s1_first5").size(); ++s) {
      expect_near(posterior.count_probability(0, static_cast<std::int64_t>(s)), test.at("p_s1_first5")[s],
                  "P(s1)");
    }
    const Json mode = test.at("p_s1_mode");
    expect_near(posterior.count_probability(0, mode[0].get<std::int64_t>()), mode[1], "P(s1), largest");
    for (std::int64_t s = 0; s <= test.at("n").get<std::int64_t>(); ++s) {
      EXPECT_LE(posterior.count_probability(0, s), mode[1].get<double>() + kTolerance) << s;
    }
    expect_near(posterior.log_evidence() - noise_constant(test, problem.alpha.size()),
                test.at("log_evidence_no_noise_const"), "log evidence");
  }
}

// Amendment: the factor n! Gamma(alpha_0) / Gamma(n + alpha_0) must not be dropped when n is latent.
TEST(Oracle, PrivateNumberOfRecords) {
  for (const Json& test : oracle("private_n")) {
    CountProblem problem;
    problem.alpha = test.at("alpha").get<std::vector<double>>();
    for (const Json& y : test.at("y")) problem.noisy_values.push_back({{y.get<double>(), laplace(test)}});
    problem.total = LatentTotal{test.at("at_most").get<std::int64_t>(), test.at("slope").get<double>()};
    const CountPosterior posterior(problem, kMemory, 1);
    expect_near(posterior.total().mean, test.at("mean"), "E n");
    expect_near(posterior.total().sd, test.at("sd"), "sd n");
  }
}

// Records outside [a, b] add nothing. On a grid of 1e-4 the column is [0, b], what lies outside is put at 0,
// and the levels below a are made to add nothing as well.
TEST(Oracle, RedactedExponentialByItsCharacteristicFunction) {
  constexpr long kSteps = 10'000;
  for (const Json& test : oracle("exponential_truncated_exact_cf")) {
    const auto least = std::llround(test.at("a").get<double>() * kSteps);
    const Rational most(std::lround(test.at("b").get<double>() * kSteps), kSteps);
    NumberProblem problem =
        number_problem("exponential", {}, real_column(0, most, Rational(1, kSteps), model::MapTo{0}), {8, 2});
    for (std::int64_t& k : problem.number.values.adds) k = k < least ? 0 : k;
    problem.total = KnownTotal{test.at("n").get<std::int64_t>()};
    const double scale = test.at("laplace_scale").get<double>() * kSteps;
    problem.sums = {{test.at("y").get<double>() * kSteps, release::DiscreteLaplace(1 / scale)}};
    const NumberPosterior posterior(problem, 1);
    EXPECT_NEAR(posterior.mean(), test.at("post_mean").get<double>(), 2e-5);
    EXPECT_NEAR(posterior.sd(), test.at("post_sd").get<double>(), 2e-5);
  }
}

// At whole values the weights of discrete and of continuous Laplace noise differ by a constant only.
TEST(Oracle, DiscreteLaplaceWeighsAsContinuousDoes) {
  for (const double lambda : {1e-6, 0.1, 3.0, 50.0}) {
    const release::DiscreteLaplace law(lambda);
    for (const double d : {1.0, -7.0, 1e6}) {
      const double continuous = -lambda * std::abs(d);
      EXPECT_NEAR(law.log_pmf(d) - law.log_pmf(0), continuous, 1e-12 * std::max(1.0, -continuous));
    }
  }
}

/// A release of a coin thrown n times with success count y.
release::Release coin(std::int64_t n, std::int64_t y, const std::string& dataset, char id,
                      std::uint32_t success = 1) {
  release::Release out;
  model::SmallStudy shape;
  shape.success = success;
  out.study = model::small_study(shape);
  out.study.dataset = dataset;
  const model::NoisePlan plan = model::small_plan(out.study, Rational(1, 10));
  out.release_id = std::string(32, id);
  out.created = "2026-01-01";
  out.software = "postern 0";
  out.cost = plan.cost;
  out.n = release::PublicCount{n};
  out.blocks = {{plan.measurement.blocks[0], {y}}};
  out.ledger = {1, std::string(64, '0'), dataset == "coins" ? std::string(32, 'a') : std::string(32, id)};
  return out;
}

TEST(Oracle, TwoReleasesOfOneRecordSetAndOfTwo) {
  for (const Json& test : oracle("two_releases_binomial")) {
    const auto n = test.at("n").get<std::int64_t>();
    const auto first = test.at("y")[0].get<std::int64_t>();
    const auto second = test.at("y")[1].get<std::int64_t>();
    InferOptions options;
    options.draws = 10;
    const std::vector<release::Release> same = {coin(n, first, "coins", '1'), coin(n, second, "coins", '2')};
    const Posterior one_set = infer(same, options, {});
    expect_near(one_set.summary[0].mean, test.at("same_records")[0], "mean, same records");
    expect_near(one_set.summary[0].sd, test.at("same_records")[1], "sd, same records");
    const std::vector<release::Release> apart = {coin(n, first, "here", '1'), coin(n, second, "there", '2')};
    const Posterior two_sets = infer(apart, options, {});
    expect_near(two_sets.summary[0].mean, test.at("disjoint_records_of_n_each")[0], "mean, disjoint");
    expect_near(two_sets.summary[0].sd, test.at("disjoint_records_of_n_each")[1], "sd, disjoint");
    EXPECT_FALSE(two_sets.notes.empty());
  }
}

TEST(Oracle, PublicRowsAreAConjugateUpdate) {
  const std::vector<std::int64_t> counts{3, 7};
  for (const std::uint32_t success : {0u, 1u}) {
    const std::vector<release::Release> releases = {coin(100, 42, "coins", '1', success)};
    InferOptions with_rows;
    with_rows.draws = 10;
    with_rows.public_rows = PublicCounts{counts};
    InferOptions with_prior;
    with_prior.draws = 10;
    with_prior.prior =
        std::vector<Rational>{1 + Rational(counts[success]), 1 + Rational(counts[1 - success])};
    const Posterior rows = infer(releases, with_rows, {});
    const Posterior prior = infer(releases, with_prior, {});
    EXPECT_EQ(rows.summary[0].mean, prior.summary[0].mean) << success;
    EXPECT_EQ(rows.summary[0].q95, prior.summary[0].q95) << success;
  }
}

}  // namespace
}  // namespace postern::infer
