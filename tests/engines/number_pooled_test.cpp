// One theta behind several record sets: exactly, and by latent records.

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "postern/assess/distances.hpp"
#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/kinds/number/exact/posterior.hpp"

#include "number_augment_support.hpp"

namespace postern::infer {
namespace {

NumberProblem poisson_set(std::int64_t n, double y, double lambda) {
  NumberProblem problem = number_problem({"poisson", {}, model::IntegerRange{0, 5, {}}, {2, 1, 0, 0}});
  problem.total = KnownTotal{n};
  problem.sums = {{y, release::DiscreteLaplace(lambda)}};
  return problem;
}

/// p(y | theta) of one set, by the law of the sum of n clamped records.
double likelihood(const NumberProblem& problem, double theta) {
  std::vector<double> record;
  model::level_masses(*problem.law, {theta, 0}, problem.number, record);
  std::vector<double> sum{1.0};
  for (std::int64_t i = 0; i < std::get<KnownTotal>(problem.total).n; ++i) {
    std::vector<double> next(sum.size() + record.size() - 1, 0.0);
    for (std::size_t a = 0; a < sum.size(); ++a) {
      for (std::size_t b = 0; b < record.size(); ++b) next[a + b] += sum[a] * record[b];
    }
    sum = std::move(next);
  }
  double out = 0;
  for (std::size_t s = 0; s < sum.size(); ++s) {
    double seen = sum[s];
    for (const NoisyValue& noisy_value : problem.sums)
      seen *= std::exp(release::log_pmf(noisy_value.law, noisy_value.y - static_cast<double>(s)));
    out += seen;
  }
  return out;
}

TEST(NumberPooled, ExactIsTheProductOfTheSetsLikelihoods) {
  const std::vector<NumberProblem> sets{poisson_set(7, 15, 0.4), poisson_set(12, 20, 0.2),
                                        poisson_set(0, 3, 1)};
  // Simpson's rule on 0..30, where a prior of e^-theta theta leaves 1e-12.
  constexpr int kCells = 6000;
  double mass = 0;
  double first = 0;
  for (int i = 1; i <= kCells; ++i) {
    const double theta = 30.0 * i / kCells;
    double here = theta * std::exp(-theta) * (i == kCells ? 1 : i % 2 == 1 ? 4 : 2);
    for (const NumberProblem& set : sets) here *= likelihood(set, theta);
    mass += here;
    first += here * theta;
  }
  const NumberPosterior posterior(sets, 2);
  EXPECT_NEAR(posterior.mean(), first / mass, 1e-7);
  EXPECT_NEAR(posterior.log_evidence(), std::log(mass * 30.0 / kCells / 3), 1e-7);
}

TEST(NumberPooled, AgreesWithOneSetWhereNothingIsNoised) {
  const std::vector<NumberProblem> sets = [] {
    std::vector<NumberProblem> out;
    for (const auto& [n, y] : {std::pair{40, 90.0}, {25, 61.0}}) {
      out.push_back(number_problem({"poisson", {}, model::IntegerRange{0, 60, {}}, {2, 1, 0, 0}}));
      out.back().total = KnownTotal{n};
      out.back().sums = {{y, release::DiscreteLaplace(60)}};
    }
    return out;
  }();
  const NumberPosterior posterior(sets, 1);
  EXPECT_NEAR(posterior.mean(), 153.0 / 66, 1e-9);
  EXPECT_NEAR(posterior.sd(), std::sqrt(153.0) / 66, 1e-9);
}

struct Pool {
  AugmentShape shape;
  std::vector<std::int64_t> n;  ///< known, or the largest
  bool latent;
  NumberNoise noise;
};

struct Simulated {
  std::vector<NumberProblem> sets;
  std::vector<double> truth;  ///< theta, then each n where latent
};

Simulated simulate(const Pool& pool, Rng& rng) {
  Simulated out;
  NumberProblem problem = make_number(pool.shape);
  const model::Theta theta = problem.law->draw_theta(problem.prior, rng);
  out.truth.assign(theta.begin(), theta.begin() + static_cast<std::ptrdiff_t>(problem.parameters));
  for (const std::int64_t most : pool.n) {
    std::int64_t n = most;
    problem.total = KnownTotal{n};
    if (pool.latent) {
      problem.total = LatentTotal{most};
      n = static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(most) + 1, rng));
      out.truth.push_back(static_cast<double>(n));
    }
    Totals totals{static_cast<double>(n), 0, 0};
    for (std::int64_t i = 0; i < n; ++i) {
      const auto level = problem.number.level_of(problem.law->draw(theta, rng));
      const auto k = static_cast<double>(problem.number.values.adds[static_cast<std::size_t>(level)]);
      totals.sum += k;
      totals.squares += k * k;
    }
    see(problem, pool.noise, totals, rng);
    out.sets.push_back(problem);
  }
  return out;
}

