#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/table/exact/count_posterior.hpp"

#include "enumeration.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kMemory = std::size_t{1} << 30;
constexpr double kBar = 1e-10;

enum class Noises { laplace, gaussian, mixed, continuous, bands };
enum class Totals { known, latent };

struct Case {
  std::string name;
  CountProblem problem;
};

release::NoiseLaw random_law(Noises noises, Rng& rng) {
  const bool pure = noises == Noises::laplace || noises == Noises::gaussian;
  const bool laplace = noises == Noises::laplace || (!pure && rng.uniform() < 0.5);
  const double scale = std::exp(6 * rng.uniform() - 3);  // 0.05 .. 20
  if (noises == Noises::continuous || (noises == Noises::bands && rng.uniform() < 0.5)) {
    if (laplace) return release::Laplace(scale);
    return release::Gaussian(scale * scale);
  }
  if (laplace) return release::DiscreteLaplace(1 / scale);
  return release::DiscreteGaussian(scale * scale);
}

/// A value about `y` as other tools publish it: not whole, or known by a band alone.
NoisyValue random_value(double y, Noises noises, Rng& rng) {
  NoisyValue out{std::floor(y), random_law(noises, rng)};
  const bool whole = release::is_discrete(out.law);
  if (!whole) out.y = y;
  if (noises != Noises::bands) return out;
  const double width = std::exp(5 * rng.uniform() - (whole ? 0 : 3));
  out.band = Band{out.y, whole ? out.y + std::floor(width) : out.y + width};
  const double open = rng.uniform();
  if (open < 0.25) out.band->low = -HUGE_VAL;
  if (open > 0.75) out.band->high = HUGE_VAL;
  return out;
}

/// Small problems of every kind: 1 to 5 cells, alpha from 0.01 to 20, 0 to 3 noisy values a cell, values that
/// may contradict n, tables of up to a few thousand.
Case random_case(Noises noises, Totals totals, int number) {
  Rng rng(77, static_cast<std::uint32_t>(number), Purpose::test);
  const std::size_t cells = 1 + draw_below(5, rng);
  const std::int64_t most = static_cast<std::int64_t>(draw_below(cells > 3 ? 9 : 25, rng));
  CountProblem problem;
  for (std::size_t k = 0; k < cells; ++k) {
    problem.alpha.push_back(rng.uniform() < 0.3 ? 1.0 : std::exp(7.6 * rng.uniform() - 4.6));
    auto& noisy_values = problem.noisy_values.emplace_back();
    for (std::uint64_t j = draw_below(4, rng); j > 0; --j) {
      const double wide = static_cast<double>(most) + 6;
      noisy_values.push_back(random_value((3 * rng.uniform() - 1) * wide, noises, rng));
    }
  }
  if (totals == Totals::known) {
    problem.total = KnownTotal{most};
  } else {
    problem.total = LatentTotal{most, rng.uniform() < 0.5 ? 0.0 : rng.uniform() - 0.5};
  }
  return {std::to_string(number), problem};
}

void expect_same(const Case& c) {
  SCOPED_TRACE(c.name);
  const Enumeration truth(c.problem);
  const CountPosterior posterior(c.problem, kMemory, 1);
  const auto near = [](double got, double want, const char* what) {
    EXPECT_NEAR(got, want, kBar * std::max(1e-3, std::abs(want))) << what;
  };
  near(posterior.log_evidence(), truth.log_evidence(), "log evidence");
  near(posterior.total().mean, truth.expected_total(), "total");
  for (std::int64_t n = 0; n < 30; n += 3)
    near(posterior.total_probability(n), truth.total_probability(n), "P(n)");
  for (std::size_t k = 0; k < posterior.cells(); ++k) {
    SCOPED_TRACE(k);
    near(posterior.mean(k), truth.mean(k), "mean");
    near(posterior.sd(k), truth.sd(k), "sd");
    near(posterior.expected_count(k), truth.expected_count(k), "count");
    for (std::int64_t s = 0; s < 25; s += 4)
      near(posterior.count_probability(k, s), truth.count_probability(k, s), "P(s)");
    if (posterior.cells() == 1) continue;
    for (const double theta : {0.003, 0.1, 0.4, 0.8, 0.99})
      near(posterior.cdf(k, theta), truth.cdf(k, theta), "cdf");
    for (const double p : {0.05, 0.5, 0.95}) {
      // Beside 0 or 1 the cdf may rise by more than the bar from one double to the next.
      const double q = posterior.quantile(k, p);
      EXPECT_LE(truth.cdf(k, q * (1 - 1e-13)) - kBar, p) << "quantile " << q;
      EXPECT_GE(truth.cdf(k, std::min(1.0, q * (1 + 1e-13))) + kBar, p) << "quantile " << q;
    }
  }
}

class ExactEqualsEnumeration : public testing::TestWithParam<std::tuple<Noises, Totals>> {};

TEST_P(ExactEqualsEnumeration, OnRandomSmallProblems) {
  const auto [noises, totals] = GetParam();
  for (int number = 0; number < 60; ++number) expect_same(random_case(noises, totals, number));
}

INSTANTIATE_TEST_SUITE_P(Small, ExactEqualsEnumeration,
                         testing::Combine(testing::Values(Noises::laplace, Noises::gaussian, Noises::mixed,
                                                          Noises::continuous, Noises::bands),
                                          testing::Values(Totals::known, Totals::latent)));

}  // namespace
}  // namespace postern::infer
