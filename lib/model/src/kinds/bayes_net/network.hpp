#pragma once

#include "postern/model/kinds/bayes_net.hpp"

namespace postern::model {

/// How many levels each node has, as its table tells. @pre no cycle, and tables of the right sizes
[[nodiscard]] std::vector<std::size_t> levels_by_tables(const BayesNet& net);

/// Cells of all tables together.
[[nodiscard]] std::size_t total_cells(const BayesNet& net);

}  // namespace postern::model
