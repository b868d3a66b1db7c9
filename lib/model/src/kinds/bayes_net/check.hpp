#pragma once

#include "postern/model/kinds/bayes_net.hpp"

namespace postern::model {

/// Nodes in the order of the schema, edges that make no cycle, discrete columns, tables that are not too
/// large.
void check_structure(const BayesNet& net, const Schema& schema);
/// One parameter a cell, within range.
void check_alpha(const BayesNet& net, const Schema& schema);

}  // namespace postern::model
