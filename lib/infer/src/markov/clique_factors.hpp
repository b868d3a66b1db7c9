#pragma once

#include <optional>
#include <span>
#include <vector>

#include "postern/graph/junction_tree.hpp"
#include "postern/graph/variables.hpp"

namespace postern::infer::markov {

/// A law of discrete variables by its conditional tables.
struct ConditionalLaw {
  graph::JunctionTree tree;                ///< a clique of it holds each family
  std::vector<graph::Variables> families;  ///< of each variable: those that it depends on, then itself
  std::vector<double> tables;              ///< one a family, row-major, one behind the other; rows sum to 1
};

/// A law as tables over cliques whose product it is. No constant is left out.
struct CliqueFactors {
  std::vector<graph::Variables> cliques;
  std::vector<std::vector<double>> logs;           ///< row-major over each clique
  std::vector<std::vector<double>> probabilities;  ///< of each clique's cells
};

/// The law itself, each conditional table multiplied into the first clique that holds its family. Fails:
/// internal if none does.
[[nodiscard]] CliqueFactors conditional_factors(const ConditionalLaw& law,
                                                std::vector<graph::Variables> cliques);

/// The law that is a product over these cliques and gives their cells the probabilities that `law` does,
/// which it is itself if it is such a product. Nothing if Newton's method does not get there to 1e-10.
[[nodiscard]] std::optional<CliqueFactors> matching_factors(const ConditionalLaw& law,
                                                            std::vector<graph::Variables> cliques);

}  // namespace postern::infer::markov
