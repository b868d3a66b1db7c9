#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"

#include "contrast.hpp"
#include "network_target.hpp"

namespace postern::infer {

/// CPTs given the tables, in the order of network_quantities: Dirichlet draws; of leaves, the counts of each
/// row first.
class ParameterDraw {
 public:
  explicit ParameterDraw(const NetworkTarget& target);
  /// `cells`: for the counts of records in each cell, or empty.
  void draw(const TableState& state, std::span<double> out, Rng& rng, std::span<double> cells = {}) const;

 private:
  const NetworkTarget* target_;
  std::vector<std::size_t> first_;  ///< quantity, per variable of the problem
  std::size_t most_levels_ = 1;
};

}  // namespace postern::infer
