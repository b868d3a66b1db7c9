#pragma once

#include <variant>

#include "postern/infer/exact/count_posterior.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// What the releases of one record set say about its number of records. Throws releases_conflict if they
/// disagree about a public n.
[[nodiscard]] std::variant<KnownTotal, LatentTotal> total_of(const release::RecordSet& releases);

}  // namespace postern::infer
