#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/number/gibbs/joint_squares.hpp"

#include "number_augment_support.hpp"
#include "pooled_support.hpp"

// Geweke's joint test (2004) of the sampler of a mean and a variance: if its step leaves p(theta, v, n | y)
// as it is, v being the latent variances of Laplace noise, then alternating it with y | theta, v, n leaves
// the joint law as it is: theta has the prior's law, v is exponential, n has its own prior. Here y is the
// sums of n records, drawn one by one, plus normal noise of variances v: nothing of the sampler's own
// arithmetic is used. It takes the sums of records for normal, so there must be many.

namespace postern::infer {
namespace {

struct Setting {
  std::string name;
  AugmentShape shape;
  std::int64_t n;         ///< known, or the largest
  double slope;           ///< of log p(n); 0: n is known
  double b, square_b;     ///< noise of the sums, in units of k
  bool gaussian = false;  ///< of these deviations, instead of Laplace of these scales
  bool collapsed = true;  ///< theta is also drawn with the sums integrated out
  std::size_t steps = 15'000;
};
void PrintTo(const Setting& one, std::ostream* out) { *out << one.name; }

constexpr double kCountScale = 100;  ///< of the noise of n

NumberProblem problem_of(const Setting& setting) {
  NumberProblem problem = make_number(setting.shape);
  problem.total = KnownTotal{setting.n};
  if (setting.slope != 0) {
    problem.total = LatentTotal{setting.n, setting.slope};
    problem.counts = {{0, laplace(1 / kCountScale)}};
  }
  const auto noise = [&](double b) { return setting.gaussian ? gaussian(b * b) : laplace(1 / b); };
  problem.sums = {{0, noise(setting.b)}};
  problem.square_sums = {{0, noise(setting.square_b)}};
  return problem;
}

/// y | theta, v, n, and the state's summary of it.
void draw_noisy_values(NumberProblem& problem, const Setting& setting, JointSquares::State& state, Rng& rng) {
  JointSquares::Sums& sums = state.sets[0];
  const model::LevelValues& values = problem.number.values;
  const model::Theta theta{values.zero + values.unit * state.mean,
                           std::exp(state.log_variance) * values.unit * values.unit};
  const Totals totals = draw_totals(problem, theta, static_cast<std::int64_t>(sums.n), rng);
  const double truth[] = {totals.sum, totals.squares};
  NoisyValue* const noisy_values[] = {&problem.sums[0], &problem.square_sums[0]};
  for (std::size_t j = 0; j < 2; ++j) {
    const double b = j == 0 ? setting.b : setting.square_b;
    const double variance = setting.gaussian ? b * b : sums.noise[j][0];
    noisy_values[j]->y = truth[j] + std::sqrt(variance) * draw_normal(rng);
    sums.seen[j] = {noisy_values[j]->y, 1 / variance};
  }
  if (setting.slope != 0)
    problem.counts[0].y = sums.n + (rng.uniform() < 0.5 ? -1 : 1) * kCountScale * draw_exponential(rng);
}

/// A draw from the joint law, but for y.
void begin(const NumberProblem& problem, const Setting& setting, JointSquares::State& state, Rng& rng) {
  const model::LevelValues& values = problem.number.values;
  const model::Theta theta = problem.law->draw_theta(problem.prior, rng);
  state.collapsed = setting.collapsed;
  state.mean = (theta[0] - values.zero) / values.unit;
  state.log_variance = std::log(theta[1] / values.unit / values.unit);
  JointSquares::Sums& sums = state.sets[0];
  sums.n = static_cast<double>(setting.n);
  sums.place = sums.n;
  sums.sum = sums.n * state.mean;
  sums.scatter = sums.n * std::exp(state.log_variance);
  if (setting.gaussian) return;
  sums.noise[0][0] = 2 * setting.b * setting.b * draw_exponential(rng);
  sums.noise[1][0] = 2 * setting.square_b * setting.square_b * draw_exponential(rng);
}

constexpr std::size_t kChains = 2;

/// mu, sigma^2, n if latent, the two v if there are any: [quantity][chain][step].
using Walk = std::vector<std::vector<std::vector<double>>>;
Walk alternate(const Setting& setting) {
  Walk out(5, std::vector(kChains, std::vector<double>(setting.steps)));
  for (std::size_t c = 0; c < kChains; ++c) {
    Rng rng(42, static_cast<std::uint32_t>(c), Purpose::test);
    NumberProblem problem = problem_of(setting);
    JointSquares::State state = JointSquares(problem).init(rng);
    begin(problem, setting, state, rng);
    std::vector<double> read(3);
    for (std::size_t i = 0; i < setting.steps; ++i) {
      draw_noisy_values(problem, setting, state, rng);
      const JointSquares kernel(problem);
      kernel.step(state, rng);
      kernel.read(state, read);
      for (std::size_t q = 0; q < 3; ++q) out[q][c][i] = read[q];
      if (setting.gaussian) continue;
      for (std::size_t j = 0; j < 2; ++j) out[3 + j][c][i] = state.sets[0].noise[j][0];
    }
  }
  return out;
}

constexpr double kShares[] = {0.1, 0.3, 0.5, 0.7, 0.9};

struct Quantile {
  double at = 0;
  double share = 0;
  double slack = 0;  ///< where it is only known from draws
};
std::vector<Quantile> of_prior(const NumberProblem& problem, std::size_t parameter) {
  constexpr std::size_t kDraws = 400'000;
  Rng rng(43, 0, Purpose::test);
  std::vector<double> drawn(kDraws);
  for (double& x : drawn) x = problem.law->draw_theta(problem.prior, rng).at(parameter);
  std::sort(drawn.begin(), drawn.end());
  std::vector<Quantile> out;
  for (const double share : kShares)
    out.push_back({drawn[static_cast<std::size_t>(share * kDraws)], share,
                   4.9 * std::sqrt(share * (1 - share) / kDraws)});
  return out;
}
std::vector<Quantile> of_exponential(double mean) {
  std::vector<Quantile> out;
  for (const double share : kShares) out.push_back({-mean * std::log1p(-share), share, 0});
  return out;
}
/// p(n) ~ e^{slope n}, n <= most, where nothing is left at 0.
std::vector<Quantile> of_total(double most, double slope) {
  std::vector<Quantile> out;
  for (const double share : kShares) {
    const double at = std::floor(most + std::log(share) / slope);
    out.push_back({at, std::exp(slope * (at - most)), 0});
  }
  return out;
}

/// How many of the quantities' quantiles are wrong: each would be by chance once in 10^6.
int faults(const Setting& setting, bool tell) {
  const NumberProblem problem = problem_of(setting);
  const Walk walk = alternate(setting);
  std::vector<std::vector<Quantile>> wanted{of_prior(problem, 0), of_prior(problem, 1), {}, {}, {}};
  if (setting.slope != 0) wanted[2] = of_total(static_cast<double>(setting.n), setting.slope);
  if (!setting.gaussian) {
    wanted[3] = of_exponential(2 * setting.b * setting.b);
    wanted[4] = of_exponential(2 * setting.square_b * setting.square_b);
  }
  int wrong = 0;
  for (std::size_t q = 0; q < wanted.size(); ++q) {
    const std::vector<std::span<const double>> chains(walk[q].begin(), walk[q].end());
    for (const Quantile& one : wanted[q]) {
      const Estimate below = estimate(chains, 1, [&](double x) { return x <= one.at ? 1.0 : 0.0; });
      const bool right = std::abs(below.mean - one.share) <= below.reach + one.slack;
      wrong += right ? 0 : 1;
      if (!tell) continue;
      EXPECT_TRUE(right) << "quantity " << q << ": " << below.mean << " for " << one.share << ", reach "
                         << below.reach;
      EXPECT_LT(below.reach, 0.1) << "too few effective draws to see a fault";
    }
  }
  return wrong;
}

class SquaresGeweke : public testing::TestWithParam<Setting> {};

TEST_P(SquaresGeweke, ThetaNoiseAndNKeepTheirLaws) { EXPECT_EQ(faults(GetParam(), true), 0); }

const model::Values kWide = model::RealRange{-3, 3, Rational(1, 10), {}};
const model::Values kNarrow = model::RealRange{Rational(-1, 2), 2, Rational(1, 10), {}};
const model::Hyper kVague{0, 2, 4, 3};
const model::Hyper kSharp{Rational(3, 10).get_d(), 200, 100, 100};

INSTANTIATE_TEST_SUITE_P(
    All, SquaresGeweke,
    testing::Values(
        Setting{"wide_noise", {"normal", {}, kVague, kWide}, 1000, 0, 5000, 100'000},
        Setting{"sharp_noise", {"normal", {}, kSharp, kWide}, 1000, 0, 300, 3000, false, false, 60'000},
        Setting{"both", {"normal", {}, kSharp, kWide}, 1000, 0, 300, 3000},
        Setting{"gaussian", {"normal", {}, kSharp, kWide}, 1000, 0, 300, 3000, true, false, 60'000},
        Setting{"clamped", {"normal", {}, kSharp, kNarrow}, 1000, 0, 300, 3000, false, false, 60'000},
        Setting{"mapped", {"normal", {}, kSharp, kNarrow, model::MapTo{5}}, 1000, 0, 300, 3000},
        Setting{"dropped", {"normal", {}, kSharp, kNarrow, model::Drop{}}, 1000, 0, 300, 3000},
        Setting{"latent", {"normal", {}, kSharp, kWide}, 1500, 0.01, 300, 3000}),
    [](const auto& one) { return one.param.name; });

// With two records the normal approximation is wrong, and the same test says so.
TEST(SquaresGewekeOfTwo, SeesThatTheirSumsAreNotNormal) {
  EXPECT_GT(faults({"two", {"normal", {}, kVague, kWide}, 2, 0, 20, 400}, false), 2);
}

}  // namespace
}  // namespace postern::infer
