#pragma once

#include "postern/model/kinds/markov_net.hpp"

namespace postern::model {

/// From a study or a document.
[[nodiscard]] MarkovNet read_markov_net(Node& node, const Schema& schema);
[[nodiscard]] JsonValue write_markov_net(const MarkovNet& net);

}  // namespace postern::model
