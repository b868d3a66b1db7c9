#include "forecast.hpp"

#include <algorithm>
#include <cmath>

#include "postern/infer/counts/learned_table.hpp"

namespace postern::infer {

/// Counted, not timed: the draws of a seed are the same on every machine.
std::size_t sets_within(double work) {
  constexpr double kProducts = 2e9;  // about one CPU second
  return static_cast<std::size_t>(std::clamp(kProducts / std::max(work, 1.0), static_cast<double>(kLeastSets),
                                             static_cast<double>(kMostSets)));
}

namespace {

/// The variance that noise leaves to the widest cell.
double widest_variance(const LearnedTable& table) {
  const double most = static_cast<double>(table.n.value_or(table.at_most));
  double variance = 0;
  for (const std::vector<NoisyValue>& values : table.noisy_values) {
    double precision = 0;
    for (const NoisyValue& value : values) precision += 1 / release::variance(value.law);
    variance = std::max(variance, precision > 0 ? 1 / precision : most * most);
  }
  return variance;
}

}  // namespace

double LearnedPosterior::forecast_seconds(const LearnedTable& table, std::size_t draws) {
  constexpr double kProducts = 2e9;  // a CPU second
  constexpr double kTrees = 6;       // until the plan is settled
  constexpr double kOneDraw = 4e-7;  // CPU seconds, of one cell
  const double most = static_cast<double>(table.n.value_or(table.at_most));
  const auto width_of = [&](double variance) { return std::min(most + 1, 15 * std::sqrt(variance) + 20); };
  double variance = widest_variance(table);
  double work = 0;
  double rows = static_cast<double>(table.cells());
  for (std::size_t level = table.sizes.size(); level-- > 0;) {
    const double branches = table.sizes[level];
    rows /= branches;
    const double narrow = width_of(variance);
    variance *= branches;
    const double wide = level == 0 ? 1 : width_of(variance);
    const double direct = 2000 + 30 * (branches * narrow + wide) + 0.5 * branches * narrow * wide;
    const double size = 13 * std::sqrt(variance) + narrow + 64;
    const double transforms = 2000 + branches * (10 * narrow + size * std::log2(size));
    work += rows * static_cast<double>(concentrations(table.sizes[level], 1).size()) *
            std::min(direct, transforms);
  }
  const double sets = static_cast<double>(sets_within(work));
  return work * (kTrees + sets) / kProducts +
         kOneDraw * static_cast<double>(draws) * static_cast<double>(table.cells());
}

double LearnedPosterior::forecast_bytes(const LearnedTable& table) {
  const double most = static_cast<double>(table.n.value_or(table.at_most));
  double variance = widest_variance(table);
  double bytes = 0;
  double children = static_cast<double>(table.cells());
  for (std::size_t level = table.sizes.size(); level-- > 0;) {
    const double branches = table.sizes[level];
    const auto grid = static_cast<double>(concentrations(table.sizes[level], 1).size());
    // A row's tree holds its leaves, and as much again at every level but for what narrows.
    const double width = std::min(most + 1, 15 * std::sqrt(variance) + 20);
    bytes += 8 * grid * children * width * (1 + 0.7 * std::log2(branches + 1));
    children /= branches;
    variance *= branches;
  }
  return bytes;
}

}  // namespace postern::infer
