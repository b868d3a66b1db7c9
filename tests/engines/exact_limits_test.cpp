#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"
#include "postern/infer/kinds/table/problem.hpp"
#include "postern/infer/kinds/total.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kMemory = std::size_t{64} << 20;

CountProblem make(std::vector<double> alpha, const std::vector<double>& y, const release::NoiseLaw& law) {
  CountProblem problem;
  problem.alpha = std::move(alpha);
  for (const double value : y) problem.noisy_values.push_back({{value, law}});
  return problem;
}

TEST(ExactLimits, WithoutNoiseItIsTheConjugatePosterior) {
  for (const release::NoiseLaw& law : {release::NoiseLaw(release::DiscreteLaplace(500)),
                                       release::NoiseLaw(release::DiscreteGaussian(1e-4))}) {
    CountProblem problem = make({1, 0.5, 2}, {30, 0, 70}, law);
    for (const bool latent : {false, true}) {
      if (latent) {
        problem.total = LatentTotal{1000};
      } else {
        problem.total = KnownTotal{100};
      }
      const CountPosterior posterior(problem, kMemory, 1);
      EXPECT_NEAR(posterior.mean(0), 31 / 103.5, 1e-13);
      EXPECT_NEAR(posterior.quantile(2, 0.95), beta_quantile(72, 31.5, 0.95), 1e-12);
      EXPECT_NEAR(posterior.count_probability(1, 0), 1, 1e-13);
    }
  }
}

TEST(ExactLimits, WithEndlessNoiseItIsThePrior) {
  for (const release::NoiseLaw& law : {release::NoiseLaw(release::DiscreteLaplace(1e-12)),
                                       release::NoiseLaw(release::DiscreteGaussian(1e24))}) {
    CountProblem problem = make({1, 0.5, 2}, {300, -70, 20}, law);
    problem.total = KnownTotal{50};
    const CountPosterior posterior(problem, kMemory, 1);
    EXPECT_NEAR(posterior.mean(1), 0.5 / 3.5, 1e-9);
    EXPECT_NEAR(posterior.quantile(2, 0.05), beta_quantile(2, 1.5, 0.05), 1e-8);
    problem.total = LatentTotal{50};
    const CountPosterior vague(problem, kMemory, 1);
    EXPECT_NEAR(vague.mean(1), 0.5 / 3.5, 1e-9);
    EXPECT_NEAR(vague.total().mean, 25, 1e-8);
    EXPECT_NEAR(vague.total_probability(0), 1.0 / 51, 1e-10);
  }
}

