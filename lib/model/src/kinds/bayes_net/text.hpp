#pragma once

#include "postern/model/kinds/bayes_net.hpp"

namespace postern::model {

/// From a study or a document.
[[nodiscard]] BayesNet read_bayes_net(Node& node, const Schema& schema);
[[nodiscard]] BayesNet read_naive_bayes(Node& node, const Schema& schema);
[[nodiscard]] JsonValue write_network(const BayesNet& net);

/// "dirichlet(0.5)", "bdeu(10)" or "dirichlet, as declared".
[[nodiscard]] std::string prior_text(const BayesNet& net);

}  // namespace postern::model
