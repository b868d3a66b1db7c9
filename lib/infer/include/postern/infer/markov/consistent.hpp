#pragma once

#include <vector>

#include "postern/graph/variables.hpp"
#include "postern/infer/markov/problem.hpp"

namespace postern::infer {

/// Tables that agree on what they share, negative cells and all.
struct ConsistentTables {
  double total = 0;
  std::vector<graph::Variables> cliques;    ///< one for each different set of variables, as first given
  std::vector<std::vector<double>> tables;  ///< row-major over the clique
};

/// The nearest tables to the noisy ones, each cell weighed by its precision, that agree with one another and
/// add up to n: in closed form, effect by effect (analysis of variance). Removes the part of the noise that
/// shows as disagreement, and nothing else. Fails: bad_value, engine_limit as estimate_markov.
[[nodiscard]] ConsistentTables consistent_tables(const MarkovProblem& problem);

}  // namespace postern::infer
