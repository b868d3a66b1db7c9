#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/assess/audit_stat.hpp"
#include "postern/core/stop.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/plan.hpp"

namespace postern::app {

/// How often an audit may cry wolf, per pair of neighbours.
inline constexpr double kAuditAlpha = 1e-6;

/// What releases of one pair of neighbours showed.
struct AuditRow {
  std::string what;
  Currency currency = Currency::pure;  ///< what claim, limit and bound are counted in
  double claim = 0;
  double limit = 0;  ///< what the test may find of the claim: more than it for Gaussian noise on a lattice
  assess::AuditBound found;
  bool computed = false;  ///< the bound is what the stated laws show, computed: no run is a sample for it
  [[nodiscard]] bool passed() const { return found.lower <= limit; }
};

/// Passes every pair of neighbours that the schema gives through the whole gate, `runs` times a side, on a
/// rehearsal ledger, and bounds the privacy loss from below. No record of anyone is involved. Where releases
/// are made in rounds there are two rows more for every pair: what all rounds show by the laws that they
/// state, at most over the runs, and what that one shows which comes nearest to its own cost.
[[nodiscard]] std::vector<AuditRow> audit_runs(const model::Study& study, const model::NoisePlan& plan,
                                               std::size_t runs, const Conversation& conversation);

/// Runs a side where nobody asks for another number: as many as see halved noise, 100,000 at most; of
/// releases in rounds 1000, and 100 where they fit models in between. These see little, and the laws' rows
/// need no more.
[[nodiscard]] std::size_t usual_runs(const model::Study& study, const model::NoisePlan& plan);

}  // namespace postern::app
