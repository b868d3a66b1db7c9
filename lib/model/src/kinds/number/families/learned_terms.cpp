#include "kinds/number/families/learned_terms.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::model {
namespace {

constexpr std::size_t kMostTerms = 40;

/// Shares that add up to 1.
std::vector<PriorTerm> normalised(std::vector<PriorTerm> terms) {
  std::vector<double> logs;
  for (const PriorTerm& term : terms) logs.push_back(term.log_share);
  const double total = log_sum_exp(logs);
  for (PriorTerm& term : terms) term.log_share -= total;
  return terms;
}

/// At even steps of the logarithm, of 1 unless that makes too many.
std::vector<double> log_grid(ScaleRange range) {
  const double length = std::log(range.most / range.least);
  const auto steps = std::clamp(std::ceil(length), 1.0, static_cast<double>(kMostTerms - 1));
  std::vector<double> out;
  for (double k = 0; k <= steps; ++k) out.push_back(range.least * std::exp(length * k / steps));
  return out;
}

}  // namespace

ScaleRange sizes(double bound, double scale, double power) {
  constexpr double kMostSteps = 1.5 * (kMostTerms - 1);  // further apart, terms leave gaps
  const double most = bound * scale * std::pow(10, power);
  return {most * std::exp(-std::min(6 * std::log(10) * power, kMostSteps)), most};
}

std::vector<PriorTerm> log_uniform_rates(ScaleRange theta) {
  std::vector<PriorTerm> out;
  for (const double middle : log_grid(theta)) out.push_back({0, {1, 1 / middle}});
  return normalised(std::move(out));
}

/// Even shares would leave a dip about odds of 1, where neither end's shape rules.
std::vector<PriorTerm> log_uniform_odds(ScaleRange odds) {
  std::vector<PriorTerm> out;
  for (const double middle : log_grid(odds)) {
    const double dip = 0.37 / std::cosh(std::log(middle) / 2.6);
    out.push_back({std::log1p(dip), {0.5 * (1 + 1 / middle), 0.5 * (1 + middle)}});
  }
  return normalised(std::move(out));
}

std::vector<PriorTerm> learned_share(double scale) {
  std::vector<PriorTerm> out;
  for (const double total : {.1, .3, 1., 3., 10., 30., 100., 300., 1000., 3000., 10000.})
    out.push_back({0, {0.5 * total * scale, 0.5 * total * scale}});
  return normalised(std::move(out));
}

std::vector<PriorTerm> flat_mean(StatisticRange range) {
  constexpr int kSteps = 32;
  const double step = (range.hi - range.lo) / kSteps;
  std::vector<PriorTerm> out;
  for (int k = -1; k <= kSteps + 1; ++k) out.push_back({0, {range.lo + step * k, 0.49 * step * step}});
  return normalised(std::move(out));
}

/// InverseGamma(1, b), b ~ Gamma(1/2, mean .04), is the law of sigma2: b at even steps of its logarithm. The
/// mean given sigma2 is about .7 wide for each term, whatever its scale.
std::vector<PriorTerm> flat_mean_and_scale(double scale) {
  const double typical = 0.04 * scale;
  constexpr double kWidth = 0.7;
  constexpr double kFarthest = 1.3;
  std::vector<PriorTerm> out;
  for (int k = 0; k < 10; ++k) {
    const double b = typical * 1e-5 * std::exp(1.5 * k);
    for (const double mean : {-kFarthest, -kFarthest / 3, kFarthest / 3, kFarthest})
      out.push_back({0.5 * std::log(b) - 0.5 * b / typical, {mean, b / (kWidth * kWidth), 1, b}});
  }
  return normalised(std::move(out));
}

Hyper planning_normal(std::span<const Rational> /*known*/, StatisticRange range) {
  const double fifth = (range.hi - range.lo) / 5;
  return {0.5 * (range.lo + range.hi), 4, 3, 2 * fifth * fifth};
}

}  // namespace postern::model
