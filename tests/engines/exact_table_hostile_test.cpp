#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/infer/kinds/table/exact/count_posterior.hpp"

#include "pooled_support.hpp"

// The exact engine of tables on hostile values, where there are so few records that all tables can be listed.

namespace postern::infer {
namespace {

/// A listing keeps its logarithms, of some 10^7 here, to 10^-9.
constexpr double kTolerance = 1e-8;

CountProblem problem_of(const std::vector<double>& y, double alpha, const release::NoiseLaw& law) {
  CountProblem out;
  for (const double value : y) {
    out.alpha.push_back(out.alpha.empty() ? alpha : 1.0);
    out.noisy_values.push_back({{value, law}});
  }
  return out;
}

void expect_listed(const CountProblem& problem, const CountProblem& listed) {
  const CountPosterior posterior(problem, std::size_t{1} << 28, 1);
  PooledCounts one_dataset;
  one_dataset.alpha = listed.alpha;
  one_dataset.datasets = {listed};
  const PooledEnumeration right(one_dataset);
  for (std::size_t k = 0; k < problem.alpha.size(); ++k) {
    ASSERT_NEAR(posterior.mean(k), right.mean(k), kTolerance);
    ASSERT_NEAR(posterior.sd(k) * posterior.sd(k), right.square(k) - right.mean(k) * right.mean(k),
                kTolerance);
  }
  ASSERT_NEAR(posterior.total().mean, right.total(0), 10 * kTolerance);
}

/// All that differ in n, alpha and the number of cells.
void expect_all_listed(const std::vector<double>& values, const release::NoiseLaw& law) {
  for (const std::int64_t n : {0, 1, 6}) {
    for (const double alpha : {1e-3, 1.0, 1e6}) {
      for (const std::size_t cells : {1U, 2U, 3U}) {
        for (const bool latent : {false, true}) {
          SCOPED_TRACE(std::to_string(n) + (latent ? " or fewer" : "") + " records, alpha " +
                       std::to_string(alpha) + ", " + std::to_string(cells) + " cells, first value " +
                       std::to_string(values[0]));
          CountProblem problem =
              problem_of({values.begin(), values.begin() + static_cast<std::ptrdiff_t>(cells)}, alpha, law);
          problem.total = KnownTotal{n};
          if (latent) problem.total = LatentTotal{n};
          CountProblem listed = problem;
          // Beyond 0..n Laplace noise changes by a constant only, and a listing wants digits.
          for (auto& noisy_values : listed.noisy_values) {
            if (std::holds_alternative<release::DiscreteLaplace>(law))
              noisy_values[0].y = std::clamp(noisy_values[0].y, 0.0, static_cast<double>(n));
          }
          expect_listed(problem, listed);
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(ExactTableHostile, IsTheListingUnderLaplaceNoise) {
  for (const double epsilon : {1e-6, 1e-3, 1.0, 1e3}) {
    for (const std::vector<double>& y : std::vector<std::vector<double>>{{0, 0, 0},
                                                                         {6, 6, 6},
                                                                         {1e15, 1e15, 1e15},
                                                                         {-1e15, -1e15, -1e15},
                                                                         {1e15, -1e15, 7},
                                                                         {300, 20, 680}})
      expect_all_listed(y, release::DiscreteLaplace(epsilon));
  }
}

TEST(ExactTableHostile, IsTheListingUnderGaussianNoise) {
  for (const double epsilon : {1e-6, 1e-3, 1.0, 1e3}) {
    for (const std::vector<double>& y : std::vector<std::vector<double>>{{0, 0, 0}, {6, 6, 6}, {1, -2, 7}})
      expect_all_listed(y, release::DiscreteGaussian(1 / (epsilon * epsilon)));
  }
}

}  // namespace
}  // namespace postern::infer
