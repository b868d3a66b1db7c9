#pragma once

#include <vector>

#include "postern/core/int128.hpp"
#include "postern/core/stop.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

/// The pairs that an adaptive selection may measure next, with what the noise-aware mode of the network so
/// far expects in their tables: those that were not measured and keep the junction tree within its limit. A
/// pair is handicapped by what the noise of its table would add to its distance. Nothing where the next round
/// takes no candidates.
[[nodiscard]] std::vector<Int128> candidate_pairs(const release::Release& so_far,
                                                  const Conversation& conversation);

}  // namespace postern::infer
