#pragma once

#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// Bounds on the likelihood that lie farther apart than this, in nats, are not used in its place.
inline constexpr double kMostGap = 0.2;

[[nodiscard]] Posterior infer_choice(const std::vector<release::RecordSet>& sets, const InferOptions& options,
                                     const Conversation& conversation);

/// May bounds on the likelihood stand for it: one parameter, n public?
[[nodiscard]] bool bounds_fit(const model::Study& study);

}  // namespace postern::infer
