#pragma once

#include "postern/core/json_value.hpp"
#include "postern/model/kinds/markov_chain.hpp"

namespace postern::model {

/// state = "place", time = "slot", and what has defaults: idle, parts, prior = { dirichlet = "0.5" }.
[[nodiscard]] MarkovChain read_markov_chain(Node& node, const Schema& schema);
[[nodiscard]] JsonValue write_markov_chain(const MarkovChain& chain);

}  // namespace postern::model
