#pragma once

#include <string>
#include <vector>

#include "postern/model/study.hpp"

namespace postern::infer {

/// An assumed truth of a network in words: "P(cancer = yes | smoker = yes) 0.3, ..." by the labels or names
/// of its cells. What is left of a row goes to its other cells in proportion to their prior; a row that
/// nothing is said of is the prior's mean. Throws bad_option.
[[nodiscard]] std::vector<double> network_truth(const std::string& text, const model::Study& study);

}  // namespace postern::infer