/// Ranks of one simulated pool among 99 draws of one chain, as its analyst would have them.
std::vector<double> rank_chain(const Pool& pool, std::size_t index) {
  Rng rng(20261116, static_cast<std::uint32_t>(index), Purpose::calibration);
  const Simulated drawn = simulate(pool, rng);
  DriverOptions options;
  options.chains = 1;
  options.draws = 99;
  options.seed = rng();
  options.threads = 1;
  const ChainRun run = draw_augmented_number(drawn.sets, options, {});
  std::vector<double> out;
  for (std::size_t q = 0; q < drawn.truth.size(); ++q)
    out.push_back(rank_of(drawn.truth[q], std::span(run.draws[0]).subspan(q * 99, 99), rng));
  return out;
}

std::vector<double> rank_exact(const Pool& pool, std::size_t index) {
  Rng rng(20261117, static_cast<std::uint32_t>(index), Purpose::calibration);
  const Simulated drawn = simulate(pool, rng);
  const NumberPosterior posterior(drawn.sets, 1);
  std::vector<std::vector<double>> draws(drawn.truth.size());
  std::vector<std::int64_t> totals(drawn.sets.size());
  for (int i = 0; i < 99; ++i) {
    draws[0].push_back(posterior.draw(totals, rng));
    for (std::size_t q = 1; q < draws.size(); ++q) draws[q].push_back(static_cast<double>(totals[q - 1]));
  }
  std::vector<double> out;
  for (std::size_t q = 0; q < draws.size(); ++q) out.push_back(rank_of(drawn.truth[q], draws[q], rng));
  return out;
}

/// A right posterior exceeds the limit with probability 1e-6 a quantity.
template <class Rank>
void expect_uniform(const Pool& pool, std::size_t studies, const Rank& rank) {
  std::vector<std::vector<double>> ranks(studies);
  parallel_for(studies, 0, [&](std::size_t i) { ranks[i] = rank(pool, i); });
  for (std::size_t q = 0; q < ranks[0].size(); ++q) {
    std::vector<double> one;
    for (const auto& r : ranks) one.push_back(r[q]);
    EXPECT_LT(assess::ks_uniform(one), 2.70 / std::sqrt(static_cast<double>(studies))) << "quantity " << q;
  }
}

const Pool kNormal{{"normal", {}, {0, 1, 3, 2}, model::RealRange{-3, 3, Rational(1, 10), {}}},
                   {10, 40},
                   false,
                   {{laplace(1.0 / 60)}, {laplace(1.0 / 900)}, {}, {}}};
const Pool kPrivateExponential{{"exponential", {}, {3, 2, 0, 0}, model::RealRange{0, 4, Rational(1, 5), {}}},
                               {15, 30},
                               true,
                               {{laplace(1.0 / 20)}, {}, {}, {laplace(0.5)}}};

TEST(NumberPooledCalibration, TwoParametersByLatentRecords) { expect_uniform(kNormal, 400, rank_chain); }
TEST(NumberPooledCalibration, PrivateTotalsByLatentRecords) {
  expect_uniform(kPrivateExponential, 400, rank_chain);
}
TEST(NumberPooledCalibration, PrivateTotalsExactly) { expect_uniform(kPrivateExponential, 400, rank_exact); }

}  // namespace
}  // namespace postern::infer
