#include "statistic/grid/cost.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "postern/core/mutant.hpp"

namespace postern::model {
namespace {

/// A split of a row and what it costs when one record more or less passes it.
using Split = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Rational>;
using Row = std::vector<Split>;

/// What a record can change in one row at the most: as it comes or goes, or as it moves within.
struct RowWorst {
  Rational alone = 0;
  Rational moved = 0;
};

bool passes(const Split& split, std::uint32_t level) {
  return std::get<0>(split) <= level && level < std::get<2>(split);
}

/// Two records at levels a and b of one row: splits that one of them passes cost as if it were alone; those
/// that both pass cost `parting` times as much where they part, and nothing where they do not.
Rational moved_cost(const Row& row, std::uint32_t a, std::uint32_t b, int parting) {
  Rational sum = 0;
  for (const Split& split : row) {
    const bool has_a = passes(split, a);
    const bool has_b = passes(split, b);
    if (has_a != has_b) sum += std::get<3>(split);
    const std::uint32_t middle = std::get<1>(split);
    if (has_a && has_b && (a < middle) != (b < middle)) sum += parting * std::get<3>(split);
  }
  return sum;
}

RowWorst worst_in_row(const Row& row, std::uint32_t levels, int parting) {
  RowWorst out;
  for (std::uint32_t a = 0; a < levels; ++a) {
    Rational alone = 0;
    for (const Split& split : row) {
      if (passes(split, a)) alone += std::get<3>(split);
    }
    out.alone = std::max(out.alone, alone);
    for (std::uint32_t b = 0; b < a; ++b) out.moved = std::max(out.moved, moved_cost(row, a, b, parting));
  }
  return out;
}

/// All splits of the tables over the same columns.
class Family {
 public:
  void add(const GridSplit& split, const Rational& unit) {
    rows_[split.row].emplace_back(split.first, split.middle, split.last, unit);
  }
  /// @pre as many levels as the last column has, as many rows as the others have cells
  [[nodiscard]] Rational worst(std::uint32_t levels, std::size_t rows, const PrivacyPolicy& policy) const {
    const int parting = policy.currency == Currency::pure ? 2 : 4;
    std::map<Row, RowWorst> known;  // most rows are alike
    Rational dearest = 0;
    Rational second = 0;
    Rational moved = 0;
    for (const auto& [number, row] : rows_) {
      const auto [found, fresh] = known.try_emplace(row);
      if (fresh) found->second = worst_in_row(row, levels, parting);
      moved = std::max(moved, found->second.moved);
      second = std::max(second, std::min(dearest, found->second.alone));
      dearest = std::max(dearest, found->second.alone);
    }
    if (policy.adjacency == Adjacency::add_remove || mutant(78)) return dearest;
    return rows < 2 ? moved : std::max(moved, Rational(dearest + second));
  }

 private:
  std::map<std::uint32_t, Row> rows_;
};

class GridRule : public CostRule {
 public:
  [[nodiscard]] Rational worst(std::span<const WeighedStatistic> statistics, const Schema& schema,
                               const PrivacyPolicy& policy) const override {
    std::map<std::vector<std::string>, Family> families;
    std::map<Rational, Rational> oscillations;
    for (const WeighedStatistic& one : statistics) {
      const auto& split = one.statistic->get<GridSplit>();
      const auto [found, fresh] = oscillations.try_emplace(split.omega);
      if (fresh) found->second = grid_oscillation(split.omega);
      const Rational epsilon = one.weight * found->second;
      families[split.columns].add(
          split, policy.currency == Currency::pure ? epsilon : Rational(epsilon * epsilon / 8));
    }
    Rational total = 0;
    for (const auto& [columns, family] : families) {
      const std::span<const std::string> parents = std::span(columns).first(columns.size() - 1);
      const std::size_t rows = parents.empty() ? 1 : schema.domain(parents).cells();
      total += family.worst(schema.at(columns.back()).levels(), rows, policy);
    }
    return total;
  }
};

}  // namespace

const CostRule& grid_rule() {
  static const GridRule rule;
  return rule;
}

std::optional<PlannedGrid> planned_grid(const Measurement& measurement, const Schema& schema,
                                        const PrivacyPolicy& policy) {
  if (measurement.blocks.empty()) return std::nullopt;
  const Block& block = measurement.blocks.front();
  const auto* split = block.statistic.as<GridSplit>();
  if (split == nullptr) return std::nullopt;
  PlannedGrid out{split->points, split->omega, block.noise.parameter << kGridLogBits, std::nullopt};
  if (policy.currency != Currency::pure) return out;
  long draws = 0;  // all of them are alike, and the range is that of one
  for (const Block& other : measurement.blocks) {
    const auto* same = other.statistic.as<GridSplit>();
    draws += same != nullptr && same->columns == split->columns && same->row == split->row &&
                     same->first == split->first && same->last == split->last
                 ? 1
                 : 0;
  }
  out.range = cost(measurement, schema, policy) / (out.tau * draws);
  return out;
}

}  // namespace postern::model
