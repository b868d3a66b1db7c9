#pragma once

#include <vector>

#include "postern/core/warning.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// How often a warning of `contradictions` may come up by chance, in releases that hold what they declare.
inline constexpr double kChance = 1e-4;

/// Where the released values of one record set are beyond what the study declares by more than noise
/// explains: n-above-bound and n-below-zero (a private n), total-not-n (a public one), value-out-of-reach (a
/// cell, a sum or a product that no n records in their declared ranges give, for any n that the releases
/// leave possible). Each of them comes up by chance in at most `chance` of all record sets, however many
/// values there are. Neither model nor prior has a say: a generous bound never alarms.
[[nodiscard]] std::vector<Warning> contradictions(const release::RecordSet& releases,
                                                  double chance = kChance);

/// The number of records: the public one, or what the releases say it is about, within the declared bound.
[[nodiscard]] double about_n(const release::RecordSet& releases);

}  // namespace postern::infer
