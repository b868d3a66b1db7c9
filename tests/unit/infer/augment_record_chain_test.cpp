#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/kinds/number/augment/record_chain.hpp"
#include "postern/infer/kinds/number/augment/records.hpp"
#include "postern/model/number_family.hpp"

namespace postern::infer {
namespace {

NumberProblem exponential(model::Policy outside = model::Clamp{}) {
  const model::NumberFamily* family = model::find_number_family("exponential");
  model::Column column;
  column.name = "x";
  column.values = model::RealRange{0, 4, Rational(1, 100), {}};
  column.outside = outside;
  NumberProblem problem;
  problem.law = family->law({});
  problem.prior = {2, 1};
  problem.number = model::encoded_number(column, family->transform({}));
  problem.sums = {{3000, release::DiscreteLaplace(0.01)}};
  problem.total = KnownTotal{50};
  return problem;
}

ErrorCode refusal(const NumberProblem& problem) {
  try {
    const RecordChain chain(problem);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::internal;
}

TEST(RecordChain, RefusesWhatItCannotDo) {
  NumberProblem problem = exponential();
  problem.number.below = -1;  // on one side only: no study says so
  EXPECT_EQ(refusal(problem), ErrorCode::engine_unsuitable);
  problem = exponential();
  problem.total = KnownTotal{-1};
  EXPECT_EQ(refusal(problem), ErrorCode::bad_value);
  problem.total = KnownTotal{10'000'001};
  EXPECT_EQ(refusal(problem), ErrorCode::engine_limit);
  problem.total = LatentTotal{1'000'000'000};
  EXPECT_EQ(refusal(problem), ErrorCode::engine_limit);
  problem = exponential();
  problem.sums[0].y = std::nan("");
  EXPECT_EQ(refusal(problem), ErrorCode::bad_value);
  problem = exponential();
  problem.parameters = 3;
  EXPECT_EQ(refusal(problem), ErrorCode::bad_value);
}

TEST(RecordChain, AReleasedCountBoundsTheRecords) {
  NumberProblem problem = exponential();
  problem.total = LatentTotal{1'000'000'000};
  problem.counts = {{500, release::DiscreteLaplace(0.1)}};
  const double most = RecordChain::most_records(problem);
  EXPECT_GT(most, 500 + 690);
  EXPECT_LT(most, 500 + 720);
  EXPECT_EQ(forecast_records(problem, {}).records, most);
  EXPECT_EQ(forecast_records(problem, {}).bytes, 4 * 2 * 24 * most);
  // A count that cannot be does not bound by its own place.
  problem.counts[0].y = -1e15;
  EXPECT_GT(RecordChain::most_records(problem), 690);
  problem.counts[0].y = 1e15;
  EXPECT_EQ(RecordChain::most_records(problem), 1e9);
}

TEST(RecordChain, KnowsWhichLawsShiftAndScale) {
  for (const model::NumberFamily& family : model::number_families()) {
    const std::vector<Rational> known(family.known.size(), Rational(3));
    EXPECT_EQ(shifts_and_scales(*family.law(known), family.parameters.size()), !family.whole) << family.name;
  }
}

// Every record's k is what its t is encoded to, and the totals are theirs, after any mixture of moves.
TEST(RecordChain, KeepsItsBooks) {
  for (const bool latent : {false, true}) {
    for (const double lambda : {1e-4, 0.01, 1.0}) {
      NumberProblem problem = exponential();
      problem.sums[0].law = release::DiscreteLaplace(lambda);
      problem.counts = {{50, release::DiscreteGaussian(100)}};
      if (latent) problem.total = LatentTotal{1000};
      const RecordChain chain(problem);
      Rng rng(5, 0, Purpose::test);
      RecordChain::State state = chain.init(rng);
      for (int i = 0; i < 2 * RecordChain::kTuning; ++i) {
        const RecordChain::Info info = chain.step(state, rng);
        ASSERT_LE(info.accepted, info.proposed);
        double sum = 0;
        for (std::size_t r = 0; r < state.t.size(); ++r) {
          const auto level = static_cast<std::size_t>(problem.number.level_of(state.t[r]));
          ASSERT_EQ(state.k[r], problem.number.values.adds[level]);
          sum += state.k[r];
        }
        ASSERT_EQ(state.totals.sum, sum);
        ASSERT_EQ(state.totals.n, static_cast<double>(state.t.size()));
        ASSERT_TRUE(latent || state.t.size() == 50);
      }
    }
  }
}

TEST(RecordChain, DrawsDoNotDependOnThreads) {
  NumberProblem problem = exponential();
  problem.total = LatentTotal{200};
  problem.counts = {{50, release::DiscreteLaplace(0.1)}};
  DriverOptions options;
  options.draws = 20;
  options.threads = 1;
  const ChainRun one = draw_augmented_number({problem}, options, {});
  options.threads = 4;
  EXPECT_EQ(one.draws, draw_augmented_number({problem}, options, {}).draws);
  EXPECT_NE(one.draws[0], one.draws[1]);
  EXPECT_EQ(one.draws[0].size(), 2 * options.draws);
}

}  // namespace
}  // namespace postern::infer
