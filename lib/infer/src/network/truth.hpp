#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "postern/model/study.hpp"

namespace postern::infer {

/// An assumed truth of a network in words: "P(cancer = yes | smoker = yes) 0.3, ..." by the labels or names
/// of its cells. What is left of a row goes to its other cells in proportion to their prior; a row that
/// nothing is said of is the prior's mean. Throws bad_option.
[[nodiscard]] std::vector<double> network_truth(const std::string& text, const model::Study& study);

/// The same of any model whose parameters are rows of probabilities, of so many cells each: `cells` are what
/// is taken where nothing is said.
[[nodiscard]] std::vector<double> rows_truth(const std::string& text, const model::Study& study,
                                             std::vector<double> cells, const std::vector<std::size_t>& rows);

}  // namespace postern::infer
