#include <numeric>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/core/int128.hpp"

#include "fits.hpp"

namespace postern {
namespace {

constexpr int kDraws = 100'000;

class BelowFit : public testing::TestWithParam<std::uint64_t> {};

TEST_P(BelowFit, IsUniform) {
  const std::uint64_t bound = GetParam();
  const std::uint64_t cells = std::min<std::uint64_t>(bound, 16);
  std::vector<double> count(cells), probability(cells);
  for (std::uint64_t k = 0; k < cells; ++k) {
    // The cell of x is floor(x * cells / bound).
    const auto edge = [&](std::uint64_t i) {
      return static_cast<std::uint64_t>((static_cast<Uint128>(i) * bound + cells - 1) / cells);
    };
    probability[k] = static_cast<double>(edge(k + 1) - edge(k)) / static_cast<double>(bound);
  }
  Rng rng(3, 0, Purpose::test);
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t x = draw_below(bound, rng);
    ASSERT_LT(x, bound);
    ++count[static_cast<std::size_t>(static_cast<Uint128>(x) * cells / bound)];
  }
  if (bound > 1) {
    EXPECT_GT(fits::cells_p_value(probability, count), fits::kAlpha);
  }
}

INSTANTIATE_TEST_SUITE_P(Bounds, BelowFit,
                         testing::Values(1, 2, 3, 10, 1000, (1ULL << 63) + 1, 3ULL << 62, ~0ULL));

// For a bound of 3/4 of all words, a product without refusals would hit every third value twice as often.
TEST(DrawBelow, RefusesTheWordsThatFavourSomeValues) {
  std::vector<double> count(3);
  const std::vector<double> probability(3, 1.0 / 3);
  Rng rng(10, 0, Purpose::test);
  for (int i = 0; i < kDraws; ++i) ++count[draw_below(3ULL << 62, rng) % 3];
  EXPECT_GT(fits::cells_p_value(probability, count), fits::kAlpha);
}

struct BinomialCase {
  std::int64_t n;
  double p;
};

class BinomialFit : public testing::TestWithParam<BinomialCase> {};

// P(X <= k) = I_{1-p}(n - k, k + 1); cells are at most a quarter of a standard deviation wide.
TEST_P(BinomialFit, Draws) {
  const auto [n, p] = GetParam();
  const auto size = static_cast<double>(n);
  const double mean = size * p;
  const double sd = std::sqrt(size * p * (1 - p));
  const double step = std::max(1.0, std::floor(sd / 4));
  std::vector<double> edges, cdf;
  for (double edge = std::max(0.0, std::floor(mean - 24 * step)); edge < std::min(size, mean + 24 * step);
       edge += step) {
    edges.push_back(edge + 0.5);  // so that the cell holds everything up to `edge`
    cdf.push_back(beta_cdf(size - edge, edge + 1, 1 - p));
  }
  Rng rng(4, 0, Purpose::test);
  std::vector<double> sample(5 * kDraws);
  for (double& x : sample) {
    const std::int64_t k = draw_binomial(n, p, rng);
    ASSERT_TRUE(k >= 0 && k <= n);
    x = static_cast<double>(k);
  }
  EXPECT_GT(fits::edges_p_value(edges, cdf, sample), fits::kAlpha);
}

// Either side of n p = 10, where inversion hands over to rejection, and of p = 1/2.
INSTANTIATE_TEST_SUITE_P(
    Cases, BinomialFit,
    testing::Values(BinomialCase{1, 0.3}, BinomialCase{5, 0.7}, BinomialCase{100, 0.0999},
                    BinomialCase{100, 0.1}, BinomialCase{25, 0.45}, BinomialCase{1000, 0.999},
                    BinomialCase{1000, 0.5}, BinomialCase{10'000, 0.3}, BinomialCase{1'000'000'000, 9e-9},
                    BinomialCase{1'000'000'000, 1.1e-8}, BinomialCase{1'000'000'000'000, 0.3},
                    BinomialCase{1'000'000'000'000, 1e-6}));

TEST(DrawBinomial, Edges) {
  Rng rng(5, 0, Purpose::test);
  EXPECT_EQ(draw_binomial(0, 0.5, rng), 0);
  EXPECT_EQ(draw_binomial(1'000'000, 0, rng), 0);
  EXPECT_EQ(draw_binomial(1'000'000, 1, rng), 1'000'000);
  EXPECT_EQ(draw_binomial(1'000'000, 1e-300, rng), 0);
  EXPECT_EQ(draw_binomial(1'000'000, 1 - 1e-17, rng), 1'000'000);
}

class PoissonFit : public testing::TestWithParam<double> {};

// P(X <= k) is the upper tail of a gamma law of shape k + 1.
TEST_P(PoissonFit, Draws) {
  const double rate = GetParam();
  const double step = std::max(1.0, std::floor(std::sqrt(rate) / 4));
  std::vector<double> edges, cdf;
  for (double edge = std::max(0.0, std::floor(rate - 24 * step)); edge < rate + 24 * step; edge += step) {
    edges.push_back(edge + 0.5);
    cdf.push_back(gamma_tail(edge + 1, rate));
  }
  Rng rng(8, 0, Purpose::test);
  std::vector<double> sample(5 * kDraws);
  for (double& x : sample) {
    x = draw_poisson(rate, rng);
    ASSERT_TRUE(x >= 0 && x == std::floor(x));
  }
  EXPECT_GT(fits::edges_p_value(edges, cdf, sample), fits::kAlpha);
}

// Either side of 12, where arrivals begin to be drawn in bulk, and far up.
INSTANTIATE_TEST_SUITE_P(Rates, PoissonFit,
                         testing::Values(0.05, 1, 7.3, 11.99, 12.01, 13.5, 100, 12'345.6, 1e8, 1e12));

TEST(DrawPoisson, Edges) {
  Rng rng(9, 0, Purpose::test);
  EXPECT_EQ(draw_poisson(0, rng), 0);
  EXPECT_EQ(draw_poisson(1e-300, rng), 0);
  for (const double rate : {0x1p52, 0x1.8p52, 1e18, 1e300}) {
    const double x = draw_poisson(rate, rng);
    EXPECT_EQ(x, std::floor(x));
    EXPECT_LT(std::abs(x - rate), 6 * std::sqrt(rate));
  }
}

TEST(DrawMultinomial, MarginalsAreBinomial) {
  const std::vector<double> p = {0.05, 0, 0.2, 0.7, 0.05, 0};
  const std::int64_t n = 30;
  std::vector<std::vector<double>> count(p.size(), std::vector<double>(static_cast<std::size_t>(n) + 1));
  Rng rng(6, 0, Purpose::test);
  for (int i = 0; i < kDraws; ++i) {
    std::vector<std::int64_t> draw(p.size());
    draw_multinomial(n, p, draw, rng);
    ASSERT_EQ(std::accumulate(draw.begin(), draw.end(), std::int64_t{0}), n);
    ASSERT_EQ(draw[1] + draw[5], 0);
    for (std::size_t k = 0; k < p.size(); ++k) ++count[k][static_cast<std::size_t>(draw[k])];
  }
  for (const std::size_t k : {0U, 2U, 3U, 4U}) {
    std::vector<double> probability;
    for (int s = 0; s <= n; ++s) {
      probability.push_back(
          std::exp(log_choose(n, s) + s * std::log(p[k]) + static_cast<double>(n - s) * std::log1p(-p[k])));
    }
    EXPECT_GT(fits::cells_p_value(probability, count[k]), fits::kAlpha) << "cell " << k;
  }
}

// Two cells of a multinomial are correlated as -sqrt(p q / ((1-p)(1-q))): their sum must be binomial too.
TEST(DrawMultinomial, SumsAreBinomial) {
  const std::vector<double> weights = {1, 2, 3, 4};  // need not sum to 1
  const std::int64_t n = 50;
  std::vector<double> count(static_cast<std::size_t>(n) + 1), probability;
  Rng rng(7, 0, Purpose::test);
  for (int i = 0; i < kDraws; ++i) {
    std::vector<std::int64_t> draw(4);
    draw_multinomial(n, weights, draw, rng);
    ++count[static_cast<std::size_t>(draw[0] + draw[2])];
  }
  for (int s = 0; s <= n; ++s) {
    probability.push_back(
        std::exp(log_choose(n, s) + s * std::log(0.4) + static_cast<double>(n - s) * std::log(0.6)));
  }
  EXPECT_GT(fits::cells_p_value(probability, count), fits::kAlpha);
}

}  // namespace
}  // namespace postern
