#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// Throws unsupported.
void refuse_several_datasets(const std::vector<release::RecordSet>& sets);

/// Throws engine_limit, with the largest cliques of the junction tree, where the mode of a network takes
/// more.
void check_mode_memory(const model::MarkovNet& net, double most_bytes);

/// The noise-aware mode of a Markov network, any of them, as the tables of its Bayesian network: one point
/// without an interval. Potentials have a normal prior whose variance is estimated (empirical Bayes).
/// Throws bad_option where the prior is replaced by one of another form or public rows are to be added,
/// engine_limit.
[[nodiscard]] Posterior infer_mode(const std::vector<release::RecordSet>& sets, const std::string& why,
                                   const InferOptions& options, const Conversation& conversation);

}  // namespace postern::infer
