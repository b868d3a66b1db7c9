#pragma once

#include <optional>

#include "postern/infer/infer.hpp"
#include "postern/infer/markov/posterior.hpp"
#include "postern/infer/markov/problem.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// What the releases of one record set say, as estimators and chains take it. Throws releases_conflict if
/// they disagree about n.
[[nodiscard]] MarkovProblem markov_problem(const model::MarkovNet& net, const release::RecordSet& releases);

/// Throws engine_limit for a cell that is a million deviations of its noise away from any count that n
/// records give: chains would look for it in vain.
void refuse_impossible(const MarkovProblem& problem);

/// Adds the options' public rows, counted in the tables of the cliques. Throws bad_option.
void add_public_rows(MarkovProblem& problem, const model::MarkovNet& net, const InferOptions& options);
/// Of the normal prior of potentials: as the options or the study have it; nothing where it is to be
/// estimated. Throws bad_option where the options' prior is another.
[[nodiscard]] std::optional<double> declared_variance(const model::MarkovNet& net,
                                                      const InferOptions& options);

/// The parameters of the network, as the kind names them: the tables of its Bayesian network.
[[nodiscard]] MarkovReport markov_report(const model::MarkovNet& net);

}  // namespace postern::infer
