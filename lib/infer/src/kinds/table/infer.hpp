#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// The posterior of one table's cells given releases of one or more datasets.
[[nodiscard]] Posterior infer_table(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                    const Conversation& conversation);

}  // namespace postern::infer
