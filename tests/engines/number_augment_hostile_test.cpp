#include <cmath>
#include <ostream>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"

#include "number_augment_support.hpp"

namespace postern::infer {
namespace {

struct Hostile {
  double epsilon;
  bool gaussian_noise;
};

void PrintTo(const Hostile& setting, std::ostream* out) {
  *out << (setting.gaussian_noise ? "gaussian, epsilon " : "laplace, epsilon ") << setting.epsilon;
}

/// Every family, with a prior that says little and one that says much, or what comes near to it.
std::vector<AugmentShape> shapes() {
  std::vector<AugmentShape> out;
  for (const model::NumberFamily& family : model::number_families()) {
    std::vector<Rational> known(family.known.size(), Rational(3));
    model::Values values = model::RealRange{0, 10, Rational(1, 10), {}};
    if (family.whole) values = model::IntegerRange{0, family.bounded ? 3 : 10, {}};
    if (family.name == "pareto") known = {1};
    if (family.name == "pareto" || family.name == "log-normal")
      values = model::RealRange{1, 10, Rational(1, 10), {}};
    for (const double shape : {1e-3, 1.0, 1e6}) {
      model::Hyper prior{shape, shape == 1e6 ? 1e6 : 1e-3};
      if (family.name == "normal-mean") prior = {1e3 * shape, 1 / shape};
      if (family.squares) prior = {1, shape, shape, shape};
      out.push_back({family.name, known, prior, values});
    }
  }
  return out;
}

void expect_sane(const NumberProblem& problem) {
  DriverOptions options;
  options.chains = 1;
  options.draws = 5;
  options.most_warmup = 200;
  options.most_thinning = 2;
  const ChainRun run = draw_augmented_number({problem}, options, {});
  for (std::size_t i = 0; i < run.draws[0].size(); ++i) {
    const double value = run.draws[0][i];
    const std::size_t quantity = i / options.draws;
    ASSERT_TRUE(std::isfinite(value)) << value;
    if (quantity < problem.parameters) {
      const auto space = problem.law->space(quantity);
      ASSERT_TRUE(space == model::ParameterSpace::real || value > 0) << value;
      ASSERT_TRUE(space != model::ParameterSpace::unit || value < 1) << value;
    } else {
      const auto most = static_cast<double>(std::get<LatentTotal>(problem.total).at_most);
      ASSERT_TRUE(value >= 0 && value <= most && value == std::floor(value)) << value;
    }
  }
}

class NumberHostile : public testing::TestWithParam<Hostile> {};

void expect_sane_everywhere(const release::NoiseLaw& law, const model::Policy& outside,
                            const std::vector<std::int64_t>& sizes,
                            const std::vector<double>& values = {0.0, 1e15, -1e15, 70.0}) {
  for (AugmentShape shape : shapes()) {
    shape.outside = outside;
    NumberProblem problem = make_number(shape);
    for (const double y : values) {
      problem.sums = {{y, law}};
      if (problem.squares) problem.square_sums = {{y == -1e15 ? 1e15 : 2 * y, law}};
      for (const std::int64_t n : sizes) {
        SCOPED_TRACE(std::string(shape.family) + ", prior " + std::to_string(shape.prior[0]) + ", value " +
                     std::to_string(y) + ", " + std::to_string(n) + " records");
        problem.counts.clear();
        problem.total = KnownTotal{n};
        expect_sane(problem);
        problem.total = LatentTotal{n};
        problem.counts = {{y, law}};
        expect_sane(problem);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST_P(NumberHostile, GivesFiniteDrawsInRange) {
  const auto [epsilon, gaussian_noise] = GetParam();
  expect_sane_everywhere(gaussian_noise ? gaussian(1 / (epsilon * epsilon)) : laplace(epsilon),
                         model::Clamp{}, {0, 1, 40});
}
TEST(NumberHostile, GivesFiniteDrawsWhereRecordsAreDropped) {
  expect_sane_everywhere(laplace(1), model::Drop{}, {0, 2});
}

// Steps cost in proportion to the records.
TEST(NumberHostile, GivesFiniteDrawsOfThousandsOfRecords) {
  expect_sane_everywhere(laplace(1), model::Clamp{}, {3000}, {1e15, 70});
}
TEST(LongNumberHostile, GivesFiniteDrawsOfManyRecords) {
  expect_sane_everywhere(laplace(1), model::Clamp{}, {100'000}, {1e15});
  expect_sane_everywhere(gaussian(1e-6), model::Clamp{}, {3000});
  expect_sane_everywhere(laplace(1e-6), model::Drop{}, {3000}, {1e15, 70});
}

/// All records at one bound of the column, hardly any noise: |y - s| = 0 is all that can be.
TEST(NumberHostile, LivesWithAllRecordsAtABound) {
  for (const AugmentShape& shape : shapes()) {
    NumberProblem problem = make_number(shape);
    const auto& adds = problem.number.values.adds;
    for (const std::int64_t at : {adds.front(), adds.back()}) {
      SCOPED_TRACE(std::string(shape.family) + ", prior " + std::to_string(shape.prior[0]) + ", at " +
                   std::to_string(at));
      const auto k = static_cast<double>(at);
      problem.total = KnownTotal{50};
      problem.sums = {{50 * k, laplace(1e3)}};
      if (problem.squares) problem.square_sums = {{50 * k * k, laplace(1e3)}};
      expect_sane(problem);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(NumberHostile, RefusesMoreRecordsThanItKeeps) {
  const auto too_many = static_cast<std::int64_t>(RecordChain::kMostRecords) + 1;
  for (const AugmentShape& shape : shapes()) {
    for (const std::int64_t n : {too_many, std::int64_t{1'000'000'000}}) {
      for (const bool latent : {false, true}) {
        NumberProblem problem = make_number(shape);
        problem.sums = {{70, laplace(1)}};
        if (problem.squares) problem.square_sums = problem.sums;
        problem.total = KnownTotal{n};
        if (latent) problem.total = LatentTotal{n};
        try {
          expect_sane(problem);
          ADD_FAILURE() << shape.family << " took " << n << " records";
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::engine_limit) << error.what();
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NumberHostile,
                         testing::Values(Hostile{1e-6, false}, Hostile{1, false}, Hostile{1e3, false},
                                         Hostile{1e-6, true}, Hostile{1, true}, Hostile{1e3, true}));

TEST(NumberHostile, LivesWithRecordsFarFromZero) {
  for (const std::string_view family : {"normal-mean", "normal"}) {
    const Rational far("1000000000000000");
    NumberProblem problem = make_number({family,
                                         std::vector<Rational>(family == "normal" ? 0 : 1, Rational(4)),
                                         {1e15, family == "normal" ? 1.0 : 1e4, 3, 9},
                                         model::RealRange{far - 50, far + 50, 1, {}}});
    problem.total = KnownTotal{100};
    // k is counted from the level nearest to zero, the first: 50 is the middle.
    problem.sums = {{5000, laplace(0.1)}};
    if (problem.squares) problem.square_sums = {{100 * 2500 + 400, laplace(0.01)}};
    DriverOptions options;
    options.chains = 1;
    const ChainRun run = draw_augmented_number({problem}, options, {});
    double mean = 0;
    for (std::size_t i = 0; i < options.draws; ++i) mean += (run.draws[0][i] - 1e15) / 1000;
    EXPECT_NEAR(mean, 0, 1) << family;
    if (!problem.squares) continue;
    double variance = 0;
    for (std::size_t i = 0; i < options.draws; ++i) variance += run.draws[0][options.draws + i] / 1000;
    EXPECT_NEAR(variance, 4, 3);
  }
}

TEST(NumberHostile, AStopEndsIt) {
  NumberProblem problem =
      make_number({"exponential", {}, {8, 2}, model::RealRange{0, 3, Rational(1, 20), {}}});
  problem.total = KnownTotal{1000};
  problem.sums = {{5000, laplace(0.01)}};
  std::stop_source source;
  const Conversation conversation{source.get_token(), [&](std::string_view, double done) {
                                    if (done > 0.1) source.request_stop();
                                  }};
  try {
    (void)draw_augmented_number({problem}, {}, conversation);
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
}

}  // namespace
}  // namespace postern::infer
