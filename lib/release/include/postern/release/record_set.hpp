#pragma once

#include <span>
#include <vector>

#include "postern/release/release.hpp"

namespace postern::release {

/// Releases of one record set: they share one latent statistic.
using RecordSet = std::vector<const Release*>;

/// Must the studies' priors agree? They may differ when the analyst states the prior.
enum class Priors { must_agree, may_differ };

/// Groups releases by their records: same record_set, one group; same dataset but another record set,
/// refused; other datasets, separate, "assumed disjoint" (docs/decisions/record-sets.md). Also refused: a
/// release twice, and releases whose model, categories or adjacency differ; within a group also another n,
/// another encoding, and a person as unit, whose records each release chooses anew (unless the caller chose
/// them). Groups and their members keep the order given. Throws releases_conflict.
[[nodiscard]] std::vector<RecordSet> group_by_records(std::span<const Release> releases,
                                                      Priors priors = Priors::must_agree);

}  // namespace postern::release
