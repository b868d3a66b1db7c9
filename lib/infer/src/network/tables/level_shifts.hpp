#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "postern/core/rng.hpp"

#include "contrast.hpp"
#include "network_target.hpp"

namespace postern::infer {

/// Moves along one row of a CPT: m of its records, by chance, change from one level to another, whatever the
/// other columns say, and the columns that depend on it follow: each keeps its level as far as its old and
/// its new row agree on it, and else takes one that the new row has more of. Prior and proposal cancel but
/// for a factor near 1; noise and messages decide. A contrast can only move as far as its context has
/// records; this moves the count of a level in all contexts at once.
class LevelShifts {
 public:
  struct State {
    struct Change {
      std::size_t cell = 0;
      std::int64_t by = 0;
    };
    std::vector<Change> changes;        ///< to undo them
    std::vector<std::uint32_t> after;   ///< the record as it will be
    std::vector<std::uint32_t> moved;   ///< variables whose level changes
    std::vector<std::uint64_t> looked;  ///< per table: when it was last looked at
    std::uint64_t now = 0;
    std::vector<double> log_blocks;  ///< per row: log of the records that a move takes, tuned
  };

  explicit LevelShifts(const NetworkTarget& target);
  [[nodiscard]] State init() const;
  /// One try in a row by chance: half of the time every column is as likely as any other, else every line.
  void shift(TableState& tables, State& state, Rng& rng) const;
  [[nodiscard]] std::size_t lines() const { return lines_; }  ///< independent ones, of all rows

 private:
  struct Step {
    std::uint32_t variable = 0;
    std::size_t stride = 0;
  };
  struct Column {
    const NetworkTarget::Family* family = nullptr;
    std::uint32_t levels = 0;
    std::vector<Step> cells;  ///< of the parents in the family's table
    std::vector<Step> rows;
    std::vector<std::uint32_t> row_sizes;  ///< of the parents, as `rows` has them
    std::size_t first_row = 0;             ///< among all rows
    std::vector<LevelDraw> at_home;        ///< the rest of a clique that holds the family; or none
    std::vector<std::size_t> outwards;     ///< steps between cliques, as far as dependants reach
    std::vector<std::size_t> dependants;   ///< columns, parents first
  };

  void find_steps(std::vector<std::vector<std::size_t>>& from);
  void find_dependants();
  void find_way(Column& column, const std::vector<std::vector<std::size_t>>& from);
  [[nodiscard]] const Column& choose_row(TableState& tables, std::size_t& row, Rng& rng) const;
  /// Moves one record from a to b; false, and nothing done, if there is none. Adds to the logarithm of what
  /// it is accepted by.
  bool move_record(const Column& column, std::uint32_t a, std::uint32_t b, TableState& tables, State& state,
                   double& log_ratio, Rng& rng) const;
  void follow(const Column& column, const TableState& tables, State& state, Rng& rng) const;
  double put(TableState& tables, State& state) const;

  const NetworkTarget* target_;
  std::vector<Column> columns_;                      ///< parents first
  std::vector<std::vector<std::size_t>> tables_of_;  ///< by variable
  std::vector<LevelDraw> steps_;                     ///< from a clique to a neighbour of it
  std::vector<std::size_t> to_;                      ///< clique that a step leads to
  std::size_t lines_ = 0;
  std::vector<double> below_;  ///< how often each column is chosen, summed up
  std::size_t rows_ = 0;
};

}  // namespace postern::infer
