#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "postern/graph/variables.hpp"
#include "postern/infer/kinds/total.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::infer {

/// A released table of counts over some variables. Of no variables: the number of records.
struct NoisyTable {
  graph::Variables variables;  ///< in any order, each once
  std::vector<double> values;  ///< row-major over `variables`: the counts with their noise, never repaired
  release::NoiseLaw law;       ///< of the noise of each cell
};

/// A table of public records, without noise.
struct PublicTable {
  graph::Variables variables;
  std::vector<double> counts;  ///< row-major over `variables`
};

/// Cells of a table that are known, without looking at data, to be empty.
struct ImpossibleCells {
  graph::Variables variables;
  std::vector<std::size_t> cells;  ///< row-major over `variables`
};

/// What the releases of one record set say about tables of a Markov network. All tables are margins of one
/// latent data set of n records. Tables may repeat (several releases), and hold one another.
struct MarkovProblem {
  graph::Sizes sizes;  ///< levels of each variable
  std::vector<NoisyTable> tables;
  std::variant<KnownTotal, LatentTotal> total;
  std::vector<ImpossibleCells> impossible;
  /// Records that anybody may see, of the same law: one table for each different set of variables among
  /// `tables`, or none. Chains take them; estimators do not look at them.
  std::vector<PublicTable> public_tables = {};
};

/// n if known, else the best linear estimate from what the tables add up to, within its bounds.
[[nodiscard]] double estimate_total(const MarkovProblem& problem);

}  // namespace postern::infer
