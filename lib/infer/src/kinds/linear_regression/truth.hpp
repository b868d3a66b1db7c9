#pragma once

#include <string>
#include <vector>

#include "postern/model/study.hpp"

namespace postern::infer {

/// Coefficients that are not given are 0; sigma must be.
[[nodiscard]] std::vector<double> regression_truth(const std::string& text, const model::Study& study);

}  // namespace postern::infer