// A value of -1e15 says no more than one of -1e6: that the count is 0. Its log pmf is -1e24, beside which no
// other weight would have digits left.
TEST(ExactLimits, AValueFarBelowZeroIsZero) {
  for (const double alpha : {1e-3, 1.0, 1e6}) {
    CountProblem far = make({alpha, alpha, alpha}, {477, -1e15, 626}, release::DiscreteGaussian(5e5));
    CountProblem near = make({alpha, alpha, alpha}, {477, -1e9, 626}, release::DiscreteGaussian(5e5));
    far.total = near.total = LatentTotal{1'000'000'000};
    const CountPosterior one(far, std::size_t{2} << 30, 1);
    const CountPosterior other(near, std::size_t{2} << 30, 1);
    for (std::size_t cell = 0; cell < 3; ++cell)
      EXPECT_NEAR(one.mean(cell), other.mean(cell), 1e-9 * other.mean(cell)) << alpha;
    EXPECT_NEAR(one.total().mean, other.total().mean, 1e-9 * other.total().mean) << alpha;
    EXPECT_NEAR(one.log_evidence(), -1e24, 1e19);
  }
}

TEST(ExactLimits, NoRecordsLeaveThePrior) {
  CountProblem problem = make({1, 0.5, 2}, {3, -7, 2}, release::DiscreteLaplace(0.1));
  problem.total = KnownTotal{0};
  const CountPosterior posterior(problem, kMemory, 1);
  EXPECT_NEAR(posterior.mean(1), 0.5 / 3.5, 1e-15);
  EXPECT_NEAR(posterior.quantile(2, 0.05), beta_quantile(2, 1.5, 0.05), 1e-13);
  EXPECT_EQ(posterior.total().mean, 0);
}

TEST(ExactLimits, LargeCountsKeepTheirDigits) {
  // One proportion of a thousand million records, almost without noise: the Beta itself.
  CountProblem problem = make({1, 1}, {0, 300'000'000}, release::DiscreteLaplace(40));
  problem.noisy_values[0].clear();
  problem.total = KnownTotal{1'000'000'000};
  const CountPosterior posterior(problem, kMemory, 1);
  const double a = 300'000'001;
  const double b = 700'000'001;
  EXPECT_NEAR(posterior.mean(1), a / (a + b), 1e-15);
  EXPECT_NEAR(posterior.sd(1) / std::sqrt(a * b / ((a + b) * (a + b) * (a + b + 1))), 1, 1e-10);
}

TEST(ExactLimits, PastTheMemoryLimitItRefusesWithTheForecast) {
  CountProblem problem =
      make(std::vector<double>(50, 1.0), std::vector<double>(50, 2e6), release::DiscreteLaplace(1e-4));
  problem.total = KnownTotal{100'000'000};
  EXPECT_GT(CountPosterior::forecast(problem).bytes, 1e8);
  try {
    const CountPosterior posterior(problem, kMemory, 1);
    FAIL() << "built";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_limit);
    EXPECT_NE(std::string(error.what()).find("64.0 MiB"), std::string::npos) << error.what();
  }
}

struct Outcome {
  int answered = 0;
  int refused = 0;
};

/// Right or refused: never NaN, out of range or out of order.
void expect_sane(const CountProblem& problem, Outcome& outcome) {
  try {
    const CountPosterior posterior(problem, kMemory, 1);
    ++outcome.answered;
    EXPECT_TRUE(std::isfinite(posterior.log_evidence()));
    double sum = 0;
    for (std::size_t k = 0; k < posterior.cells(); ++k) {
      const double q05 = posterior.quantile(k, 0.05);
      const double q95 = posterior.quantile(k, 0.95);
      sum += posterior.mean(k);
      ASSERT_TRUE(posterior.mean(k) >= 0 && posterior.mean(k) <= 1);
      ASSERT_TRUE(posterior.sd(k) >= 0 && posterior.sd(k) <= 0.5 + 1e-12);
      ASSERT_TRUE(0 <= q05 && q05 <= q95 && q95 <= 1);
    }
    EXPECT_NEAR(sum, 1, 1e-8);
    Rng rng(1, 0, Purpose::draws);
    std::vector<double> theta(posterior.cells());
    std::vector<std::int64_t> s(posterior.cells());
    for (int i = 0; i < 20; ++i) {
      const std::int64_t n = posterior.draw(theta, s, rng);
      std::int64_t total = 0;
      for (std::size_t k = 0; k < s.size(); ++k) {
        ASSERT_TRUE(s[k] >= 0 && theta[k] >= 0 && theta[k] <= 1);
        total += s[k];
      }
      ASSERT_EQ(total, n);
    }
  } catch (const Error& error) {
    ++outcome.refused;
    EXPECT_EQ(error.code(), ErrorCode::engine_limit) << error.what();
  }
}

struct Hostile {
  double epsilon;
  bool gaussian;

  friend std::ostream& operator<<(std::ostream& out, const Hostile& setting) {
    return out << (setting.gaussian ? "gaussian, epsilon " : "laplace, epsilon ") << setting.epsilon;
  }
};
class ExactHostile : public testing::TestWithParam<Hostile> {};

TEST_P(ExactHostile, IsRightOrRefuses) {
  const auto [epsilon, gaussian] = GetParam();
  const release::NoiseLaw law = gaussian
                                    ? release::NoiseLaw(release::DiscreteGaussian(1 / (epsilon * epsilon)))
                                    : release::NoiseLaw(release::DiscreteLaplace(epsilon));
  const std::vector<std::vector<double>> values{
      {0, 0, 0}, {1e15, 1e15, 1e15}, {-1e15, -1e15, -1e15}, {1e15, -1e15, 7}, {300, 20, 680}};
  Outcome outcome;
  for (const std::int64_t n : {0, 1, 40, 1000, 1'000'000'000}) {
    for (const double alpha : {1e-3, 1.0, 1e6}) {
      for (const std::vector<double>& y : values) {
        for (const std::size_t cells : {1, 2, 3, 12}) {
          if (cells > 3 && n > 40) continue;  // slow
          std::vector<double> seen(cells);
          for (std::size_t k = 0; k < cells; ++k) seen[k] = y[k % y.size()];
          CountProblem problem = make(std::vector<double>(cells, alpha), seen, law);
          SCOPED_TRACE(std::to_string(n) + " records, alpha " + std::to_string(alpha) + ", " +
                       std::to_string(cells) + " cells, first value " + std::to_string(y[0]));
          problem.total = KnownTotal{n};
          expect_sane(problem, outcome);
          problem.total = LatentTotal{n};
          expect_sane(problem, outcome);
          if (cells == 2) {
            problem.noisy_values[0].clear();
            problem.total = KnownTotal{n};
            expect_sane(problem, outcome);
          }
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
  // Refusals are for windows of millions, not a way out.
  EXPECT_GT(outcome.answered, 2 * outcome.refused);
}

INSTANTIATE_TEST_SUITE_P(All, ExactHostile,
                         testing::Values(Hostile{1e-6, false}, Hostile{1e-3, false}, Hostile{1, false},
                                         Hostile{1e3, false}, Hostile{1e-6, true}, Hostile{1e-3, true},
                                         Hostile{1, true}, Hostile{1e3, true}));

}  // namespace
}  // namespace postern::infer
