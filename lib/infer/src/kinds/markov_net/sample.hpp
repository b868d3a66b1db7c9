#pragma once

#include <string>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/infer/markov/posterior.hpp"
#include "postern/model/kinds/markov_net.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// Whether the draws of so many parameters are within the memory limit: each cell of the junction tree is
/// one, at least.
[[nodiscard]] bool draws_fit(const model::MarkovNet& net, const InferOptions& options);

/// Chains on the potentials of a Markov network, any of them, that report the tables of its Bayesian network.
/// Throws bad_option where the prior is replaced by one of another form, engine_limit.
[[nodiscard]] Posterior infer_potentials(const std::vector<release::RecordSet>& sets, MarkovSampler sampler,
                                         const std::string& why, const InferOptions& options,
                                         const Conversation& conversation);
/// By how large the noise is; the mode where there are too many potentials for chains.
[[nodiscard]] Posterior infer_markov_automatically(const std::vector<release::RecordSet>& sets,
                                                   const InferOptions& options,
                                                   const Conversation& conversation);

}  // namespace postern::infer
