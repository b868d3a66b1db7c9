#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "postern/graph/compiled_network.hpp"
#include "postern/graph/dag.hpp"
#include "postern/graph/network.hpp"
#include "postern/graph/variables.hpp"

namespace postern::graph {

// One question, one answer. What is asked often is compiled once: compiled_network.hpp.

struct NetworkAnswer {
  double log_evidence = 0;  ///< minus infinity: the evidence is impossible, and there are no tables
  std::vector<std::vector<double>> tables;  ///< one a target
};

/// The joint table of `target` given the evidence, by elimination of what is relevant to either.
[[nodiscard]] NetworkAnswer joint_table(const Dag& dag, const Sizes& sizes, Tables tables,
                                        const Variables& target, const Evidence& evidence);
/// The posterior of every variable given the evidence, by one pass through a junction tree.
[[nodiscard]] NetworkAnswer posteriors(const Dag& dag, const Sizes& sizes, Tables tables,
                                       const Evidence& evidence);

struct LikelyState {
  double log_probability = 0;  ///< of the state with the evidence; minus infinity: impossible, and no state
  std::vector<std::uint32_t> state;  ///< of every variable
};

/// The most probable state of all variables that agrees with the evidence.
[[nodiscard]] LikelyState most_probable(const Dag& dag, const Sizes& sizes, Tables tables,
                                        const Evidence& evidence);

}  // namespace postern::graph
