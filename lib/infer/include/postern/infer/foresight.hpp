#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "postern/model/plan.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// What a Kind also is that knows better than by `Kind::bytes` which releases `auto` does not take.
class Foresees {
 public:
  Foresees() = default;
  Foresees(const Foresees&) = delete;
  Foresees& operator=(const Foresees&) = delete;
  virtual ~Foresees() = default;
  /// Throws engine_limit or engine_unsuitable where `auto` takes no release of such a plan, whatever its
  /// values. Where the release chooses the model, the largest that it may choose counts.
  virtual void check_plan(const model::Study& study, const model::NoisePlan& plan,
                          std::optional<std::int64_t> n) const = 0;
};

/// Why `infer` would refuse any release of this plan, as it runs unless told otherwise; nothing if it takes
/// them. Decided from the study, the request and the number of records, which is n where that is public and
/// known, else n.at_most, else left open; where the release chooses the model, for the largest that it may
/// choose. Nothing too for releases that have no posterior, such as quantiles.
[[nodiscard]] std::optional<std::string> foreseen_refusal(const model::Study& study,
                                                          const model::NoisePlan& plan,
                                                          std::optional<std::int64_t> n);

}  // namespace postern::infer
