#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// The posterior given releases of which some hold choices (posterior-draw, map). Where the network is small
/// enough they are weighed by how likely counts make them. Else a draw or a mode is shown as it is, which is
/// also what `naive` does; beside other releases its choices are left out, and the posterior says so.
[[nodiscard]] Posterior infer_choices(const std::vector<release::RecordSet>& sets,
                                      const InferOptions& options, const Conversation& conversation);

}  // namespace postern::infer
