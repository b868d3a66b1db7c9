#pragma once

#include <string>

#include "postern/assess/mechanisms.hpp"

#include "json_out.hpp"

namespace postern::app {

/// The ways to release a network at one budget, side by side, and which to take; `setting` is what they were
/// compared for: "n = 5,000".
[[nodiscard]] std::string comparison_text(const assess::MechanismComparison& comparison,
                                          const std::string& setting);
[[nodiscard]] Json comparison_json(const assess::MechanismComparison& comparison);

}  // namespace postern::app
