#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// The posterior of a number's family given releases of one or more record sets.
[[nodiscard]] Posterior infer_number(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                     const Conversation& conversation);

}  // namespace postern::infer
