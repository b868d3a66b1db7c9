#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "cell_potentials.hpp"
#include "latent_tables.hpp"
#include "level_draw.hpp"

namespace postern::infer {

/// What moves work with: the counts, and places to write to.
struct TableState {
  std::vector<std::int64_t> counts;
  std::vector<double> widths;         ///< of slices, per contrast and cell
  std::vector<std::uint32_t> record;  ///< a level of each variable
  std::vector<std::int64_t> margins;
  bool tuning = true;  ///< widths follow the moves
};

/// The cells that a line of states m -> counts + m direction passes through, and the target along it.
class CountLine {
 public:
  explicit CountLine(std::size_t cells) { steps_.reserve(cells); }
  void clear() { steps_.clear(); }
  void add(std::size_t cell, int sign, std::span<const std::int64_t> counts) {
    steps_.push_back({cell, counts[cell], sign});
  }
  /// Draws m by a slice of a first width, no further up than `most`, with e^{slope m} times the target, and
  /// moves there. Returns m.
  std::int64_t move(const CellPotentials& potentials, std::span<std::int64_t> counts, double width,
                    std::int64_t most, double slope, Rng& rng);

 private:
  struct Step {
    std::size_t cell = 0;
    std::int64_t count = 0;
    std::int64_t sign = 0;
  };
  std::vector<Step> steps_;
};

/// Moves along one kind of line: m records each change from one to another of two levels of every variable of
/// a set A, with alternating signs, all else as it was. One variable: m records change its level. Two: +m -m
/// -m +m, which leaves every table alone that does not hold both. In general exactly the tables that hold all
/// of A change. The levels, and those of the other variables of the cliques that hold A (the context), are
/// drawn from tables that the move does not change, so the line is as likely after the move as before.
class Contrast {
 public:
  static constexpr std::size_t kMostVariables = 4;

  /// `base` is a clique that holds A: its contexts are drawn evenly, or by records, of which there are about
  /// `records`. @pre `record_of_base` draws a record of that clique, and lives as long.
  Contrast(const LatentTables& tables, graph::Variables of, std::size_t base, const LevelDraw& record_of_base,
           double records);
  /// Where the widths begin in the state, and whether there is one a cell of the base, or one in all.
  void use_widths(std::size_t first, bool per_cell) {
    first_width_ = first;
    per_cell_ = per_cell;
  }

  void move(const CellPotentials& potentials, TableState& state, CountLine& line, Rng& rng) const;
  /// Lines through a state that are linearly independent, in the base.
  [[nodiscard]] double lines() const { return lines_; }
  [[nodiscard]] std::size_t variables() const { return of_.size(); }
  [[nodiscard]] std::size_t base_cells() const { return base_cells_; }
  [[nodiscard]] std::size_t changes() const { return touched_.size() << of_.size(); }  ///< cells of a line

 private:
  struct Step {
    std::uint32_t variable = 0;
    std::size_t stride = 0;
  };
  struct Touched {  ///< a table that holds A; the base comes first
    std::size_t offset = 0;
    std::vector<Step> context;
    std::array<std::size_t, kMostVariables> strides{};  ///< of A
  };
  using Levels = std::array<std::uint32_t, kMostVariables>;

  void touch(const LatentTables::Table& table);
  void spread(const LatentTables& tables, std::size_t from);
  bool draw_evenly(TableState& state, Levels& a, Levels& b, Rng& rng) const;
  bool draw_by_records(TableState& state, Levels& a, Levels& b, Rng& rng) const;
  [[nodiscard]] std::size_t width_at(std::size_t cell) const {
    return first_width_ + (per_cell_ ? cell - base_offset_ : 0);
  }

  graph::Variables of_;
  std::vector<std::uint32_t> sizes_;  ///< of A
  std::vector<Step> base_context_;    ///< variable and its size
  std::vector<Touched> touched_;
  const LevelDraw* record_of_base_;
  std::vector<LevelDraw> further_;  ///< contexts of the other cliques, each next to one before
  std::size_t first_width_ = 0;
  bool per_cell_ = true;
  std::size_t base_offset_ = 0;
  std::size_t base_cells_ = 0;
  std::vector<std::size_t> corners_of_a_;  ///< all combinations of levels of A in the base
  double lines_ = 0;
  double evenly_ = 0;  ///< probability
};

}  // namespace postern::infer
