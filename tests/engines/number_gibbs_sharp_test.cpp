#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include <gtest/gtest.h>

#include "postern/core/draw.hpp"
#include "postern/infer/kinds/number/gibbs/joint_number.hpp"

#include "number_gibbs_support.hpp"

// The joint engine against the exact posterior of an exponential rate, which integrates the characteristic
// function of one clamped record: no normal approximation. Rank tests do not see errors of this size.

namespace postern::infer {
namespace {

using Complex = std::complex<double>;

constexpr double kLo = 0.0063;  // 2.5 % and 97.5 % of a record under Gamma(8, 2)
constexpr double kHi = 1.17;
constexpr double kUnit = 1e-4;

/// p(y | rate): y = sum of n clamped records + Laplace(b). `outside`: what a record above kHi counts as.
class ExactLikelihood {
 public:
  ExactLikelihood(double n, double b, double y, double outside) : n_(n), b_(b), y_(y), outside_(outside) {}

  [[nodiscard]] double operator()(double rate) const {
    const double under = -std::expm1(-rate * kLo);
    const double over = std::exp(-rate * kHi);
    const auto transform = [&](double u) {
      const Complex i(0, 1);
      const Complex slope(-rate, u);
      return under * std::exp(i * (u * kLo)) + over * std::exp(i * (u * outside_)) +
             rate * (std::exp(slope * kHi) - std::exp(slope * kLo)) / slope;
    };
    const double step = 1e-3;
    const double mean = std::imag(transform(step)) / step;
    const double variance =
        std::max(2 * (1 - std::real(transform(step))) / (step * step) - mean * mean, 1e-6);
    const double sd = std::sqrt(n_ * variance);
    if (std::abs(y_ - n_ * mean) > 12 * sd + 30 * b_) return 0;
    const double h = M_PI / (std::abs(y_ - n_ * mean) + 12 * sd + 45 * b_);
    double sum = 0.5;
    for (double u = h; u < 9 / sd; u += h) {
      const Complex power = std::exp(n_ * std::log(transform(u)) - Complex(0, u * y_));
      sum += std::real(power) / (1 + b_ * b_ * u * u);
    }
    return std::max(sum * h / M_PI, 0.0);
  }

