// Releases that a normal approximation cannot weigh.

#include "kinds/number/contradiction.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "number_problems.hpp"

namespace postern::infer {
namespace {

NumberProblem poisson(std::variant<KnownTotal, LatentTotal> total) {
  NumberProblem problem = number_problem({"poisson", {}, model::IntegerRange{0, 20, {}}, {2, 1, 0, 0}});
  problem.total = total;
  return problem;
}

TEST(Contradiction, IsAValueBeyondAllSumsAndTheirNoise) {
  NumberProblem problem = poisson(KnownTotal{100});
  const release::DiscreteLaplace noise(0.05);
  for (const double y : {-800.0, 0.0, 430.0, 2000.0, 2800.0}) {
    problem.sums = {{y, noise}};
    EXPECT_NO_THROW(refuse_impossible(problem)) << y;
  }
  for (const double y : {-1e15, -1000.0, 3000.0, 1e15}) {
    problem.sums = {{y, noise}};
    EXPECT_THROW(refuse_impossible(problem), Error) << y;
  }
}

TEST(Contradiction, IsASumThatTheNumberOfRecordsForbids) {
  NumberProblem problem = poisson(LatentTotal{1'000'000, 0});
  problem.sums = {{1e6, release::DiscreteGaussian(100)}};
  EXPECT_NO_THROW(refuse_impossible(problem));
  problem.counts = {{51'000, release::DiscreteGaussian(100)}};
  EXPECT_NO_THROW(refuse_impossible(problem));
  problem.counts = {{40'000, release::DiscreteGaussian(100)}};
  EXPECT_THROW(refuse_impossible(problem), Error);
  problem.counts = {{-1e15, release::DiscreteGaussian(100)}};
  EXPECT_THROW(refuse_impossible(problem), Error);
}

TEST(Contradiction, OfSquaresIsSeenToo) {
  NumberProblem problem = number_problem({"normal", {}, model::RealRange{-10, 10, 1, {}}, {0, 1, 2, 2}});
  problem.total = KnownTotal{1000};
  problem.sums = {{0, release::DiscreteGaussian(100)}};
  problem.square_sums = {{50'000, release::DiscreteGaussian(100)}};
  EXPECT_NO_THROW(refuse_impossible(problem));
  problem.square_sums = {{-200, release::DiscreteGaussian(100)}};
  EXPECT_THROW(refuse_impossible(problem), Error);
  problem.square_sums = {{100'200, release::DiscreteGaussian(100)}};
  EXPECT_THROW(refuse_impossible(problem), Error);
}

// Poisson(4) hardly ever reaches 20: its sums have mean 4 n and variance 4 n.
TEST(Contradiction, IsMeasuredInDeviationsOfSamplingAndNoise) {
  NumberProblem problem = poisson(KnownTotal{1000});
  problem.sums = {{4000, release::DiscreteGaussian(5000)}, {4300, release::DiscreteGaussian(5000)}};
  EXPECT_NEAR(deviations(problem, {4, 0}, 1000), 300 / std::sqrt(9000.0), 1e-6);
  EXPECT_NO_THROW(refuse_unlikely(4));
  EXPECT_THROW(refuse_unlikely(10), Error);
}

}  // namespace
}  // namespace postern::infer
