#include "postern/graph/factor.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::graph {
namespace {

constexpr double kClose = 1e-13;

Factor logs_of(Variables variables, Sizes sizes, std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return {std::move(variables), std::move(sizes), std::move(values)};
}

void expect_values(const Factor& factor, const Variables& variables, const std::vector<double>& values) {
  EXPECT_EQ(factor.variables(), variables);
  ASSERT_EQ(factor.logs().size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(std::exp(factor.logs()[i]), values[i], kClose);
}

TEST(Factor, MultipliesOverTheUnionOfVariables) {
  const Factor a = logs_of({7, 2}, {2, 3}, {1, 2, 3, 4, 5, 6});
  const Factor b = logs_of({2, 0}, {3, 2}, {1, 10, 2, 20, 3, 30});
  expect_values(product(a, b), {7, 2, 0}, {1, 10, 4, 40, 9, 90, 4, 40, 10, 100, 18, 180});
  expect_values(product(Factor(), a), {7, 2}, {1, 2, 3, 4, 5, 6});
  expect_values(product(logs_of({}, {}, {2}), logs_of({}, {}, {3})), {}, {6});
}

TEST(Factor, SumsAndMaximisesOutInTheOrderAskedFor) {
  const Factor a = logs_of({7, 2}, {2, 3}, {1, 2, 3, 4, 5, 6});
  expect_values(sum_to(a, {2}), {2}, {5, 7, 9});
  expect_values(max_to(a, {7}), {7}, {3, 6});
  expect_values(sum_to(a, {2, 7}), {2, 7}, {1, 4, 2, 5, 3, 6});
  expect_values(sum_to(a, {}), {}, {21});
  EXPECT_NEAR(a.log_total(), std::log(21), kClose);
}

TEST(Factor, IsSlicedByEvidence) {
  const Factor a = logs_of({7, 2}, {2, 3}, {1, 2, 3, 4, 5, 6});
  expect_values(reduced(a, {{2, 1}}), {7}, {2, 5});
  expect_values(reduced(a, {{7, 1}, {99, 5}}), {2}, {4, 5, 6});
  expect_values(reduced(a, {{7, 1}, {2, 0}}), {}, {4});
}

TEST(Factor, KeepsZerosAndExtremes) {
  const Factor a({0, 1}, {2, 2}, {kMinusInfinity, kMinusInfinity, -2000, -2000});
  const Factor sums = sum_to(a, {0});
  EXPECT_EQ(sums.logs()[0], kMinusInfinity);
  EXPECT_NEAR(sums.logs()[1], -2000 + std::log(2), kClose * 2000);
  EXPECT_EQ(Factor({0}, {2}, {kMinusInfinity, kMinusInfinity}).log_total(), kMinusInfinity);
}

TEST(Factor, ASizeOfOneIsNothingSpecial) {
  const Factor a = logs_of({3, 5, 4}, {1, 2, 1}, {1, 2});
  expect_values(sum_to(a, {5, 3}), {5, 3}, {1, 2});
  expect_values(product(a, logs_of({4, 3}, {1, 1}, {5})), {3, 5, 4}, {5, 10});
}

TEST(Factor, RefusesWhatDoesNotFit) {
  EXPECT_THROW(Factor({0, 1}, {2, 2}, {0, 0, 0}), Error);
  EXPECT_THROW(Factor({0, 0}, {2, 2}, {0, 0, 0, 0}), Error);
  EXPECT_THROW(Factor({0}, {2, 2}, {0, 0}), Error);
}

}  // namespace
}  // namespace postern::graph
