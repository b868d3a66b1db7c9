#include "bounds.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "postern/core/parallel.hpp"

#include "kinds/choice/bounds.hpp"

namespace postern::infer {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr std::size_t kDirections = 90;
constexpr std::size_t kLengths = 32;

/// Log posterior masses of cells, lengths x directions, but for a constant.
std::vector<double> log_masses(const ChoiceProblem& problem, const AxisLaw& law, double lo, double step,
                               std::size_t directions, int threads) {
  const auto n = static_cast<double>(problem.about());
  std::vector<double> out(kLengths * directions);
  parallel_for(kLengths, threads, [&](std::size_t i) {
    const double length = lo + step * (static_cast<double>(i) + 0.5);
    std::vector<double> p;
    for (std::size_t k = 0; k < directions; ++k) {
      const double angle = kPi * (static_cast<double>(k) + 0.5) / static_cast<double>(directions);
      law.probabilities(law.at(length * std::cos(angle), length * std::sin(angle)), p);
      out[i * directions + k] = std::log(length) + law.log_prior_at(length) + problem.choices.log_lower(p, n);
    }
  });
  return out;
}

/// Near the mean the bounds may be close together and elsewhere far apart: looked at are lengths from all
/// over the prior too, along the mean axis and across it.
double largest_gap(const ChoiceProblem& problem, const AxisLaw& law, double length, double angle) {
  const auto n = static_cast<double>(problem.about());
  double out = 0;
  for (const double at : {length, 0.3 * law.spread(), 1.2 * law.spread(), 2.5 * law.spread()}) {
    for (const double turned : {angle, angle + kPi / 2})
      out = std::max(out, bounds_gap(problem, law.at(at * std::cos(turned), at * std::sin(turned)), n));
  }
  return out;
}

}  // namespace

AxisBounds::AxisBounds(const ChoiceProblem& problem, const AxisLaw& law, int threads) {
  constexpr double kDeviations = 6;
  constexpr double kNegligible = 20;
  constexpr std::size_t kFew = 24;
  const auto cells = static_cast<double>(kLengths);
  double hi = kDeviations * law.spread();
  // A first look finds the lengths that there is mass at.
  const double coarse = hi / cells;
  const std::vector<double> look = log_masses(problem, law, 0, coarse, kFew, threads);
  const double best = *std::max_element(look.begin(), look.end());
  std::size_t first = kLengths;
  std::size_t last = 0;
  for (std::size_t i = 0; i < kLengths; ++i) {
    const auto row = look.begin() + static_cast<std::ptrdiff_t>(i * kFew);
    if (*std::max_element(row, row + kFew) < best - kNegligible) continue;
    first = std::min(first, i);
    last = i;
  }
  lo_ = coarse * std::max(0.0, static_cast<double>(first) - 1);
  hi = coarse * static_cast<double>(last + 2);
  step_ = (hi - lo_) / cells;
  turn_ = kPi / static_cast<double>(kDirections);
  const std::vector<double> logs = log_masses(problem, law, lo_, step_, kDirections, threads);
  const double top = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  double length = 0;
  std::complex<double> twice = 0;
  for (std::size_t c = 0; c < logs.size(); ++c) {
    const double weight = std::exp(logs[c] - top);
    cumulative_.push_back(sum += weight);
    const std::size_t row = c / kDirections;
    length += weight * (lo_ + step_ * (static_cast<double>(row) + 0.5));
    twice += std::polar(weight, 2 * turn_ * (static_cast<double>(c % kDirections) + 0.5));
  }
  for (double& part : cumulative_) part /= sum;
  gap_ = largest_gap(problem, law, length / sum, std::arg(twice) / 2);
}

std::array<double, 2> AxisBounds::draw(Rng& rng) const {
  const auto found = std::lower_bound(cumulative_.begin(), cumulative_.end(), rng.uniform());
  const auto cell = static_cast<std::size_t>(std::min(found, cumulative_.end() - 1) - cumulative_.begin());
  const std::size_t row = cell / kDirections;
  const double length = lo_ + step_ * (static_cast<double>(row) + rng.uniform());
  const double angle = turn_ * (static_cast<double>(cell % kDirections) + rng.uniform());
  return {length * std::cos(angle), length * std::sin(angle)};
}

}  // namespace postern::infer
