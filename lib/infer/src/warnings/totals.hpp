#pragma once

#include <string>
#include <vector>

#include "postern/release/noise_sum.hpp"
#include "postern/release/record_set.hpp"

#include "kinds/range.hpp"

namespace postern::infer {

/// A number made of released ones and what n records make of it: y = (n times something in `record`) + noise.
struct Value {
  std::string what;
  double y = 0;
  release::NoiseSum noise;
  Range record;
  double share = 1;  ///< of the chance of a false alarm; those of values tested together sum to at most 1

  /// A bound on the log of the chance of noise so far on this side, whatever the records are.
  [[nodiscard]] double log_chance(const Range& n) const;
};

/// The number of records as declared: public, or 0 to the least bound.
[[nodiscard]] Range declared_n(const release::RecordSet& releases);

/// What the releases of one record set say about n itself: every total alone (half of the chance, in equal
/// shares) and, where there are several, their joint total (the other half), which sees what each of many
/// noisy ones leaves open.
[[nodiscard]] std::vector<Value> totals_of(const release::RecordSet& releases);

/// The mean of totals, weighted by precision: of all linear combinations that of the least variance. The
/// weights depend on the laws of the noise alone, so that its noise is a sum whose tail is bounded.
/// @pre not empty; the noises of the totals are independent
[[nodiscard]] Value joint_total(const std::vector<Value>& totals);

}  // namespace postern::infer
