#pragma once

#include <cstddef>
#include <vector>

#include "contrast.hpp"

namespace postern::infer {

/// All contrasts of up to three variables of each clique, and how often each is moved along: in proportion to
/// the independent lines it has, of three variables a fourth of that. Those of one variable alone reach every
/// state from every other: they can change one field of one record.
class ContrastMoves {
 public:
  static constexpr std::size_t kMostVariables = 3;

  /// `records`: about how many there are. Tables and sums must outlive this.
  ContrastMoves(const LatentTables& tables, const NetworkSums& sums, double records);
  ContrastMoves(const ContrastMoves&) = delete;
  ContrastMoves& operator=(const ContrastMoves&) = delete;
  ~ContrastMoves() = default;

  /// What moves, counts and potentials of one clique take, about.
  [[nodiscard]] static double bytes(const graph::Variables& clique, const graph::Sizes& sizes,
                                    std::size_t chains);

  /// Sizes the places of a state that moves write to; the widths begin at `width`.
  void prepare(TableState& state, double width) const;
  /// One sweep: as many moves as there are lines.
  void sweep(const CellPotentials& potentials, TableState& state, CountLine& line, Rng& rng) const;
  [[nodiscard]] std::size_t moves() const { return moves_; }      ///< of a sweep
  [[nodiscard]] std::size_t changes() const { return changes_; }  ///< most cells of one line

 private:
  void add_subsets(const LatentTables& tables, const NetworkSums& sums, std::size_t clique, double records);

  std::vector<LevelDraw> records_of_cliques_;
  std::vector<Contrast> contrasts_;
  std::vector<double> below_;  ///< frequencies summed up
  std::size_t widths_ = 0;
  std::size_t variables_ = 0;
  std::size_t most_levels_ = 1;
  std::size_t moves_ = 0;
  std::size_t changes_ = 1;
};

}  // namespace postern::infer
