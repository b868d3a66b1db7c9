#include "log_odds_law.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/fft.hpp"
#include "postern/core/special.hpp"

#include "numeric/careful_convolution.hpp"
#include "poisson_likelihood_grid.hpp"
#include "tabulated_poisson_likelihood.hpp"

namespace postern::infer {
namespace {

constexpr double kMostNoise = 1e-12;  ///< of the posterior, by rounding in the transform
constexpr double kAgreement =
    1e-10;  ///< of the sum with the tree's: a bound on n that cuts more is seen here
constexpr std::int64_t kMostRemainders = 64;
constexpr double kSlight = 1e-15;     ///< a product of corrections that does not count beside grids of 1
constexpr double kMostRecords = 1e8;  ///< beyond, sums over Poisson counts are long

/// sum over i - j = k of a(i) b(j), k from a's first less b's last on; remainders of both that add up to 0.
struct Correlation {
  std::ptrdiff_t first = 0;
  std::vector<double> value;
  double error = 0;
};
Correlation correlate(const PoissonLikelihoodGrid& a, const PoissonLikelihoodGrid& b, std::int64_t modulus) {
  Correlation out;
  out.first = a.first - b.first - static_cast<std::ptrdiff_t>(b.value.size()) + 1;
  const std::vector<double> reversed(b.value.rbegin(), b.value.rend());
  out.value = postern::convolve(a.value, reversed);
  out.error = transform_error(a.value, reversed);
  const auto remainders = static_cast<std::size_t>(modulus);
  for (const PoissonLikelihoodGrid::ResidueCorrection& x : a.corrections) {
    for (const PoissonLikelihoodGrid::ResidueCorrection& y : b.corrections) {
      if (x.largest * y.largest < kSlight) continue;
      double sum = a.parts[x.parts] * b.parts[y.parts];
      for (std::size_t c = 1; c < remainders; ++c)
        sum += a.parts[x.parts + c] * b.parts[y.parts + remainders - c];
      out.value[x.at + b.value.size() - 1 - y.at] += static_cast<double>(modulus) * sum;
    }
  }
  return out;
}

double log_share(double delta) { return -(std::max(-delta, 0.0) + std::log1p(std::exp(-std::abs(delta)))); }

/// A count as it is likely to be.
struct Likely {
  double count = 0;
  bool reaches_zero = false;
};

/// Where the posterior is likely, and the grid that fits it.
struct Setting {
  Setting(Likely mine, Likely others, AlphaSplit alpha) : count{mine.count, others.count} {
    const double n = count[0] + count[1] + 1;
    share = (count[0] + 0.5) / n;
    delta = std::log((count[0] + 0.5) / (count[1] + 0.5));
    // Five steps a standard deviation of delta given the counts, and what the trapezoidal rule needs.
    step = std::min({0.2 / std::sqrt(n * share * (1 - share)), 0.6 / std::sqrt(n), 0.15});
    // The tilt of delta that levels theta^(a-1) (1-theta)^b where it matters; but a grid that reaches counts
    // of 0 must not grow towards them.
    tilt = (alpha.mine - 1) * (1 - share) - alpha.others * share;
    if (mine.reaches_zero) tilt = std::max(tilt, -0.5);
    if (others.reaches_zero) tilt = std::min(tilt, -0.5);
  }
  double count[2];
  double share = 0;  ///< of the first cell
  double delta = 0;
  double step = 0;
  double tilt = 0;
};

Likely likely_of(const Cell& cell, double tilt) {
  const double count = cell.moments(tilt).mean;
  return {count, cell.noise().log_ratio(0, count) > -60};
}
Likely likely_of(const Message& message) {
  double mass = 0;
  double sum = 0;
  for (std::size_t i = 0; i < message.weight.size(); ++i) {
    mass += message.weight[i];
    sum += static_cast<double>(i) * message.weight[i];
  }
  return {static_cast<double>(message.lo) + sum / mass, message.lo == 0};
}

/// No bound on n cuts.
bool inside(const CountPlan& plan) { return plan.tilts.totals.hi < plan.total.support().hi; }

/// Sums over the grid.
struct Sums {
  double log_level = 0;  ///< divided out of all
  double whole = 0;
  double noise = 0;   ///< what rounding may have added
  double share = 0;   ///< of theta
  double rest = 0;    ///< of 1 - theta
  double square = 0;  ///< of (theta - setting's share)^2
};

/// Multiplies by theta^(a-1) (1-theta)^b e^{-tilt delta}.
void weigh(Correlation& density, const Setting& at, AlphaSplit alpha, Sums& sums) {
  const double both = alpha.mine + alpha.others - 1;
  const double slope = alpha.others + at.tilt;
  sums.log_level = both * log_share(at.delta) - slope * at.delta;
  for (std::size_t i = 0; i < density.value.size(); ++i) {
    const double delta = at.step * static_cast<double>(density.first + static_cast<std::ptrdiff_t>(i));
    const double odds = std::exp(-std::abs(delta));  // of the less likely cell
    const double log_theta = std::min(delta, 0.0) - std::log1p(odds);
    const double weight = std::exp(both * log_theta - slope * delta - sums.log_level);
    sums.noise += density.error * weight;
    const double mass = std::max(density.value[i], 0.0) * weight;
    density.value[i] = mass;
    const double large = 1 / (1 + odds);
    const double small = odds * large;
    const double theta = delta > 0 ? large : small;
    sums.whole += mass;
    sums.share += mass * theta;
    sums.rest += mass * (delta > 0 ? small : large);
    sums.square += mass * (theta - at.share) * (theta - at.share);
  }
}

}  // namespace

/// The sum that the tree found, and what it is of: both must be the same but for constants.
struct LogOddsLaw::Known {
  double log_sum = 0;
  double log_constant = 0;
};

template <class Means, class Setting>
std::optional<LogOddsLaw> LogOddsLaw::make(Means mine, Means others, const Setting& at, AlphaSplit alpha,
                                           std::int64_t modulus, const Known& known) {
  if (at.count[0] + at.count[1] > kMostRecords) return std::nullopt;
  PoissonLikelihoodGridBuilder<Means> makes_a(std::move(mine), modulus, 1 + at.tilt, at.step);
  PoissonLikelihoodGridBuilder<Means> makes_b(std::move(others), modulus, -at.tilt, at.step);
  std::optional<PoissonLikelihoodGrid> a = makes_a.run(at.count[0]);
  if (!a) return std::nullopt;
  std::optional<PoissonLikelihoodGrid> b = makes_b.run(at.count[1]);
  if (!b) return std::nullopt;
  const double ripple_a = a->largest_correction();
  makes_a.explore(*a, kSlight / b->largest_correction());
  makes_b.explore(*b, kSlight / ripple_a);

  Correlation density = correlate(*a, *b, modulus);
  Sums sums;
  weigh(density, at, alpha, sums);
  if (!(sums.noise <= kMostNoise * sums.whole)) return std::nullopt;
  const double log_sum = std::log(at.step * at.step * sums.whole) + a->log_scale + b->log_scale +
                         sums.log_level - std::log(static_cast<double>(modulus)) + known.log_constant;
  const double apart = std::abs(log_sum - known.log_sum);
  if (!(apart <= kAgreement * (1 + 1e-6 * std::abs(log_sum)))) return std::nullopt;
  LogOddsLaw out;
  out.mean_[0] = std::min(1.0, sums.share / sums.whole);
  out.mean_[1] = std::min(1.0, sums.rest / sums.whole);
  const double offset = out.mean_[0] - at.share;
  out.sd_ = std::sqrt(std::max(0.0, sums.square / sums.whole - offset * offset));
  out.law_ = EvenGridLaw(density.first, at.step, density.value);
  return out;
}

std::optional<LogOddsLaw> LogOddsLaw::of_pair(const CountTree& tree, AlphaSplit alpha) {
  const CountPlan& plan = tree.plan();
  if (!inside(plan) || plan.total.multiple() > kMostRemainders) return std::nullopt;
  const double tilt = plan.tilts.tilt;
  const Setting at(likely_of(plan.cells[0], tilt), likely_of(plan.cells[1], tilt), alpha);
  const std::int64_t modulus = plan.total.multiple();
  const auto means = [&](std::size_t k) {
    return PoissonLikelihood(plan.cells[k].noise(), plan.total.log_slope(), modulus);
  };
  const Known known{tree.log_evidence(), plan.total.log_at(0) - log_beta(alpha.mine, alpha.others)};
  return make(means(0), means(1), at, alpha, modulus, known);
}

std::optional<LogOddsLaw> LogOddsLaw::of_cell(const CountTree& tree, const Message& mine,
                                              const Message& outside, AlphaSplit alpha) {
  const CountPlan& plan = tree.plan();
  if (!inside(plan) || plan.total.multiple() > 1) return std::nullopt;
  const Setting at(likely_of(mine), likely_of(outside), alpha);
  const double slope = plan.total.log_slope() - plan.tilts.tilt;
  const auto anchor = static_cast<double>(plan.tilts.anchor);
  const Known known{std::log(tree.mass()) + plan.total.log_at(anchor) - plan.tilts.tilt * anchor,
                    plan.total.log_at(0) + log_gamma(alpha.mine + alpha.others)};
  return make(TabulatedPoissonLikelihood(mine, alpha.mine, slope),
              TabulatedPoissonLikelihood(outside, alpha.others, slope), at, alpha, 1, known);
}

double LogOddsLaw::cdf(std::size_t cell, double theta) const {
  if (!(theta > 0)) return 0;
  if (theta >= 1) return 1;
  const double delta = std::log(theta) - std::log1p(-theta);
  return cell == 0 ? law_.cdf(delta) : 1 - law_.cdf(-delta);
}

double LogOddsLaw::quantile(std::size_t cell, double p) const {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  return std::exp(log_share(cell == 0 ? law_.quantile(p) : -law_.quantile(1 - p)));
}

}  // namespace postern::infer
