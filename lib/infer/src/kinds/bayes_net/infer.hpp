#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// The posterior of all tables of a Bayesian network given releases of one dataset.
[[nodiscard]] Posterior infer_network(const std::vector<release::RecordSet>& sets,
                                      const InferOptions& options, const Conversation& conversation);

}  // namespace postern::infer
