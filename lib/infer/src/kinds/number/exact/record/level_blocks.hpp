#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "postern/model/encoded_number.hpp"

#include "record_law.hpp"

namespace postern::infer {

/// The law of a record on a column with many levels, without looking at every level: blocks of levels become
/// the two nodes that have the block's first four moments (mass to third). Within a block the distribution
/// function at the levels' edges is the quartic through five of them, so that rounding to the grid, half
/// cells and transforms are as they are; blocks are halved until the quartic holds and they are narrow.
///
/// A block of width h and mass m changes E e^{zk} by about m h^4 z^4 / 4320, so n records by
/// (h z)^4 n / 4320 with z up to a few 1 / (sd sqrt n): blocks of sd / 24 (n / 100)^(1/4) give about 1e-9.
class LevelBlocks {
 public:
  /// `place`: what each level adds, in steps of the lattice; outlives this.
  LevelBlocks(const model::NumberLaw& law, const model::EncodedNumber& number,
              const std::vector<double>& place, const SumLattice& lattice, double n);

  ~LevelBlocks();

  /// Nodes with the mass inside the column's range; returns that below and above it.
  model::Tails nodes(const model::Theta& theta, RecordNodes& out) const;

 private:
  static constexpr std::size_t kOrder = 4;
  /// sum over the levels of a block of (x_{l+1}^a - x_l^a) q_l^b, x in [0, 1] along the edges and q in [-1,
  /// 1] along the places: what turns a quartic into moments.
  using Sums = std::array<std::array<double, kOrder>, kOrder>;  ///< [a - 1][b]
  using Edges = std::array<model::Tails, kOrder + 1>;
  struct Pass;

  void add_block(Pass& pass, std::size_t first, std::size_t size, const Edges& edges) const;
  void add_levels(Pass& pass, std::size_t first, std::size_t count) const;
  [[nodiscard]] model::Tails tails(const Pass& pass, std::size_t edge) const;
  [[nodiscard]] const Sums& sums_of(std::size_t first, std::size_t size) const;

  const model::NumberLaw& law_;
  const model::EncodedNumber& number_;
  const std::vector<double>& place_;
  double fineness_;   ///< widths of blocks in deviations
  double scale_;      ///< steps of the lattice in a unit of t
  bool even_ = true;  ///< every level adds one step more than the last
  /// By size, made when first needed: one for all blocks of a size where levels are even.
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

}  // namespace postern::infer
