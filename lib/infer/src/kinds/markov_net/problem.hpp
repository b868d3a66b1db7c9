#pragma once

#include "postern/infer/markov/problem.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// What the tables of some releases say about a network of these columns. Choices among tables are left out:
/// what was chosen is measured.
[[nodiscard]] MarkovProblem markov_problem(const model::MarkovNet& net, const release::RecordSet& releases);

}  // namespace postern::infer
