#pragma once

#include "postern/infer/markov/posterior.hpp"
#include "postern/infer/markov/problem.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// What the releases of one record set say, as estimators and chains take it. Throws releases_conflict if
/// they disagree about n.
[[nodiscard]] MarkovProblem markov_problem(const model::MarkovNet& net, const release::RecordSet& releases);

/// The parameters of the network, as the kind names them: the tables of its Bayesian network.
[[nodiscard]] MarkovReport markov_report(const model::MarkovNet& net);

}  // namespace postern::infer
