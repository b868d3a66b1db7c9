#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "postern/core/rng.hpp"

#include "cell_potentials.hpp"
#include "latent_tables.hpp"
#include "level_draw.hpp"
#include "network_sums.hpp"
#include "tables/cell_shifts.hpp"
#include "tables/line_window.hpp"

namespace postern::infer {

/// What moves work with: the counts, and places to write to.
struct TableState {
  std::vector<std::int64_t> counts;
  std::vector<double> widths;         ///< of slices, per contrast and cell
  std::vector<std::uint32_t> record;  ///< a level of each variable
  std::vector<std::int64_t> margins;
  /// Per cell: the log weight of each record in it, besides the potentials. Empty: none.
  std::vector<double> tilts;
  std::vector<double> shifts;  ///< parameters of all rows' Dirichlet priors, as the families place them
  bool tuning = true;          ///< widths follow the moves
};

/// The cells that a line of states m -> counts + m direction passes through, and the target along it.
class CountLine {
 public:
  explicit CountLine(std::size_t cells) { steps_.reserve(cells); }
  void clear() {
    steps_.clear();
    sums_.clear();
    factors_.clear();
  }
  void add(std::size_t cell, int sign, std::span<const std::int64_t> counts) {
    steps_.push_back({cell, counts[cell], sign});
  }
  /// A sum that changes by `change` m; it may have either sign.
  void add_sum(std::size_t cell, std::int64_t change, std::span<const std::int64_t> counts) {
    if (change != 0) sums_.push_back({cell, counts[cell], change});
  }
  /// A factor whose counts change by so much times m. The factor must outlive the move.
  void add_factor(const SplitFactor& factor, std::int64_t below, std::int64_t above,
                  std::span<const std::int64_t> counts);
  /// Shifts of gamma factors that are learned along the way: then m is drawn from its law in a window.
  void learn(const CellShifts& shifts) { learned_ = shifts.none() ? nullptr : &shifts; }
  /// Draws m by a slice of a first width, no further up than `most`, with e^{slope m} times the target, and
  /// moves there. Returns m.
  std::int64_t move(const CellPotentials& potentials, TableState& state, double width, std::int64_t most,
                    double slope, Rng& rng);

 private:
  struct Step {
    std::size_t cell = 0;
    std::int64_t count = 0;
    std::int64_t sign = 0;
  };
  struct Factor {
    const SplitFactor* factor = nullptr;
    std::int64_t below = 0;  ///< per m
    std::int64_t above = 0;
    std::int64_t from_below = 0;
    std::int64_t from_above = 0;
    double log_from = 0;
  };
  /// How far the line goes: every count stays at least 0.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> range(std::int64_t most) const;
  [[nodiscard]] std::int64_t draw_by_slice(const CellPotentials& potentials, std::int64_t lo, std::int64_t hi,
                                           double width, double slope, Rng& rng) const;
  [[nodiscard]] std::int64_t draw_in_window(const CellPotentials& potentials, std::span<const double> shifts,
                                            std::int64_t lo, std::int64_t hi, double width, double slope,
                                            Rng& rng);
  /// How many states a window has: what noise leaves open, whatever the counts are.
  [[nodiscard]] std::int64_t window_width(const CellPotentials& potentials, double width, Rng& rng) const;
  /// Of the target at m against that at 0.
  [[nodiscard]] double log_ratio(const CellPotentials& potentials, std::int64_t m) const;

  std::vector<Step> steps_;
  std::vector<Step> sums_;
  std::vector<Factor> factors_;
  const CellShifts* learned_ = nullptr;
  LineWindow window_;
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
  /// `records`. @pre `record_of_base` draws a record of that clique, and it and the sums live as long.
  Contrast(const LatentTables& tables, const NetworkSums& sums, graph::Variables of, std::size_t base,
           const LevelDraw& record_of_base, double records);
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
  void add_sums(const TableState& state, const Levels& a, const Levels& b, CountLine& line) const;
  bool draw_by_records(TableState& state, Levels& a, Levels& b, Rng& rng) const;
  /// Records of a context at each level of a variable of A that comes before `inner` combinations of levels
  /// of others; their sum.
  std::int64_t sum_by_level(const std::int64_t* row, std::size_t inner, std::span<std::int64_t> margin) const;
  [[nodiscard]] std::size_t width_at(std::size_t cell) const {
    return first_width_ + (per_cell_ ? cell - base_offset_ : 0);
  }

  graph::Variables of_;
  std::vector<std::uint32_t> sizes_;  ///< of A
  std::vector<Step> base_context_;    ///< variable and its size
  std::vector<Touched> touched_;
  const NetworkSums* sums_;
  NetworkSums::Touched touched_sums_;
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