 private:
  double n_, b_, y_, outside_;
};

struct Quartiles {
  double q[3] = {0, 0, 0};
  [[nodiscard]] double median() const { return q[1]; }
  [[nodiscard]] double range() const { return q[2] - q[0]; }
};

/// The exact quartiles, from rates spread evenly in their logarithm.
Quartiles exact_quartiles(const ExactLikelihood& likelihood, double least, double most, std::size_t grid) {
  std::vector<double> rate(grid);
  std::vector<double> cumulative(grid);
  double sum = 0;
  double before = 0;
  for (std::size_t i = 0; i < grid; ++i) {
    rate[i] =
        least * std::exp(static_cast<double>(i) * std::log(most / least) / static_cast<double>(grid - 1));
    const double density =
        std::exp(8 * std::log(rate[i]) - 2 * rate[i]) * likelihood(rate[i]);  // of log rate
    cumulative[i] = sum += 0.5 * (density + before);
    before = density;
  }
  Quartiles out;
  for (int k = 0; k < 3; ++k) {
    const double target = sum * (k + 1) / 4;
    const auto above = std::lower_bound(cumulative.begin(), cumulative.end(), target) - cumulative.begin();
    const double share = (target - cumulative[above - 1]) / (cumulative[above] - cumulative[above - 1]);
    out.q[k] = std::exp(std::log(rate[above - 1]) + share * std::log(rate[above] / rate[above - 1]));
  }
  return out;
}

Quartiles gibbs_quartiles(const JointNumber& kernel, std::uint32_t stream) {
  constexpr int kSteps = 30'000;
  Rng rng(20261116, stream, Purpose::draws);
  JointNumber::State state = kernel.init(rng);
  std::vector<double> draws;
  for (int i = 0; i < kSteps; ++i) {
    kernel.step(state, rng);
    if (i >= kSteps / 20) draws.push_back(state.theta[0]);
  }
  Quartiles out;
  for (int k = 0; k < 3; ++k) {
    const auto at = draws.begin() + static_cast<std::ptrdiff_t>(draws.size()) * (k + 1) / 4;
    std::nth_element(draws.begin(), at, draws.end());
    out.q[k] = *at;
  }
  return out;
}

struct Setting {
  std::int64_t n;
  double epsilon;
};

/// 24 trials: mean |shift of the median| in interquartile ranges, mean ratio of the ranges.
void expect_sharp(const Setting& setting, bool redacted) {
  constexpr int kTrials = 24;
  const Rational grid("1/10000");
  const model::Policy outside = redacted ? model::Policy(model::MapTo{0}) : model::Policy(model::Clamp{});
  NumberProblem problem =
      number_problem("exponential", {}, real_column(63 * grid, 11700 * grid, grid, outside), {8, 2});
  problem.total = KnownTotal{setting.n};
  const double b = (kHi - kLo) / setting.epsilon;
  const auto size = static_cast<double>(setting.n);
  Rng rng(20261116, static_cast<std::uint32_t>(setting.n + redacted), Purpose::simulation);
  double shift = 0;
  double ratio = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const model::Theta theta = problem.law->draw_theta(problem.prior, rng);
    double sum = 0;
    for (std::int64_t i = 0; i < setting.n; ++i) {
      const auto level = static_cast<std::size_t>(problem.number.level_of(problem.law->draw(theta, rng)));
      sum += static_cast<double>(problem.number.values.adds[level]);
    }
    const release::DiscreteLaplace law(kUnit / b);
    const double y = sum + static_cast<double>(law.simulate(rng));
    problem.sums = {{y, law}};
    const ExactLikelihood likelihood(size, b, size * kLo + y * kUnit, redacted ? kLo : kHi);
    const Quartiles found = gibbs_quartiles(JointNumber(problem), static_cast<std::uint32_t>(trial));
    // All rates there are, finely where the posterior may have two modes; otherwise then ten ranges around
    // the median.
    Quartiles exact = exact_quartiles(likelihood, 0.5, 20, redacted ? 6000 : 150);
    const double ratio_to_end = 1 + 10 * exact.range() / exact.median();
    if (!redacted)
      exact = exact_quartiles(likelihood, exact.median() / ratio_to_end, exact.median() * ratio_to_end, 200);
    shift += std::abs(found.median() - exact.median()) / exact.range() / kTrials;
    ratio += found.range() / exact.range() / kTrials;
  }
  testing::Test::RecordProperty(
      "shift at " + std::to_string(setting.n) + ", " + std::to_string(setting.epsilon),
      std::to_string(shift));
  testing::Test::RecordProperty(
      "ratio at " + std::to_string(setting.n) + ", " + std::to_string(setting.epsilon),
      std::to_string(ratio));
  EXPECT_LT(shift, 0.04) << "n = " << setting.n << ", epsilon = " << setting.epsilon;
  EXPECT_NEAR(ratio, 1, 0.02) << "n = " << setting.n << ", epsilon = " << setting.epsilon;
}

TEST(JointNumberSharp, Clamped) {
  for (const Setting& setting : {Setting{100, 1}, {1000, 0.1}, {1000, 1}, {10'000, 1}})
    expect_sharp(setting, false);
}

// Redaction has a second mode, which a chain may miss; with these bounds it seldom has mass.
TEST(JointNumberSharp, Redacted) {
  for (const Setting& setting : {Setting{100, 1}, {1000, 0.1}, {1000, 1}, {10'000, 1}})
    expect_sharp(setting, true);
}

}  // namespace
}  // namespace postern::infer
