#pragma once

#include "postern/model/kinds/markov_net.hpp"

namespace postern::model {

/// Discrete columns as the schema has them, each in a clique; cliques that differ; tables, and a junction
/// tree, that are not too large. A prior within range.
void check_markov_net(const MarkovNet& net, const Schema& schema);

}  // namespace postern::model
