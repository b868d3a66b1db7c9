#include "postern/infer/kinds/number/gibbs/normal_table.hpp"

#include <algorithm>
#include <cmath>

namespace postern::infer {
namespace {

constexpr double kLogReach = 0.5;  ///< half the width of a panel in log v
constexpr double kReach = 0.8;     ///< and in mu, in the least deviations of the panel
constexpr std::size_t kMostPanels = 2000;
constexpr int kPatience = 20;          ///< glances before a panel is made
constexpr double kNoVariance = 1e-11;  ///< of the panel's largest, below which the polynomials have no digits

}  // namespace

NormalTable::NormalTable(std::shared_ptr<const model::NumberLaw> law,
                         std::shared_ptr<const model::EncodedNumber> number)
    : law_(std::move(law)),
      number_(std::move(number)),
      levels_(std::make_shared<const LevelMomentSum>(*law_, *number_)) {}

model::Theta NormalTable::theta(double mean, double log_variance) const {
  const double unit = number_->values.unit;
  return {number_->values.zero + unit * mean, std::max(std::exp(log_variance) * unit * unit, 1e-300)};
}

LevelMoments NormalTable::directly(double mean, double log_variance) const {
  return levels_->at(theta(mean, log_variance));
}

bool NormalTable::Panel::holds(double m, double log_v) const {
  return std::abs(m - mean) <= reach && std::abs(log_v - log_variance) <= log_reach;
}

SquareMoments NormalTable::Panel::at(double m, double log_v) const {
  const double x = 2 * (m - mean) / reach;  // twice the coordinate, as Clenshaw's recurrence wants it
  const double y = 2 * (log_v - log_variance) / log_reach;
  using Kinds = std::array<double, kKinds>;
  Kinds outer1{};
  Kinds outer2{};
  for (std::size_t i = kPoints; i-- > 0;) {
    Kinds inner1{};
    Kinds inner2{};
    for (std::size_t j = kPoints - 1; j > 0; --j) {
      for (std::size_t k = 0; k < kKinds; ++k) {
        const double b = series[i][j][k] + y * inner1[k] - inner2[k];
        inner2[k] = inner1[k];
        inner1[k] = b;
      }
    }
    for (std::size_t k = 0; k < kKinds; ++k) {
      const double value = series[i][0][k] + 0.5 * y * inner1[k] - inner2[k];
      const double b = value + (i > 0 ? x : 0.5 * x) * outer1[k] - outer2[k];
      outer2[k] = outer1[k];
      outer1[k] = b;
    }
  }
  const Kinds& f = outer1;
  if (!(f[1] > least_variance)) return {f[0], 0, 0, 0, {}};
  return {f[0], f[1], f[2], f[3] > least_square_variance ? f[3] : 0, {{{f[4], f[5]}, {f[6], f[7]}}}};
}

SquareMoments NormalTable::at(double mean, double log_variance) {
  if (!current_ || !current_->holds(mean, log_variance)) current_ = find(mean, log_variance, 0);
  return current_->at(mean, log_variance);
}

SquareMoments NormalTable::glance(double mean, double log_variance) {
  if (!current_ || !current_->holds(mean, log_variance)) {
    auto found = find(mean, log_variance, kPatience);
    if (!found) {
      const LevelMoments k = directly(mean, log_variance);
      return {k.mean, k.variance, k.third, k.fourth - k.variance * k.variance, {}};
    }
    current_ = std::move(found);
  }
  return current_->at(mean, log_variance);
}

std::shared_ptr<const NormalTable::Panel> NormalTable::find(double mean, double log_variance, int patience) {
  if (panels_.size() > kMostPanels) panels_.clear();
  const double row = std::floor(log_variance / (2 * kLogReach));
  const double middle = (2 * row + 1) * kLogReach;
  const double reach = kReach * std::exp(0.5 * (middle - kLogReach));
  const double column = std::floor(mean / (2 * reach));
  if (std::abs(column) > 1e15) return std::make_shared<const Panel>(make(mean, middle, reach));
  const auto key = static_cast<std::uint64_t>(static_cast<std::int64_t>(column)) * 4096 +
                   static_cast<std::uint64_t>(static_cast<std::int64_t>(row) + 2048);
  Slot& slot = panels_[key];
  if (!slot.panel && ++slot.glances > patience)
    slot.panel = std::make_shared<const Panel>(make((2 * column + 1) * reach, middle, reach));
  return slot.panel;
}

NormalTable::Panel NormalTable::make(double mean, double log_variance, double reach) const {
  Panel panel{mean, log_variance, reach, kLogReach, 1e-15, 1e-15, {}};
  double deviation = HUGE_VAL;
  for (const double end : {mean - reach, mean + reach})
    deviation = std::min(deviation, levels_->deviation(theta(end, log_variance - kLogReach)));
  const LevelMomentSum::Runs runs = levels_->runs(deviation);
  std::array<Grid, kKinds> value{};
  for (std::size_t i = 0; i < kPoints; ++i) {
    for (std::size_t j = 0; j < kPoints; ++j) {
      const double log_v = log_variance + kLogReach * Poly::point(j);
      const LevelMoments k = levels_->at(theta(mean + reach * Poly::point(i), log_v), runs);
      value[0][i][j] = k.mean;
      value[1][i][j] = k.variance;
      value[2][i][j] = k.third;
      value[3][i][j] = k.fourth - k.variance * k.variance;
      panel.least_variance = std::max(panel.least_variance, kNoVariance * value[1][i][j]);
      panel.least_square_variance = std::max(panel.least_square_variance, kNoVariance * value[3][i][j]);
    }
  }
  // Along each line of the grid: the slope of E k and Var k in mu, times v, and in log v, times 2 v.
  for (std::size_t kind = 0; kind < 2; ++kind) {
    for (std::size_t line = 0; line < kPoints; ++line) {
      Poly::Series across{};
      for (std::size_t i = 0; i < kPoints; ++i) across[i] = value[kind][i][line];
      const Poly::Series in_mean = Poly::slope(Poly::fit(across));
      const Poly::Series in_variance = Poly::slope(Poly::fit(value[kind][line]));
      const double v = std::exp(log_variance + kLogReach * Poly::point(line));
      for (std::size_t i = 0; i < kPoints; ++i) {
        value[4 + 2 * kind][i][line] = v * Poly::at(in_mean, Poly::point(i)) / reach;
        const double here = std::exp(log_variance + kLogReach * Poly::point(i));
        value[5 + 2 * kind][line][i] = 2 * here * Poly::at(in_variance, Poly::point(i)) / kLogReach;
      }
    }
  }
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    Grid half{};
    for (std::size_t i = 0; i < kPoints; ++i) half[i] = Poly::fit(value[kind][i]);
    for (std::size_t j = 0; j < kPoints; ++j) {
      Poly::Series across{};
      for (std::size_t i = 0; i < kPoints; ++i) across[i] = half[i][j];
      const Poly::Series fitted = Poly::fit(across);
      for (std::size_t i = 0; i < kPoints; ++i) panel.series[i][j][kind] = fitted[i];
    }
  }
  return panel;
}

}  // namespace postern::infer
