#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/network/star_posterior.hpp"

#include "star_problems.hpp"

// Whatever a release says, the posterior is right or refused: never a number that is none.

namespace postern::infer {
namespace {

using release::DiscreteGaussian;
using release::DiscreteLaplace;
using release::NoiseLaw;

constexpr std::size_t kMemory = std::size_t{1} << 30;

/// Checks whatever comes out; false where the problem is refused as beyond the engine.
bool expect_finite(const NetworkProblem& problem) {
  try {
    const StarPosterior posterior(problem, kMemory, 1);
    EXPECT_TRUE(std::isfinite(posterior.log_evidence()));
    Rng rng(1, 0, Purpose::test);
    std::vector<double> theta(posterior.cells());
    for (int i = 0; i < 5; ++i) {
      EXPECT_GE(posterior.draw(theta, rng), 0);
      for (const double x : theta) EXPECT_TRUE(x >= 0 && x <= 1) << x;
    }
    for (std::size_t k = 0; k < posterior.cells(); ++k) {
      EXPECT_TRUE(posterior.mean(k) >= 0 && posterior.mean(k) <= 1 + 1e-9) << posterior.mean(k);
      EXPECT_TRUE(std::isfinite(posterior.sd(k)));
    }
    const std::vector<std::int32_t> record(problem.sizes.size(), 1);
    double sum = 0;
    for (const double p : posterior.class_probabilities(record)) sum += p;
    EXPECT_NEAR(sum, 1, 1e-9);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_limit) << error.what();
    return false;
  }
}

NetworkProblem problem_of(std::int64_t n, bool latent, const NoiseLaw& law, std::uint32_t stream) {
  Rng rng(77, stream, Purpose::test);
  StarOptions options;
  options.leaves = {2, 3};
  options.n = n;
  options.latent = latent;
  options.releases = {law};
  return simulate_star(options, rng).problem;
}

std::vector<NoiseLaw> laws() {
  // Epsilon 1e-3 and 50, shared by three tables.
  return {DiscreteLaplace(1e-3 / 6), DiscreteLaplace(50.0 / 6), DiscreteGaussian(2e7),
          DiscreteGaussian(0.004)};
}

TEST(StarHostile, TakesTheNoiseOfTinyAndHugeBudgets) {
  std::uint32_t stream = 0;
  for (const std::int64_t n : {0, 1, 50, 5000}) {
    for (const bool latent : {false, true}) {
      for (const NoiseLaw& law : laws())
        EXPECT_TRUE(expect_finite(problem_of(n, latent, law, ++stream))) << n << ", law " << stream;
    }
  }
}

TEST(StarHostile, TakesOrRefusesAbsurdValues) {
  std::uint32_t stream = 100;
  int taken = 0;
  int asked = 0;
  for (const std::int64_t n : {1, 50, 3000}) {
    for (const bool latent : {false, true}) {
      for (const NoiseLaw& law : laws()) {
        for (const double y : {-1e6, 1e9, 1e15}) {
          for (const std::size_t family : {0, 1}) {
            NetworkProblem problem = problem_of(n, latent, law, ++stream);
            problem.families[family].noisy_values[0][0].y = y;
            SCOPED_TRACE(testing::Message() << "n " << n << " latent " << latent << " y " << y << " family "
                                            << family << " law " << (stream - 101) / 6 % 4);
            ++asked;
            taken += expect_finite(problem) ? 1 : 0;
          }
        }
      }
    }
  }
  EXPECT_GE(taken, asked / 2);
}

/// Laplace noise says no more about counts in 0..n when a value is further out than 0 or n.
TEST(StarHostile, ValuesBeyondEveryCountSayWhatTheNearestCountSays) {
  for (const std::int64_t n : {50, 3000}) {
    for (const bool latent : {false, true}) {
      for (const double lambda : {50.0 / 6, 0.05, 1e-3 / 6}) {
        NetworkProblem far = problem_of(n, latent, DiscreteLaplace(lambda), 800);
        NetworkProblem near = far;
        far.families[0].noisy_values[0][0].y = -1e6;
        near.families[0].noisy_values[0][0].y = 0;
        far.families[1].noisy_values[3][0].y = 1e9;
        near.families[1].noisy_values[3][0].y = static_cast<double>(n);
        const StarPosterior a(far, kMemory, 1);
        const StarPosterior b(near, kMemory, 1);
        for (std::size_t k = 0; k < a.cells(); ++k) {
          EXPECT_NEAR(a.mean(k), b.mean(k), 1e-10) << k;
          EXPECT_NEAR(a.sd(k), b.sd(k), 1e-10) << k;
        }
        const double less = lambda * (1e9 - static_cast<double>(n) + 1e6);
        EXPECT_NEAR(a.log_evidence() + less, b.log_evidence(), 1e-15 * less + 1e-10);
      }
    }
  }
}

/// A count that a Gaussian value puts ten thousand standard deviations above n is as large as it can be.
TEST(StarHostile, AGaussianValueFarAboveNTakesAllRecords) {
  for (const std::int64_t n : {50, 3000}) {
    NetworkProblem problem = problem_of(n, false, DiscreteGaussian(100.0), 900);
    problem.families[1].noisy_values[1][0] = {1e5, DiscreteGaussian(100.0)};
    const StarPosterior posterior(problem, kMemory, 1);
    const auto x = static_cast<double>(n);
    EXPECT_NEAR(posterior.mean(0), (x + 0.5) / (x + 1), 1e-12);
    EXPECT_NEAR(posterior.mean(3), (x + 0.5) / (x + 1),
                1e-12);  // after the root's two: level 1 given class 0
  }
}

TEST(StarHostile, TakesTablesThatAreAbsurdInOppositeWays) {
  for (const NoiseLaw& law : laws()) {
    NetworkProblem problem = problem_of(200, true, law, 300);
    for (auto& values : problem.families[1].noisy_values) values[0].y = 1e9;
    for (auto& values : problem.families[2].noisy_values) values[0].y = -1e9;
    expect_finite(problem);
  }
}

TEST(StarHostile, HardlyNoisyTablesGiveTheConjugatePosterior) {
  NetworkProblem problem = problem_of(1000, false, DiscreteLaplace(40.0), 400);
  const StarPosterior posterior(problem, kMemory, 1);
  std::size_t cell = 0;
  for (std::uint32_t v = 0; v < problem.sizes.size(); ++v) {
    const NetworkFamily& family = problem.families[v];
    for (std::size_t row = 0; row < family.alpha.size(); row += problem.sizes[v]) {
      double whole = 0;
      for (std::size_t k = row; k < row + problem.sizes[v]; ++k)
        whole += family.alpha[k] + family.noisy_values[k][0].y;
      for (std::size_t k = row; k < row + problem.sizes[v]; ++k, ++cell)
        EXPECT_NEAR(posterior.mean(cell), (family.alpha[k] + family.noisy_values[k][0].y) / whole, 1e-12);
    }
  }
}

TEST(StarHostile, RefusesWhatIsNoStar) {
  NetworkProblem problem = problem_of(10, false, DiscreteLaplace(1.0), 500);
  EXPECT_TRUE(StarPosterior::fits(problem));
  NetworkProblem chain = problem;
  chain.families[2].variables = {1, 2};
  EXPECT_FALSE(StarPosterior::fits(chain));
  EXPECT_THROW(StarPosterior(chain, kMemory, 1), Error);
  NetworkProblem two_roots = problem;
  two_roots.families[1].variables = {1};
  two_roots.families[1].alpha.resize(2);
  two_roots.families[1].noisy_values.resize(2);
  EXPECT_FALSE(StarPosterior::fits(two_roots));
  NetworkProblem bad = problem;
  bad.families[1].alpha[0] = 0;
  EXPECT_THROW((void)StarPosterior::fits(bad), Error);
  bad = problem;
  bad.families[0].noisy_values[0][0].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)StarPosterior::fits(bad), Error);
  bad = problem;
  bad.families[2].alpha.pop_back();
  EXPECT_THROW((void)StarPosterior::fits(bad), Error);
}

TEST(StarHostile, RefusesBeyondTheMemoryLimit) {
  const NetworkProblem problem = problem_of(100'000, false, DiscreteLaplace(1e-3), 600);
  EXPECT_GT(StarPosterior::forecast(problem).bytes, 1e5);
  try {
    const StarPosterior posterior(problem, 100'000, 1);
    FAIL() << "took it";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_limit);
  }
}

TEST(StarHostile, RefusesRecordsThatAreNone) {
  const StarPosterior posterior(problem_of(10, false, DiscreteLaplace(1.0), 700), kMemory, 1);
  EXPECT_THROW((void)posterior.log_joint(std::vector<std::int32_t>{0, 0}), Error);
  EXPECT_THROW((void)posterior.log_joint(std::vector<std::int32_t>{0, 2, 0}), Error);
  EXPECT_THROW((void)posterior.log_predictive(std::vector<std::int32_t>{2, 0, 0}), Error);
}

}  // namespace
}  // namespace postern::infer
