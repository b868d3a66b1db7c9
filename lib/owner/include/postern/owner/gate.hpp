#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"
#include "postern/owner/entropy.hpp"
#include "postern/owner/ledger.hpp"
#include "postern/release/release.hpp"
#include "postern/release/rounds.hpp"

namespace postern::owner {

/// What the gate measures once the charge is committed: the number of records and each block's exact
/// integers. Implementations must be total: no record can make `open` fail.
struct Measured {
  std::int64_t n = 0;
  std::vector<std::vector<Int128>> blocks;
  /// Another measurement of the same records, as they were read, encoded and chosen: for later rounds. It
  /// keeps them, in memory that is wiped when it goes. Empty where there is none to be had.
  std::function<std::vector<std::vector<Int128>>(const model::Measurement&)> again = {};
};
using Measure = std::function<Measured(const model::Measurement&)>;

struct GateRequest {
  const model::Study& study;
  const model::NoisePlan& plan;
  bool counted_by_caller = false;
  /// Where the plan has rounds and their rule takes a table: what makes it from what was published.
  release::Fit fit = {};
};

/// The one way out: commits the charge, draws the noise, measures the records, adds; again for every further
/// round of the plan, of the same records and within the same charge. Nothing else calls a noise source.
/// Privacy: the plan's cost, by measurement.md and rounds.md. Fails: only for reasons that do not depend on a
/// record but through what was noised. If it fails, nothing of what was noised is kept, and the charge
/// stands.
[[nodiscard]] release::Release pass_gate(const GateRequest& request, Ledger& ledger, Entropy& entropy,
                                         const Measure& measure);

}  // namespace postern::owner
