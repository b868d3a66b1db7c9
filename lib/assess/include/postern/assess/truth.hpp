#pragma once

#include <string>
#include <vector>

#include "postern/model/study.hpp"

namespace postern::assess {

/// An assumed truth in words, as the parameters that SimulatedStudy::theta holds: "mean 38, variance 180" for
/// a number, by the words of its posterior ("mean", "mean of age") or their names ("mu"); probabilities such
/// as "P(smoker = yes) 0.3, P(smoker = no, cancer = yes) 0.02" for a table, whose cells share what is left in
/// proportion to their prior. Every parameter of a number, mean and variance must be given; covariances that
/// are not are 0. Throws bad_option, and says what could be written.
[[nodiscard]] std::vector<double> parse_truth(const std::string& text, const model::Study& study);

}  // namespace postern::assess
