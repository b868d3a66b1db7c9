#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/model/plan.hpp"

namespace postern::model {

/// Whether products of two features are worth their part of the budget: they are not where the deviation of
/// their noise is above 0.3 of what n records with the prior's spread would add up to.
[[nodiscard]] std::vector<std::string> advise_glm(const Study& study, const NoisePlan& plan,
                                                  std::optional<std::int64_t> n);

}  // namespace postern::model
