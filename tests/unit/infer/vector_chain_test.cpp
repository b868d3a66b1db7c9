#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/chain.hpp"
#include "postern/infer/kinds/multivariate_normal/augment/records.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kColumns = 3;

VectorProblem three_columns(double rate, model::Policy outside = model::Clamp{}) {
  model::Column column;
  column.name = "x";
  column.values = model::RealRange{-1, 3, Rational(1, 10), {}};
  column.outside = outside;
  VectorRecords records;
  records.numbers.assign(kColumns, model::encoded_number(column, {}));
  records.sums.assign(kColumns, {{100, release::DiscreteLaplace(rate)}});
  records.products.assign(kColumns * (kColumns + 1) / 2, {{900, release::DiscreteLaplace(rate / 30)}});
  records.total = KnownTotal{40};
  return {{{1, 0, 1}, 1, 5, {2, 0, 0, 0, 2, 0, 0, 0, 2}}, {records}};
}

ErrorCode refusal(const VectorProblem& problem) {
  try {
    const VectorChain chain(problem);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(VectorChain, RefusesWhatItCannotDo) {
  EXPECT_EQ(refusal(three_columns(1, model::Drop{})), ErrorCode::engine_unsuitable);
  VectorProblem problem = three_columns(1);
  problem.sets[0].total = KnownTotal{-1};
  EXPECT_EQ(refusal(problem), ErrorCode::bad_value);
  problem.sets[0].total = KnownTotal{2'000'001};
  EXPECT_EQ(refusal(problem), ErrorCode::engine_limit);
  problem.sets[0].total = LatentTotal{1'000'000'000};
  EXPECT_EQ(refusal(problem), ErrorCode::engine_limit);
  problem = three_columns(1);
  problem.sets[0].products[2][0].y = std::nan("");
  EXPECT_EQ(refusal(problem), ErrorCode::bad_value);
  problem = three_columns(1);
  problem.sets[0].sums.pop_back();
  EXPECT_EQ(refusal(problem), ErrorCode::bad_value);
  problem = three_columns(1);
  problem.prior.degrees = 1;
  EXPECT_EQ(refusal(problem), ErrorCode::bad_prior);
  problem.sets.clear();
  EXPECT_EQ(refusal(problem), ErrorCode::bad_value);
}

TEST(VectorChain, ForecastsItsMemory) {
  VectorProblem problem = three_columns(1);
  EXPECT_EQ(forecast_records(problem, {}).bytes, 4 * 40 * (8 + 24 * 3.0));
  problem.sets[0].total = LatentTotal{1'000'000'000};
  problem.sets[0].counts = {{500, release::DiscreteLaplace(0.1)}};
  const double most = VectorChain::most_records(problem);
  EXPECT_GT(most, 500 + 690);
  EXPECT_LT(most, 500 + 720);
  EXPECT_EQ(forecast_records(problem, {}).bytes, 4 * 2 * most * (8 + 24 * 3.0));
}

/// Every record's k is what its x is encoded to, and the totals are theirs.
void check_books(const VectorProblem& problem, const VectorChain::State& state) {
  constexpr double kMiddle = 1;
  constexpr double kWidth = 4;
  for (std::size_t s = 0; s < problem.sets.size(); ++s) {
    const VectorChain::Records& records = state.sets[s];
    VectorTotals sums;
    for (std::size_t r = 0; r < records.size(); ++r) {
      Row k{};
      for (std::size_t i = 0; i < kColumns; ++i) {
        const auto& number = problem.sets[s].numbers[i];
        const auto level = static_cast<std::size_t>(number.level_of(kMiddle + kWidth * records.x[i][r]));
        ASSERT_EQ(records.k[i][r], number.values.adds[level]);
        k[i] = records.k[i][r];
      }
      for (std::size_t i = 0; i < kColumns; ++i) {
        sums.sum[i] += k[i];
        for (std::size_t j = i; j < kColumns; ++j) sums.sum[kColumns + packed(i, j, kColumns)] += k[i] * k[j];
      }
    }
    ASSERT_EQ(records.totals.sum, sums.sum);
    ASSERT_EQ(records.totals.n, static_cast<double>(records.size()));
  }
}

TEST(VectorChain, KeepsItsBooks) {
  for (const bool latent : {false, true}) {
    for (const double rate : {1e-4, 0.02, 3.0}) {
      VectorProblem problem = three_columns(rate);
      problem.sets[0].counts = {{40, release::DiscreteGaussian(100)}};
      if (latent) problem.sets[0].total = LatentTotal{300};
      problem.sets.push_back(problem.sets[0]);
      const VectorChain chain(problem);
      Rng rng(5, 0, Purpose::test);
      VectorChain::State state = chain.init(rng);
      for (int i = 0; i < VectorChain::kTuning + 50; ++i) {
        const VectorChain::Info info = chain.step(state, rng);
        ASSERT_LE(info.accepted, info.proposed);
        check_books(problem, state);
        ASSERT_TRUE(latent || state.sets[1].size() == 40);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(VectorChain, DrawsDoNotDependOnThreads) {
  VectorProblem problem = three_columns(0.01);
  problem.sets[0].total = LatentTotal{100};
  problem.sets[0].counts = {{40, release::DiscreteLaplace(0.1)}};
  DriverOptions options;
  options.draws = 20;
  options.most_warmup = 600;
  options.threads = 1;
  const ChainRun one = draw_augmented_vectors(problem, options, {});
  options.threads = 4;
  EXPECT_EQ(one.draws, draw_augmented_vectors(problem, options, {}).draws);
  EXPECT_NE(one.draws[0], one.draws[1]);
  EXPECT_EQ(one.draws[0].size(), 10 * options.draws);
}

}  // namespace
}  // namespace postern::infer
