#pragma once

#include <string>

#include "postern/model/model.hpp"

namespace postern::model {

/// The law of true values that `plan` and `calibrate` make up where the prior is learned, in words: "one
/// record a cell, spread evenly". Empty where the prior is stated by numbers: then they come from it.
[[nodiscard]] std::string planning_law(const Model& model);

/// "the prior", or "the planning law: ..".
[[nodiscard]] std::string truths_text(const Model& model);

}  // namespace postern::model
