#include "postern/infer/counts/expected_cells.hpp"

#include <cmath>

#include "postern/infer/noise/published_values.hpp"

namespace postern::infer {
namespace {

/// Fewer small cells than that decide no answer, and one of them can look like a law.
constexpr double kLeastOthers = 20;

}  // namespace

ExpectedCells::ExpectedCells(const LearnedTable& table, std::size_t sets)
    : levels_(table.sizes.back()), sums_(sets) {
  if (table.sizes.size() < 2) return;
  for (const std::vector<NoisyValue>& values : table.noisy_values) {
    double precision = 0;
    double mean = 0;
    for (const NoisyValue& value : values) {
      const double one = 1 / release::variance(value.law);
      precision += one;
      mean += one * value.y;
    }
    if (!(precision > 0) || any_band(values)) {
      cells_.clear();
      return;
    }
    cells_.push_back({mean / precision, 1 / std::sqrt(precision)});
  }
}

void ExpectedCells::add(std::size_t set, std::span<const std::int64_t> counts) {
  if (cells_.empty()) return;
  thread_local std::vector<double> column;
  column.assign(levels_, 0.0);
  double n = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    column[c % levels_] += static_cast<double>(counts[c]);
    n += static_cast<double>(counts[c]);
  }
  double records = 0;
  double scaled = 0;
  double all = 0;
  double cells = 0;
  for (std::size_t row = 0; row < counts.size(); row += levels_) {
    double sum = 0;
    for (std::size_t v = 0; v < levels_; ++v) sum += static_cast<double>(counts[row + v]);
    for (std::size_t v = 0; v < levels_; ++v) {
      const Seen& seen = cells_[row + v];
      const double more = static_cast<double>(counts[row + v]) - seen.y;
      all += more / seen.sd;
      if (!(sum * column[v] > n * seen.sd)) continue;
      records += more;
      scaled += more / seen.sd;
      cells += 1;
    }
  }
  // n tells the noise of all cells together: only what is beyond their share of that counts.
  const double share = cells / static_cast<double>(counts.size());
  if (cells == 0 || static_cast<double>(counts.size()) - cells < kLeastOthers) return;
  Sums& to = sums_[set];
  to.draws += 1;
  to.records += records;
  to.sds += (scaled - share * all) / std::sqrt(cells * (1 - share));
  to.cells += cells;
}

std::optional<ExpectedCells::Excess> ExpectedCells::result() const {
  Sums all;
  for (const Sums& one : sums_) {
    all.draws += one.draws;
    all.records += one.records;
    all.sds += one.sds;
    all.cells += one.cells;
  }
  if (all.draws == 0) return std::nullopt;
  return Excess{all.records / all.draws, all.sds / all.draws, all.cells / all.draws};
}

}  // namespace postern::infer
