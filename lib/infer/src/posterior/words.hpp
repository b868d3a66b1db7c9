#pragma once

#include <algorithm>
#include <cmath>
#include <string>

namespace postern::infer {

/// A number to the nearest whole one, for a sentence.
inline std::string whole_text(double value) {
  return std::to_string(std::llround(std::clamp(value, -9e18, 9e18)));
}

}  // namespace postern::infer
