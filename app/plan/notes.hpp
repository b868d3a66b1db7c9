#pragma once

#include <optional>
#include <string>
#include <vector>

#include "postern/assess/outlook.hpp"
#include "postern/model/plan.hpp"

#include "plan/options.hpp"

namespace postern::app {

/// What the owner should know of a plan beside its figures, a sentence each.
std::vector<std::string> notes_on(const PlanOptions& options, const model::Study& study,
                                  const model::NoisePlan& plan,
                                  const std::optional<assess::Outlook>& outlook);

}  // namespace postern::app
