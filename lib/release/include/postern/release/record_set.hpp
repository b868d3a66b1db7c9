#pragma once

#include <span>
#include <vector>

#include "postern/release/release.hpp"

namespace postern::release {

/// Releases of one record set: they share one latent statistic.
using RecordSet = std::vector<const Release*>;

/// Groups releases by what their records are (DESIGN 7.11): same record_set, one group; same dataset but another
/// record set, refused; other datasets, separate groups ("assumed disjoint"). Also refused: the same release twice,
/// and releases whose model, categories or adjacency differ.
[[nodiscard]] std::vector<RecordSet> group_by_records(std::span<const Release> releases);

}  // namespace postern::release
