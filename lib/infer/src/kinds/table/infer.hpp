#pragma once

#include <string>
#include <vector>

#include "posterior/start.hpp"

namespace postern::infer {

/// The posterior of a model of counts given releases of one or more datasets, by Markov chains on counts.
/// `why` begins the reason.
[[nodiscard]] Posterior infer_gibbs(const CountModel& model, std::vector<NamedProblem> groups,
                                    const std::string& why, const InferOptions& options,
                                    const Conversation& conversation);
/// By Markov chains on latent records.
[[nodiscard]] Posterior infer_table_records(const CountModel& model, std::vector<NamedProblem> groups,
                                            const std::string& why, const InferOptions& options,
                                            const Conversation& conversation);

}  // namespace postern::infer
