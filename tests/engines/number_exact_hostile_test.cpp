#include <cmath>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/infer/exact/number_posterior.hpp"

#include "number_problems.hpp"

// No NaN, no hang, no crash: whatever is released, however many records, and whatever the prior. The answer
// is finite and in order, or a refusal that says why.

namespace postern::infer {
namespace {

using model::IntegerRange;
using model::RealRange;

std::vector<NumberShape> families() {
  const RealRange reals{0, 10, 1, {}};
  return {{"binomial", {6}, IntegerRange{0, 6, {}}, {}},
          {"poisson", {}, IntegerRange{0, 30, {}}, {}},
          {"poisson", {}, IntegerRange{3, 30, {}}, {}, model::MapTo{2}},
          {"geometric", {}, IntegerRange{0, 30, {}}, {}},
          {"negative-binomial", {Rational(1, 2)}, IntegerRange{0, 30, {}}, {}},
          {"exponential", {}, reals, {}},
          {"gamma", {Rational(5, 2)}, reals, {}},
          {"normal-mean", {4}, RealRange{-10, 10, 1, {}}, {}},
          {"pareto", {1}, RealRange{1, 10, 1, {}}, {}},
          {"weibull", {3}, reals, {}},
          {"rayleigh", {}, reals, {}},
          {"half-normal", {}, reals, {}},
          {"maxwell", {}, reals, {}}};
}

/// Says whether there was an answer.
bool expect_sound(const NumberProblem& problem) {
  try {
    const NumberPosterior posterior(problem, 1);
    EXPECT_TRUE(std::isfinite(posterior.mean()));
    EXPECT_TRUE(std::isfinite(posterior.sd()));
    EXPECT_LE(posterior.quantile(0.05), posterior.quantile(0.95));
    EXPECT_TRUE(std::isfinite(posterior.log_evidence()) || posterior.log_evidence() < 0);
    Rng rng(20261116, 3, Purpose::test);
    std::int64_t n = -1;
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(std::isfinite(posterior.draw({&n, 1}, rng)));
      EXPECT_GE(n, 0);
    }
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::engine_limit) << error.what();
    return false;
  }
}

struct Numbers {
  double epsilon;
  double y;
  double prior;
};

struct Size {
  std::int64_t n;
  bool at_length = false;

  friend std::ostream& operator<<(std::ostream& out, const Size& size) { return out << size.n << " records"; }
};

/// All of them where they are quick, or where there is time.
std::vector<Numbers> numbers_for(const Size& size) {
  const std::vector<Numbers> few{{1, 1e15, 1}, {1e3, 37, 1}};
  const std::vector<Numbers> all{{1e-6, -1e15, 1}, {1e-6, 1e15, 1e6}, {1e-6, 37, 1e-3},  {1, -1e15, 1e-3},
                                 {1, 1e15, 1},     {1, 37, 1e6},      {1e3, -1e15, 1e6}, {1e3, 1e15, 1e-3},
                                 {1e3, 37, 1},     {1e3, 0, 1}};
  return size.n <= 1 || size.at_length ? all : few;
}

class NumberExactHostile : public testing::TestWithParam<Size> {
 protected:
  static void try_all(bool latent) {
    int answers = 0;
    int refusals = 0;
    std::vector<NumberShape> shapes = families();
    if (GetParam().n > 1000 && !GetParam().at_length) shapes = {shapes[1], shapes[5]};
    for (NumberShape& shape : shapes) {
      for (const auto& [epsilon, y, prior] : numbers_for(GetParam())) {
        SCOPED_TRACE(testing::Message() << shape.family << ", epsilon " << epsilon << ", y " << y
                                        << ", prior " << prior << (latent ? ", latent" : ""));
        shape.prior = {shape.family == "normal-mean" ? 0 : prior, prior, 0, 0};
        NumberProblem problem = number_problem(shape);
        const auto range =
            static_cast<double>(problem.number.values.adds.back() - problem.number.values.adds.front());
        problem.sums = {{y, release::DiscreteLaplace(epsilon / range)}};
        problem.total = KnownTotal{GetParam().n};
        if (latent) {
          problem.total = LatentTotal{GetParam().n, 0};
          problem.counts = {{std::abs(y), release::DiscreteLaplace(epsilon)}};
        }
        (expect_sound(problem) ? answers : refusals) += 1;
      }
    }
    EXPECT_GT(answers, 0);
    RecordProperty("refusals", refusals);
  }
};

TEST_P(NumberExactHostile, KnownTotal) { try_all(false); }
TEST_P(NumberExactHostile, LatentTotal) { try_all(true); }

INSTANTIATE_TEST_SUITE_P(All, NumberExactHostile,
                         testing::Values(Size{0}, Size{1}, Size{100}, Size{1'000'000'000}));
INSTANTIATE_TEST_SUITE_P(Long, NumberExactHostile,
                         testing::Values(Size{100, true}, Size{1'000'000'000, true}));

}  // namespace
}  // namespace postern::infer
