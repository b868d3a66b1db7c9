#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"

#include "fits.hpp"

// Each draw against its exact law: Kolmogorov-Smirnov for continuous ones, chi-square on cells for the rest.

namespace postern {
namespace {

constexpr int kDraws = 100'000;

std::vector<double> draws(const std::function<double(Rng&)>& draw, int count = kDraws) {
  Rng rng(20260101, 0, Purpose::test);
  std::vector<double> out(static_cast<std::size_t>(count));
  for (double& x : out) x = draw(rng);
  return out;
}

double fit(const std::function<double(Rng&)>& draw, const std::function<double(double)>& cdf) {
  std::vector<double> u = draws(draw);
  for (double& x : u) x = cdf(x);
  return fits::uniform_p_value(std::move(u));
}

TEST(DrawFit, Uniform) {
  EXPECT_GT(fit([](Rng& rng) { return rng.uniform(); }, [](double x) { return x; }), fits::kAlpha);
}

TEST(DrawFit, Normal) { EXPECT_GT(fit(draw_normal, normal_cdf), fits::kAlpha); }

// Kolmogorov-Smirnov hardly sees the tails, which the ziggurat draws in another way: n = 2e7, cells of |Z|
// from 3.5 on.
TEST(DrawFit, NormalTails) {
  const std::vector<double> edges = {3.5, 3.6541528853610088, 3.75, 3.875, 4, 4.25, 4.5, 4.75};
  std::vector<double> count(edges.size() + 1), probability(edges.size() + 1);
  const auto tail = [](double z) { return 2 * normal_cdf(-z); };
  probability[0] = 1 - tail(edges[0]);
  for (std::size_t k = 1; k <= edges.size(); ++k) {
    probability[k] = tail(edges[k - 1]) - (k < edges.size() ? tail(edges[k]) : 0);
  }
  Rng rng(20260102, 0, Purpose::test);
  for (int i = 0; i < 20'000'000; ++i) {
    const double z = std::abs(draw_normal(rng));
    std::size_t cell = 0;
    while (cell < edges.size() && z >= edges[cell]) ++cell;
    ++count[cell];
  }
  EXPECT_GT(fits::cells_p_value(probability, count), fits::kAlpha);
}

TEST(DrawFit, Exponential) {
  EXPECT_GT(fit(draw_exponential, [](double x) { return -std::expm1(-x); }), fits::kAlpha);
}

class GammaFit : public testing::TestWithParam<double> {};

TEST_P(GammaFit, Draws) {
  const double shape = GetParam();
  EXPECT_GT(
      fit([=](Rng& rng) { return draw_gamma(shape, rng); }, [=](double x) { return gamma_cdf(shape, x); }),
      fits::kAlpha);
}

TEST_P(GammaFit, LogDraws) {
  const double shape = GetParam();
  EXPECT_GT(fit([=](Rng& rng) { return draw_log_gamma(shape, rng); },
                [=](double log_x) { return gamma_cdf(shape, std::exp(log_x)); }),
            fits::kAlpha);
}

INSTANTIATE_TEST_SUITE_P(Shapes, GammaFit, testing::Values(0.1, 0.7, 1, 1.5, 20));

// Half the draws are below the smallest double; there the law is x^shape / Gamma(shape + 1).
TEST(DrawFit, GammaOfTinyShape) {
  const double shape = 1e-3;
  const auto cdf = [=](double log_x) {
    return log_x < -600 ? std::exp(shape * log_x - log_gamma(shape + 1)) : gamma_cdf(shape, std::exp(log_x));
  };
  EXPECT_GT(fit([=](Rng& rng) { return draw_log_gamma(shape, rng); }, cdf), fits::kAlpha);
}

// The edges are near the quantiles (Wilson & Hilferty 1931); the probabilities between them are exact.
TEST(DrawFit, GammaOfLargeShape) {
  for (const double shape : {1e3, 1e8, 1e12}) {
    std::vector<double> edges, cdf;
    for (double z = -4; z <= 4; z += 0.25) {
      edges.push_back(shape * std::pow(1 - 1 / (9 * shape) + z / (3 * std::sqrt(shape)), 3));
      cdf.push_back(gamma_cdf(shape, edges.back()));
    }
    EXPECT_GT(fits::edges_p_value(edges, cdf, draws([=](Rng& rng) { return draw_gamma(shape, rng); })),
              fits::kAlpha)
        << "shape " << shape;
  }
}

struct Shapes {
  double a, b;
};

class BetaFit : public testing::TestWithParam<Shapes> {};

// By cells, because a draw within 1e-16 of 1 is 1.
TEST_P(BetaFit, Draws) {
  const auto [a, b] = GetParam();
  std::vector<double> edges, cdf;
  for (const double p :
       {1e-4, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999}) {
    const double edge = beta_quantile(a, b, p);
    if (edge <= (edges.empty() ? 0 : edges.back()) || edge >= 1 - 1e-12) continue;
    edges.push_back(edge);
    cdf.push_back(beta_cdf(a, b, edge));
  }
  ASSERT_GE(edges.size(), 3U);
  const auto sample = draws([&](Rng& rng) { return draw_beta(a, b, rng); });
  EXPECT_GT(fits::edges_p_value(edges, cdf, sample), fits::kAlpha);
}

INSTANTIATE_TEST_SUITE_P(Pairs, BetaFit,
                         testing::Values(Shapes{1e-3, 1e-3}, Shapes{1e-3, 50}, Shapes{0.5, 0.5}, Shapes{1, 1},
                                         Shapes{0.2, 3}, Shapes{2, 3}, Shapes{5e5, 2}, Shapes{1e9, 1e9}));

TEST(DrawFit, DirichletMarginalsAreBeta) {
  const std::vector<double> tiny = {1e-3, 2e-3, 5e-3}, mixed = {0.5, 1, 40}, large = {3, 1e6, 2};
  for (const auto& alpha : {tiny, mixed, large}) {
    const double total = std::accumulate(alpha.begin(), alpha.end(), 0.0);
    for (std::size_t cell = 0; cell < alpha.size(); ++cell) {
      const double a = alpha[cell], b = total - alpha[cell];
      std::vector<double> edges, cdf;
      for (const double p : {0.2, 0.4, 0.5, 0.6, 0.8}) {
        const double edge = beta_quantile(a, b, p);
        if (edge <= (edges.empty() ? 0 : edges.back()) || edge >= 1 - 1e-12) continue;
        edges.push_back(edge);
        cdf.push_back(beta_cdf(a, b, edge));
      }
      const auto sample = draws(
          [&](Rng& rng) {
            std::vector<double> theta(alpha.size());
            draw_dirichlet(alpha, theta, rng);
            EXPECT_NEAR(std::accumulate(theta.begin(), theta.end(), 0.0), 1, 1e-12);
            return theta[cell];
          },
          30'000);
      EXPECT_GT(fits::edges_p_value(edges, cdf, sample), fits::kAlpha) << "alpha " << a << " of " << total;
    }
  }
}

}  // namespace
}  // namespace postern
