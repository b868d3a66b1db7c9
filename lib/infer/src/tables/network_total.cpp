#include "tables/network_total.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kDeviations = 12;       ///< on either side of what totals say
constexpr double kMostPlaces = 1 << 21;  ///< of a law that is tabulated; beyond, every so many records
constexpr double kStep = 0.5;            ///< correlation of n from one sweep to the next
constexpr int kFewLaplace = 30;          ///< terms of a sum that is not taken for normal

/// A released total: the sum of the values of a table's cells, each with noise of this law.
struct SeenTotal {
  double y = 0;
  release::NoiseLaw law;
  std::size_t cells = 1;

  [[nodiscard]] double variance() const { return static_cast<double>(cells) * release::variance(law); }
};

/// log of the density of the sum of k Laplace variables of scale 1 at x, up to a constant: e^-|x| times a
/// polynomial (a difference of two gamma variables).
double log_laplace_sum(double x, int k) {
  x = std::abs(x);
  if (k == 1) return -x;
  double sum = 0;
  double term = 1;  // the coefficient of |x|^(k - 1 - j)
  for (int j = 0; j < k; ++j) {
    sum = sum * x + term;
    term *= static_cast<double>(k + j) / (2.0 * (j + 1)) * static_cast<double>(k - 1 - j);
  }
  return std::log(sum) - x;
}

double log_density(const SeenTotal& total, double n) {
  const double residual = total.y - n;
  const release::NoiseShape shape = release::shape(total.law);
  if (shape.rate > 0 && total.cells <= kFewLaplace)
    return log_laplace_sum(residual * shape.rate, static_cast<int>(total.cells));
  return -0.5 * residual * residual / total.variance();
}

using Cells = std::vector<std::vector<NoisyValue>>;

/// One total a value that all cells have. False where a value is only known to lie in a band.
bool add_totals(const Cells& cells, std::vector<SeenTotal>& out) {
  std::size_t least = cells.front().size();
  std::size_t most = 0;
  for (const std::vector<NoisyValue>& values : cells) {
    least = std::min(least, values.size());
    most = std::max(most, values.size());
    if (std::any_of(values.begin(), values.end(), [](const NoisyValue& one) { return one.band.has_value(); }))
      return false;
  }
  if (least != most) return true;  // a part of the table: no total
  for (std::size_t i = 0; i < least; ++i) {
    SeenTotal& total = out.emplace_back(SeenTotal{0, cells.front()[i].law, cells.size()});
    for (const std::vector<NoisyValue>& values : cells) total.y += values[i].y;
  }
  return true;
}

/// Nothing where one was tampered with.
std::vector<SeenTotal> totals_of(const NetworkProblem& problem) {
  std::vector<SeenTotal> out;
  bool whole = true;
  for (const NetworkFamily& family : problem.families) whole = add_totals(family.noisy_values, out) && whole;
  for (const NoisyMargin& table : problem.tables) whole = add_totals(table.noisy_values, out) && whole;
  for (const NoisyCoefficient& one : problem.coefficients) {
    if (one.value.band) whole = false;
    if (one.variables.empty()) out.push_back({one.value.y, one.value.law, 1});
  }
  if (!whole) out.clear();
  return out;
}

}  // namespace

std::optional<NetworkTotal> NetworkTotal::make(const NetworkProblem& problem) {
  const auto* bound = std::get_if<LatentTotal>(&problem.total);
  if (bound == nullptr || !problem.sets.empty()) return std::nullopt;
  const std::vector<SeenTotal> totals = totals_of(problem);
  if (totals.empty()) return std::nullopt;
  double precision = 0;
  double centre = 0;
  for (const SeenTotal& total : totals) {
    precision += 1 / std::max(total.variance(), 1e-3);
    centre += total.y / std::max(total.variance(), 1e-3);
  }
  centre /= precision;
  const auto most = static_cast<double>(bound->at_most);
  const double reach = 1 + kDeviations / std::sqrt(precision);
  const double lo = std::clamp(std::floor(centre - reach), 0.0, most);
  const double hi = std::clamp(std::ceil(centre + reach), lo, most);
  if (hi - lo > kMostPlaces) return std::nullopt;
  std::vector<double> logs;
  for (double n = lo; n <= hi; ++n) {
    double log = bound->log_slope * n;
    for (const SeenTotal& total : totals) log += log_density(total, n);
    logs.push_back(log);
  }
  NetworkTotal out;
  out.lo_ = static_cast<std::int64_t>(lo);
  const double all = log_sum_exp(logs);
  double sum = 0;
  for (const double log : logs) out.up_to_.push_back(sum += std::exp(log - all));
  return out;
}

std::int64_t NetworkTotal::at(double normal) const {
  const double p = 0.5 * std::erfc(-normal / std::sqrt(2.0));
  const auto found = std::upper_bound(up_to_.begin(), up_to_.end() - 1, p);
  return lo_ + (found - up_to_.begin());
}

double NetworkTotal::next(double normal, Rng& rng) {
  return kStep * normal + std::sqrt(1 - kStep * kStep) * draw_normal(rng);
}

}  // namespace postern::infer
