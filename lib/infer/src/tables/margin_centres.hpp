#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/infer/network/problem.hpp"

#include "tables/line_window.hpp"

namespace postern::infer {

/// Centres of rows from the margins alone: of every column that has parents, draws of q ~ Dirichlet(1/2 + m),
/// m the column's counts as what the released tables say of that column alone has them, with a learned prior
/// m ~ Dirichlet(A / levels), A on the grid of RowPriors. What the cells of rows say of q is cut off. A chain
/// of its own moves the counts; the sums of a margin's noise are taken as normal, unless it is a single
/// value.
class MarginCentres {
 public:
  struct State {
    std::vector<std::vector<std::int64_t>> counts;  ///< per column that it has
    std::vector<double> concentrations;
    LineWindow window;
  };

  explicit MarginCentres(const NetworkProblem& problem);
  /// Is this variable's centre one of these? Not of a column without parents, nor where no table tells a
  /// margin.
  [[nodiscard]] bool has(std::uint32_t variable) const { return place_[variable].has_value(); }
  [[nodiscard]] State begin(std::int64_t n, Rng& rng) const;
  /// One sweep, with n records.
  void update(std::int64_t n, State& state, Rng& rng) const;
  /// @pre has(variable)
  void draw(std::uint32_t variable, const State& state, std::span<double> centre, Rng& rng) const;

 private:
  struct Level {
    double curvature = 0;  ///< of all normal noise, and its centre
    double centre = 0;
    std::vector<NoisyValue> kinks;  ///< single values with Laplace noise
    double known = 0;
  };
  struct Column {
    std::vector<Level> levels;
    double scale = 1;  ///< least deviation of the noise
  };
  [[nodiscard]] static std::optional<Column> column_of(const NetworkProblem& problem, std::uint32_t variable);
  static void set_total(const Column& column, double each, std::int64_t n, std::vector<std::int64_t>& counts,
                        Rng& rng);
  void move(const Column& column, std::vector<std::int64_t>& counts, double each, LineWindow& window,
            Rng& rng) const;

  std::vector<Column> columns_;
  std::vector<std::optional<std::size_t>> place_;  ///< per variable
  std::vector<double> grid_;
};

}  // namespace postern::infer
