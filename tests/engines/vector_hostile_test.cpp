#include <cmath>
#include <ostream>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "vector_support.hpp"

namespace postern::infer {
namespace {

struct Hostile {
  double epsilon;
  bool gaussian;
  friend std::ostream& operator<<(std::ostream& out, const Hostile& one) {
    return out << "epsilon " << one.epsilon << (one.gaussian ? ", gaussian" : "");
  }
};

std::vector<WishartPrior> priors(std::size_t d) {
  const auto columns = static_cast<double>(d);
  WishartPrior far = wishart_prior(d, 1e-6, columns - 1 + 1e-3, 1);
  far.mean.assign(d, 1e6);
  return {wishart_prior(d, 2, columns + 4, 0.2), wishart_prior(d, 1e6, 1e6, 1e-9), far,
          wishart_prior(d, 1, columns + 1, 1e9, 0.999999)};
}

void expect_sane(const VectorProblem& problem) {
  DriverOptions options;
  options.chains = 1;
  options.draws = 3;
  options.most_warmup = 300;
  options.most_thinning = 2;
  const ChainRun run = draw_augmented_vectors(problem, options, {});
  const std::size_t d = problem.prior.mean.size();
  for (std::size_t i = 0; i < run.draws[0].size(); ++i) {
    const std::size_t quantity = i / options.draws;
    const double value = run.draws[0][i];
    ASSERT_TRUE(std::isfinite(value)) << value;
    for (std::size_t c = 0; c < d; ++c) ASSERT_TRUE(quantity != d + packed(c, c, d) || value > 0) << value;
    if (quantity < sums_of(d)) continue;
    const auto most = static_cast<double>(std::get<LatentTotal>(problem.sets[0].total).at_most);
    ASSERT_TRUE(value >= 0 && value <= most && value == std::floor(value)) << value;
  }
}

class VectorHostile : public testing::TestWithParam<Hostile> {};

void expect_sane_everywhere(const Hostile& hostile, const std::vector<std::size_t>& columns,
                            const std::vector<double>& values, const std::vector<std::int64_t>& sizes) {
  for (const std::size_t d : columns) {
    for (const WishartPrior& prior : priors(d)) {
      VectorProblem problem = make_vectors({d, model::RealRange{-1, 2, Rational(1, 20), {}}, prior});
      VectorRecords& records = problem.sets[0];
      const VectorNoiseLaws laws = noise_for(records, hostile.epsilon, true, hostile.gaussian);
      for (const double y : values) {
        for (const std::int64_t n : sizes) {
          SCOPED_TRACE(std::to_string(d) + " columns, degrees " + std::to_string(prior.degrees) + ", value " +
                       std::to_string(y) + ", " + std::to_string(n) + " records");
          for (std::size_t s = 0; s < sums_of(d); ++s)
            (s < d ? records.sums[s] : records.products[s - d]) = {{s % 2 == 0 ? y : -y, laws.sums[s]}};
          records.counts.clear();
          records.total = KnownTotal{n};
          expect_sane(problem);
          records.total = LatentTotal{n};
          records.counts = {{y, laws.counts[0]}};
          expect_sane(problem);
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST_P(VectorHostile, GivesFiniteDrawsInRange) {
  expect_sane_everywhere(GetParam(), {2, 5}, {0.0, 1e15, -1e15, 600.0}, {0, 1, 25});
}
// Steps cost in proportion to the records.
TEST_P(VectorHostile, GivesFiniteDrawsOfHundredsOfRecords) {
  expect_sane_everywhere(GetParam(), {2}, {1e15, 600.0}, {500});
}

class VectorHostileAtLength : public testing::TestWithParam<Hostile> {};
TEST_P(VectorHostileAtLength, GivesFiniteDrawsOfThousandsOfRecords) {
  expect_sane_everywhere(GetParam(), {2, 5}, {0.0, 1e15, -1e15, 600.0}, {5000});
}

INSTANTIATE_TEST_SUITE_P(All, VectorHostile,
                         testing::Values(Hostile{1e-6, false}, Hostile{1, false}, Hostile{1e3, false},
                                         Hostile{1e-6, true}, Hostile{1, true}, Hostile{1e3, true}));

INSTANTIATE_TEST_SUITE_P(Long, VectorHostileAtLength,
                         testing::Values(Hostile{1e-6, false}, Hostile{1, true}, Hostile{1e3, false}));

TEST(VectorHostileData, RefusesMoreRecordsThanItKeeps) {
  VectorProblem problem =
      make_vectors({2, model::RealRange{0, 1, Rational(1, 100), {}}, wishart_prior(2, 1, 5, 0.3)});
  Rng rng(3, 0, Purpose::test);
  see(problem.sets[0], noise_for(problem.sets[0], 1, false, false), {}, rng);
  for (const std::int64_t n :
       {static_cast<std::int64_t>(VectorChain::kMostRecords) + 1, std::int64_t{1'000'000'000}}) {
    problem.sets[0].total = KnownTotal{n};
    try {
      (void)draw_augmented_vectors(problem, {}, {});
      ADD_FAILURE() << "took " << n << " records";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::engine_limit) << error.what();
    }
  }
}

// All of 100 records at a bound: the mean lies beyond it or hardly within.
TEST(VectorHostileData, LivesAtABound) {
  VectorProblem problem =
      make_vectors({2, model::RealRange{0, 1, Rational(1, 100), {}}, wishart_prior(2, 1, 5, 0.3)});
  VectorRecords& records = problem.sets[0];
  VectorTotals top;
  top.n = 100;
  for (std::size_t s = 0; s < sums_of(2); ++s) top.sum[s] = s < 2 ? 1e4 : 1e6;
  Rng rng(3, 0, Purpose::test);
  see(records, noise_for(records, 20, false, false), top, rng);
  records.total = KnownTotal{100};
  DriverOptions options;
  options.draws = 300;
  const ChainRun run = draw_augmented_vectors(problem, options, {});
  for (const auto& chain : run.draws) {
    for (std::size_t i = 0; i < options.draws; ++i) {
      EXPECT_GT(chain[i], 0.9);
      EXPECT_TRUE(std::isfinite(chain[i]));
    }
  }
}

TEST(VectorHostileData, LivesFarFromZero) {
  const Rational far("1000000000000000");
  WishartPrior prior = wishart_prior(2, 1, 5, 2);
  prior.mean.assign(2, 1e15);
  VectorProblem problem = make_vectors({2, model::RealRange{far - 50, far + 50, 1, {}}, prior});
  VectorRecords& records = problem.sets[0];
  // k is counted from the level nearest to zero, the first: 50 is the middle. Variances 4, covariance 2.
  const release::NoiseLaw law = release::DiscreteLaplace(0.05);
  records.sums.assign(2, {{5000, law}});
  records.products = {{{250'400, law}}, {{250'200, law}}, {{250'400, law}}};
  records.total = KnownTotal{100};
  DriverOptions options;
  options.chains = 1;
  options.draws = 300;
  const ChainRun run = draw_augmented_vectors(problem, options, {});
  const double wanted[5] = {0, 0, 4, 2, 4};
  for (std::size_t q = 0; q < 5; ++q) {
    double mean = 0;
    for (std::size_t i = 0; i < options.draws; ++i)
      mean += (run.draws[0][q * options.draws + i] - (q < 2 ? 1e15 : 0)) / 300;
    EXPECT_NEAR(mean, wanted[q], 1.5);
  }
}

TEST(VectorHostileData, AStopEndsIt) {
  VectorProblem problem =
      make_vectors({2, model::RealRange{0, 1, Rational(1, 100), {}}, wishart_prior(2, 1, 5, 0.3)});
  Rng rng(3, 0, Purpose::test);
  see(problem.sets[0], noise_for(problem.sets[0], 1, false, false), {}, rng);
  problem.sets[0].total = KnownTotal{1000};
  std::stop_source source;
  const Conversation conversation{source.get_token(), [&](std::string_view, double done) {
                                    if (done > 0.1) source.request_stop();
                                  }};
  try {
    (void)draw_augmented_vectors(problem, {}, conversation);
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
}

}  // namespace
}  // namespace postern::infer
