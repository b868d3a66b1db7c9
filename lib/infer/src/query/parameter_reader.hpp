#pragma once

#include <string>

#include "postern/infer/query.hpp"

namespace postern::infer {

/// Reads a query about parameters: what + - * / and brackets make of them and of numbers, and the probability
/// that such a thing is above or below another.
[[nodiscard]] Query read_parameter_query(const std::string& text, const model::Study& study);

}  // namespace postern::infer
