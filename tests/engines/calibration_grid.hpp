#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "postern/model/measurement.hpp"
#include "postern/model/study.hpp"

namespace postern::grid {

/// A family on columns whose bounds some records miss, with a proper prior that stays in sight of them.
struct Setting {
  std::string family;  ///< as studies write it
  std::vector<model::Column> columns;
  model::Model model;
};

/// The two models of counts, every family of numbers and the multivariate normal, as documents list them.
[[nodiscard]] std::vector<Setting> settings();

/// One cell of the grid: family x n x epsilon x adjacency.
struct Cell {
  std::size_t setting = 0;
  /// Public under replace-one. Under add-remove n is private and a simulated study draws it from its prior,
  /// uniform on 0..n_at_most: n_at_most is 2 n there, so that n is the cell's on average.
  std::int64_t n = 0;
  Rational epsilon;
  model::Adjacency adjacency = model::Adjacency::replace_one;
};
[[nodiscard]] std::string name_of(const Cell& cell);  ///< letters, digits and underscores
void PrintTo(const Cell& cell, std::ostream* out);

/// Every cell: n in 10, 30, 100, 1000, 10^4, epsilon in 0.01, 0.1, 1, 5, both adjacencies.
[[nodiscard]] std::vector<Cell> all_cells();
/// Forty of them: every family, every n with every epsilon, both adjacencies with each of them.
[[nodiscard]] std::vector<Cell> some_cells();

[[nodiscard]] model::Study study_of(const Cell& cell);
/// Simulated studies of a cell in `make test`. At alpha = 1e-6 ranks that are 0.13 from uniform are seen with
/// probability 0.99 or more.
inline constexpr std::size_t kStudies = 1000;
/// The same in long runs, which see 0.065: 4000 where draws are independent, 1000 where they come from a
/// chain.
[[nodiscard]] std::size_t studies_at_length(const Cell& cell);
/// Draws of each: 99, or 39 where every step of a chain goes through the records of several columns.
[[nodiscard]] std::size_t draws_of(const Cell& cell);

}  // namespace postern::grid
