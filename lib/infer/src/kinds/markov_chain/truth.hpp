#pragma once

#include <string>
#include <vector>

#include "postern/model/study.hpp"

namespace postern::infer {

/// An assumed truth of a chain in words, as of a network: "P(next place = lab | place = hall) 0.3, ...".
[[nodiscard]] std::vector<double> chain_truth(const std::string& text, const model::Study& study);

}  // namespace postern::infer
