// Blocks of numbers of records against the convolution of their laws, one n after the other.

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "postern/core/special.hpp"

#include "kinds/number/exact/private_n/lattice_block.hpp"
#include "kinds/number/exact/private_n/log_linear_run.hpp"
#include "number_problems.hpp"

namespace postern::infer {
namespace {

constexpr std::int64_t kMost = 60;

/// p(n) and a noisy value of it.
CountWeight some_weight() {
  NumberProblem problem = number_problem({"poisson", {}, model::IntegerRange{0, 20, {}}, {1, 1, 0, 0}});
  problem.total = LatentTotal{kMost, -0.01};
  problem.counts = {{25, release::DiscreteLaplace(0.05)}};
  return CountWeight(problem);
}

/// Even, uneven, on both sides of 0, all but certain, and certain.
std::vector<RecordNodes> laws() {
  std::vector<RecordNodes> out(5);
  for (int k = 0; k <= 8; ++k) {
    out[0].add(k, 1.0 / 9);
    out[1].add(k * k, (k + 1) / 45.0);
    out[2].add(k - 3, std::exp(-0.2 * k * k));
    out[3].add(k, k == 8 ? 1 : std::exp(-12.0 - 3 * k));
  }
  out[4].add(5, 1);
  for (RecordNodes& nodes : out) {
    double sum = 0;
    for (const double mass : nodes.mass) sum += mass;
    for (double& mass : nodes.mass) mass /= sum;
  }
  return out;
}

SumNoise laplace(std::vector<SumNoise::Kink> kinks) {
  SumNoise noise;
  noise.kinks = std::move(kinks);
  return noise;
}

std::vector<SumNoise> noises() {
  std::vector<SumNoise> out;
  for (const double at : {-30.0, 0.0, 7.0, 90.0, 400.0}) {
    for (const double rate : {1e-3, 0.05, 2.0}) {
      out.push_back(laplace({{at, rate}}));
      out.push_back(laplace({{at, rate}, {at + 40, 0.3 * rate}}));
    }
  }
  return out;
}

/// log E w(S_n) for n = 0..kMost.
std::vector<double> convolved(const RecordNodes& nodes, const SumNoise& noise) {
  const int width = static_cast<int>(std::max(std::abs(nodes.at.front()), nodes.at.back()));
  const int middle = width * static_cast<int>(kMost);
  std::vector<double> law(static_cast<std::size_t>(2 * middle + 1), 0.0);
  law[static_cast<std::size_t>(middle)] = 1;
  std::vector<double> out;
  for (std::int64_t n = 0;; ++n) {
    std::vector<double> log_terms;
    for (std::size_t i = 0; i < law.size(); ++i) {
      if (law[i] > 0)
        log_terms.push_back(std::log(law[i]) +
                            noise.log_at(static_cast<double>(i) - static_cast<double>(middle)));
    }
    out.push_back(log_sum_exp(log_terms));
    if (n == kMost) return out;
    std::vector<double> next(law.size(), 0.0);
    for (std::size_t i = 0; i < law.size(); ++i) {
      if (law[i] == 0) continue;
      for (std::size_t r = 0; r < nodes.at.size(); ++r)
        next[i + static_cast<std::size_t>(static_cast<std::int64_t>(nodes.at[r]))] += law[i] * nodes.mass[r];
    }
    law.swap(next);
  }
}

TEST(LogLinearRun, IsWhatItsSumsSay) {
  const CountWeight weight = some_weight();
  for (const RecordNodes& nodes : laws()) {
    for (const SumNoise& noise : noises()) {
      const std::vector<double> log_mean = convolved(nodes, noise);
      for (const double nats : {5.0, 19.0}) {
        for (const LogLinearRun& run : log_linear_runs(nodes, weight, noise, nats)) {
          std::vector<double> terms;
          for (double n = run.lo(); n <= run.hi(); ++n) {
            terms.push_back(run.log_at(n));
            const double expected = weight.log_at(n) + log_mean[static_cast<std::size_t>(n)];
            EXPECT_NEAR(terms.back(), expected, 2 * std::exp(-nats) + 1e-10) << n << " of " << run.hi();
          }
          EXPECT_NEAR(run.log_sum(), log_sum_exp(terms), 1e-11);
        }
      }
    }
  }
}

TEST(LogLinearRun, HoldsTheNumbersThatAreClear) {
  const CountWeight weight = some_weight();
  const std::vector<RecordNodes> of = laws();
  const auto numbers = [&](const RecordNodes& nodes, const SumNoise& noise) {
    double sum = 0;
    for (const LogLinearRun& run : log_linear_runs(nodes, weight, noise, 19)) sum += run.hi() - run.lo() + 1;
    return sum;
  };
  // Nothing is below -30; records that add 5 pass 7 between one and the next.
  EXPECT_EQ(numbers(of[0], laplace({{-30, 0.1}})), kMost + 1);
  EXPECT_EQ(numbers(of[4], laplace({{7, 0.1}})), kMost + 1);
  // 11 records of 8 reach 90 for certain, but sums of 12 and more are above it but for e^-19.
  EXPECT_GE(numbers(of[3], laplace({{90, 1e-3}})), kMost - 5);
  // Sums of n have mean 4 n and deviation 2.6 sqrt n: 90 is 6.2 deviations away at n = 10 and n = 45.
  EXPECT_GE(numbers(of[0], laplace({{90, 1e-3}})), kMost - 40);
  SumNoise gaussian = laplace({{90, 1e-3}});
  gaussian.precision = 1e-4;
  EXPECT_EQ(numbers(of[0], gaussian), 0);
}

TEST(LatticeBlock, IsTheSumOfEachNumberOfRecords) {
  const CountWeight weight = some_weight();
  TiltedRecord tilted;
  for (const RecordNodes& nodes : laws()) {
    for (SumNoise noise : noises()) {
      for (const double precision : {0.0, 1e-3}) {
        noise.precision = precision;
        noise.centre = 20;
        const std::vector<double> log_mean = convolved(nodes, noise);
        find_tilt(nodes, 9, noise, 0, tilted);
        const LatticeBlock block(nodes, tilted, weight, noise, 3, 16, 9, 1e-9);
        ASSERT_TRUE(block.usable());
        std::vector<double> expected;
        for (std::size_t n = 3; n <= 16; ++n)
          expected.push_back(weight.log_at(static_cast<double>(n)) + log_mean[n]);
        const double sum = log_sum_exp(expected);
        if (sum - block.log_sizes() < -12) continue;  // it says itself that rounding has the better of it
        for (std::size_t i = 0; i < expected.size(); ++i)
          EXPECT_NEAR(std::exp(block.log_values()[i] - sum), std::exp(expected[i] - sum), 1e-9) << i;
      }
    }
  }
}

/// log E w(S_n) over all tuples of nodes.
double listed(const RecordNodes& nodes, const SumNoise& noise, int n) {
  std::vector<double> log_terms;
  const std::function<void(int, double, double)> place = [&](int left, double weight, double s) {
    if (left == 0) {
      log_terms.push_back(std::log(weight) + noise.log_at(s));
      return;
    }
    for (std::size_t r = 0; r < nodes.at.size(); ++r)
      place(left - 1, weight * nodes.mass[r], s + nodes.at[r]);
  };
  place(n, 1, 0);
  return log_sum_exp(log_terms);
}

TEST(LatticeBlock, KnowsSumsBetweenItsPoints) {
  const CountWeight weight = some_weight();
  RecordNodes nodes;
  for (const double at : {0.0, 90517.0, 210113.0, 330331.0, 400009.0, 777777.0, 1e6}) nodes.add(at, 1.0 / 7);
  TiltedRecord tilted;
  for (const double at : {0.0, 3e5, 1.53e6, 2.2e6, 6e6}) {
    for (const double rate : {2e-7, 1e-6, 5e-6}) {
      const SumNoise noise = laplace({{at, rate}});
      find_tilt(nodes, 4, noise, 0, tilted);
      constexpr double kError = 2e-7;
      const LatticeBlock block(nodes, tilted, weight, noise, 2, 6, 4, kError);
      ASSERT_TRUE(block.usable());
      for (int n = 2; n <= 6; ++n) {
        const double expected = weight.log_at(n) + listed(nodes, noise, n);
        // One atom of few counts for more where it is next to a kink, as 90517 + 210113 is.
        EXPECT_NEAR(block.log_values()[static_cast<std::size_t>(n - 2)], expected, 50 * kError)
            << n << " at " << at << " rate " << rate;
      }
    }
  }
}

TEST(LatticeBlock, IsNotUsableWhereSumsAreMany) {
  RecordNodes nodes;
  nodes.add(0, 0.5);
  nodes.add(1e6, 0.5);
  TiltedRecord tilted;
  tilt_record(nodes, 0, tilted);
  EXPECT_FALSE(LatticeBlock(nodes, tilted, some_weight(), laplace({{1e6, 1e-3}}), 1, 3, 2, 1e-9).usable());
}

}  // namespace
}  // namespace postern::infer
