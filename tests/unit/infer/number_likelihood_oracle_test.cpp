// p(y | theta) of the exact engine against numbers computed elsewhere.

#include <cmath>

#include <gtest/gtest.h>

#include "kinds/number/exact/private_n/total_table.hpp"
#include "kinds/number/exact/sum/sum_likelihood.hpp"
#include "number_problems.hpp"
#include "oracles.hpp"

namespace postern::infer {
namespace {

using Json = nlohmann::json;

/// log p(y | theta, n), as a mass on whole numbers.
double log_likelihood(const NumberProblem& problem, double theta) {
  const RecordLaw record(problem, 1);
  return SumLikelihood(problem, record, {theta, 0}).log_at(std::get<KnownTotal>(problem.total).n) +
         noise_constant(problem);
}

// min(x, 8) of Poisson records. The oracle leaves out the constant of the noise.
TEST(LikelihoodOracle, ClampedPoisson) {
  for (const Json& test : oracle("lattice_exact")) {
    NumberProblem problem =
        number_problem({"poisson", {}, model::IntegerRange{0, test.at("B").get<std::int64_t>(), {}}, {2, 1}});
    const release::DiscreteLaplace noise(1 / test.at("laplace_scale").get<double>());
    problem.sums = {{test.at("y").get<double>(), noise}};
    problem.total = KnownTotal{test.at("n").get<std::int64_t>()};
    ASSERT_EQ(test.at("loglik_unnorm").size(), 3u);
    for (const auto& [theta, value] : test.at("loglik_unnorm").items())
      EXPECT_NEAR(log_likelihood(problem, std::stod(theta)) - noise.log_pmf(0), value.get<double>(), 1e-10);
  }
}

// Records outside [a, b] add nothing; the oracle has no grid, ours is 1e-4 wide.
TEST(LikelihoodOracle, RedactedExponential) {
  constexpr long kSteps = 10'000;
  for (const Json& test : oracle("exponential_truncated_exact_cf")) {
    const auto least = std::llround(test.at("a").get<double>() * kSteps);
    const Rational most(std::lround(test.at("b").get<double>() * kSteps), kSteps);
    NumberProblem problem = number_problem(
        {"exponential", {}, model::RealRange{0, most, Rational(1, kSteps), {}}, {8, 2}, model::MapTo{0}});
    for (std::int64_t& k : problem.number.values.adds) k = k < least ? 0 : k;
    problem.total = KnownTotal{test.at("n").get<std::int64_t>()};
    const double scale = test.at("laplace_scale").get<double>() * kSteps;
    problem.sums = {{test.at("y").get<double>() * kSteps, release::DiscreteLaplace(1 / scale)}};
    ASSERT_EQ(test.at("loglik").size(), 4u);
    for (const auto& [theta, value] : test.at("loglik").items())
      EXPECT_NEAR(log_likelihood(problem, std::stod(theta)) + std::log(kSteps), value.get<double>(), 2e-5)
          << theta;
  }
}

}  // namespace
}  // namespace postern::infer
