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
/// leave possible), tables-disagree (two tables that count the same records differently). Totals of n are
/// tested one by one and all together, so that many noisy releases contradict a bound that each of them alone
/// leaves open. Each of these names comes up by chance in at most `chance` of all record sets, however many
/// values there are. Neither model nor prior has a say: a generous bound never alarms.
[[nodiscard]] std::vector<Warning> contradictions(const release::RecordSet& releases,
                                                  double chance = kChance);

/// The number of records of a set, as far as it is known.
struct SeenN {
  SeenN() = default;
  /// A public one.
  explicit SeenN(double n) : about(n), likely_most(n) {}

  double about = 0;        ///< what all totals say together, within the declared bound
  double noise_sd = 0;     ///< of what they say; 0 where n is public
  double likely_most = 0;  ///< about, two deviations more, or the declared bound if that is less

  /// The noise is larger than what it is added to.
  [[nodiscard]] bool hardly_known() const { return noise_sd > about; }
};

[[nodiscard]] SeenN seen_n(const release::RecordSet& releases);

}  // namespace postern::infer
