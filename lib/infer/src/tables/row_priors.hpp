#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::infer {

/// One table of counts whose rows have a Dirichlet prior that is learned: row r ~ Dirichlet(A_r q), every row
/// its own concentration A_r from a grid that is even in log A, and all rows one centre q ~ Dirichlet(1/2).
struct LearnedFamily {
  std::uint32_t variable = 0;           ///< of the problem
  std::size_t levels = 1;               ///< cells of a row
  std::vector<std::size_t> cells;       ///< of its counts, row by row
  std::vector<std::size_t> shifts;      ///< where A_r q_v and what is known belong, of each cell
  std::vector<std::size_t> row_shifts;  ///< where their sum belongs, of each row
  std::vector<double> known;            ///< records that are known to be in the cells, or none
  std::vector<double> centre;           ///< q, if it is not to be learned
};

/// What the shifts of learned rows are, given the counts: A_r from its law on the grid, with q as it is; then
/// q given the numbers of tables of the rows' urns (Antoniak 1974), which are drawn for it. Both are exact.
class RowPriors {
 public:
  struct State {
    std::vector<std::vector<double>> centres;  ///< per table
    std::vector<bool> given;                   ///< per table: q is not drawn here
    std::vector<double> concentrations;        ///< of all rows of all tables
  };

  RowPriors() = default;
  /// `scale` multiplies all concentrations of the grid.
  RowPriors(std::vector<LearnedFamily> tables, double scale);

  [[nodiscard]] const std::vector<LearnedFamily>& families() const { return tables_; }
  /// q of a family, from elsewhere: it is not drawn here. Takes effect with the next update.
  void give_centre(std::size_t family, std::span<const double> centre, State& state) const;
  [[nodiscard]] bool none() const { return tables_.empty(); }
  /// Concentrations in the middle of the grid, even centres: then as update says.
  void begin(std::span<const std::int64_t> counts, State& state, std::span<double> shifts, Rng& rng) const;
  /// Draws anew, and writes the shifts. @pre begun
  void update(std::span<const std::int64_t> counts, State& state, std::span<double> shifts, Rng& rng) const;

 private:
  void update_table(const LearnedFamily& table, std::span<const std::int64_t> counts, bool given,
                    std::vector<double>& centre, std::span<double> concentrations, Rng& rng) const;
  static void write(const LearnedFamily& table, std::span<const double> centre,
                    std::span<const double> concentrations, std::span<double> shifts);

  std::vector<LearnedFamily> tables_;
  std::vector<double> grid_;
  std::vector<double> fine_grid_;  ///< for rows of many cells, which tell more about A
};

}  // namespace postern::infer
