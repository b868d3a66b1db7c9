#pragma once

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

namespace postern::infer {

/// A number to the nearest whole one, for a sentence.
inline std::string whole_text(double value) {
  return std::to_string(std::llround(std::clamp(value, -9e18, 9e18)));
}

/// Three digits of it, or the whole part of a large one.
inline std::string short_text(double value) {
  if (value >= 1000) return whole_text(value);
  std::ostringstream text;
  text.precision(3);
  text << value;
  return text.str();
}

}  // namespace postern::infer
