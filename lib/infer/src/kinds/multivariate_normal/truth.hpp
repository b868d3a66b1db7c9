#pragma once

#include <string>
#include <vector>

#include "postern/model/study.hpp"

namespace postern::infer {

/// An assumed truth of such a study in words, in the order of its parameters. Throws bad_option.
[[nodiscard]] std::vector<double> vector_truth(const std::string& text, const model::Study& study);

}  // namespace postern::infer
