#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/core/rng.hpp"
#include "postern/graph/strided.hpp"

#include "network_target.hpp"

namespace postern::infer {

/// Where chains begin: tables of records drawn from the plug-in model.
class TablesStart {
 public:
  explicit TablesStart(const NetworkTarget& target);
  /// Fills the counts of all tables. @pre they are 0
  void draw(std::span<std::int64_t> counts, Rng& rng) const;
  /// CPTs of the plug-in model, laid out as the families' tables, summed up within each row.
  [[nodiscard]] const std::vector<std::vector<double>>& below() const { return below_; }

 private:
  /// A clique given its separator.
  struct Clique {
    std::vector<std::size_t> places;    ///< of its cells, those of one row of the separator together
    std::vector<double> probabilities;  ///< as places
    std::size_t rows = 1;
    std::size_t parent = 0;      ///< where the parent's cells begin
    graph::Strided from_parent;  ///< over them: the row of each
  };

  const NetworkTarget* target_;
  std::vector<Clique> cliques_;
  std::vector<std::vector<double>> below_;
  std::int64_t records_ = 0;
};

}  // namespace postern::infer
