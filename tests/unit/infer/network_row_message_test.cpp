#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "network/row_message.hpp"

namespace postern::infer {
namespace {

using release::DiscreteGaussian;
using release::DiscreteLaplace;

struct Row {
  std::vector<double> alpha;
  std::vector<std::vector<NoisyValue>> noisy_values;
  [[nodiscard]] CptRow view() const { return {alpha, noisy_values}; }
};

Row small_row() {
  return {{0.5, 1, 2.25},
          {{{3, DiscreteLaplace(0.7)}, {1, DiscreteGaussian(4.0)}}, {{-2, DiscreteLaplace(0.4)}}, {}}};
}

/// log m(N) by listing the counts: prior times multinomial, the probabilities integrated out, times noise.
double listed(const Row& row, std::int64_t total) {
  double alpha0 = 0;
  for (const double a : row.alpha) alpha0 += a;
  std::vector<double> terms;
  const std::function<void(std::size_t, std::int64_t, double)> add = [&](std::size_t k, std::int64_t left,
                                                                         double log_weight) {
    if (k == row.alpha.size()) {
      if (left == 0) terms.push_back(log_weight);
      return;
    }
    for (std::int64_t s = 0; s <= left; ++s) {
      const auto x = static_cast<double>(s);
      double w = log_gamma(x + row.alpha[k]) - log_gamma(row.alpha[k]) - log_factorial(x);
      for (const NoisyValue& value : row.noisy_values[k]) w += release::log_pmf(value.law, value.y - x);
      add(k + 1, left - s, log_weight + w);
    }
  };
  add(0, total, 0);
  const auto n = static_cast<double>(total);
  return log_sum_exp(terms) + log_factorial(n) + log_gamma(alpha0) - log_gamma(n + alpha0);
}

TEST(RowMessage, IsTheSumOverTheCountsOfTheRow) {
  const Row row = small_row();
  const RowMessage all = RowMessage::everywhere(row.view(), 30);
  ASSERT_EQ(all.window(), (Window{0, 30}));
  const RowMessage part(row.view(), {.totals = {2, 25}, .most = 30, .anchor = 9, .tilt = -0.1, .nats = 60});
  ASSERT_EQ(part.window(), (Window{2, 25}));
  for (std::int64_t n = 0; n <= 30; ++n) {
    const double expected = listed(row, n);
    EXPECT_NEAR(all.log_at(n) + all.log_constant(), expected, 1e-12) << n;
    if (!part.window().contains(n)) continue;
    EXPECT_NEAR(part.log_at(n) + part.log_constant(), expected,
                1e-12 + 2 * part.errors()[static_cast<std::size_t>(n - 2)])
        << n;
  }
}

TEST(RowMessage, OfOneCellIsItsNoise) {
  const Row row{{0.5}, {{{4, DiscreteLaplace(0.5)}}}};
  const RowMessage message = RowMessage::everywhere(row.view(), 50);
  for (const std::int64_t n : {0, 3, 50})
    EXPECT_NEAR(message.log_at(n) + message.log_constant(),
                DiscreteLaplace(0.5).log_pmf(4 - static_cast<double>(n)), 1e-12);
}

TEST(RowMessage, OfARowNobodySawIsFlat) {
  const Row row{{0.5, 3, 1}, {{}, {}, {}}};
  const RowMessage message = RowMessage::everywhere(row.view(), 400);
  for (const std::int64_t n : {0, 1, 57, 400})
    EXPECT_NEAR(message.log_at(n) + message.log_constant(), 0, 1e-11) << n;
}

TEST(RowMessage, SaysTheSameThroughEveryView) {
  Row row{{0.5, 0.5, 0.5, 0.5}, {}};
  for (const double y : {900., 20., 400., -30.}) row.noisy_values.push_back({{y, DiscreteLaplace(0.02)}});
  const RowMessage all = RowMessage::everywhere(row.view(), 100'000);
  const RowMessage near(row.view(),
                        {.totals = {900, 1900}, .most = 100'000, .anchor = 1300, .tilt = 0.001, .nats = 42});
  const double constants = near.log_constant() - all.log_constant();
  for (std::int64_t n = 900; n <= 1900; n += 50)
    EXPECT_NEAR(near.log_at(n) + constants, all.log_at(n), 1e-10) << n;
}

TEST(RowMessage, FallsOutsideOfItsWindow) {
  const Row row{{1, 1}, {{{50, DiscreteLaplace(2.0)}}, {{20, DiscreteLaplace(2.0)}}}};
  const RowMessage message = RowMessage::everywhere(row.view(), 1'000'000);
  const Window window = message.window();
  ASSERT_LT(window.hi, 1000);
  double before = message.log_at(window.hi);
  for (const std::int64_t n : {window.hi + 1, window.hi + 50, std::int64_t{1'000'000}}) {
    EXPECT_LT(message.log_at(n), before);
    before = message.log_at(n);
  }
}

TEST(RowMessage, DrawsCountsThatAddUp) {
  const Row row = small_row();
  const RowMessage message = RowMessage::everywhere(row.view(), 30);
  Rng rng(1, 0, Purpose::test);
  std::vector<std::int64_t> counts(3);
  double sum = 0;
  constexpr int kDraws = 20'000;
  for (int i = 0; i < kDraws; ++i) {
    message.draw(7, counts, rng);
    ASSERT_EQ(counts[0] + counts[1] + counts[2], 7);
    sum += static_cast<double>(counts[0]);
  }
  // E[s_0 | N = 7] from the row without its first cell.
  Row rest = row;
  rest.alpha.erase(rest.alpha.begin());
  rest.noisy_values.erase(rest.noisy_values.begin());
  double whole = 0;
  double mean = 0;
  double square = 0;
  for (std::int64_t s = 0; s <= 7; ++s) {
    const auto x = static_cast<double>(s);
    const double left = 7 - x;
    double w = log_gamma(x + 0.5) - log_factorial(x) + listed(rest, 7 - s) + log_gamma(left + 3.25) -
               log_factorial(left);
    for (const NoisyValue& value : row.noisy_values[0]) w += release::log_pmf(value.law, value.y - x);
    whole += std::exp(w);
    mean += x * std::exp(w);
    square += x * x * std::exp(w);
  }
  mean /= whole;
  const double sd = std::sqrt(square / whole - mean * mean);
  EXPECT_NEAR(sum / kDraws, mean, 5 * sd / std::sqrt(kDraws));  // P(outside) = 6e-7
}

TEST(RowMessage, StaysFiniteWhereTheValuesAreAbsurd) {
  for (const double y : {-1e6, 1e9, 1e15}) {
    for (const release::NoiseLaw& law :
         {release::NoiseLaw(DiscreteLaplace(25)), release::NoiseLaw(DiscreteLaplace(1e-5)),
          release::NoiseLaw(DiscreteGaussian(0.01)), release::NoiseLaw(DiscreteGaussian(1e8))}) {
      const Row row{{0.5, 0.5}, {{{y, law}}, {{30, law}}}};
      const RowMessage message(row.view(),
                               {.totals = {0, 100}, .most = 100, .anchor = 60, .tilt = 0.1, .nats = 42});
      for (const double w : message.log_weights()) EXPECT_TRUE(std::isfinite(w)) << y;
    }
  }
}

}  // namespace
}  // namespace postern::infer
