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

namespace postern::owner {

/// What the gate measures once the charge is committed: the number of records and each block's exact
/// integers. Implementations must be total: no record can make `open` fail.
struct Measured {
  std::int64_t n = 0;
  std::vector<std::vector<Int128>> blocks;
};
using Measure = std::function<Measured(const model::Measurement&)>;

struct GateRequest {
  const model::Study& study;
  const model::NoisePlan& plan;
  bool counted_by_caller = false;
};

/// The one way out: commits the charge, draws the noise, measures the records, adds. Nothing else calls a
/// noise source. Privacy: the plan's cost, by measurement.md. Fails: only for reasons that do not depend on a
/// record.
[[nodiscard]] release::Release pass_gate(const GateRequest& request, Ledger& ledger, Entropy& entropy,
                                         const Measure& measure);

}  // namespace postern::owner
