#pragma once

#include <string>

namespace postern {

/// Something to know before a result is used: a stable kebab name for programs, and words for people that say
/// what is wrong and what to do. What goes without saying for a careful reader is a note, not a warning.
struct Warning {
  std::string name;  ///< "n-above-bound"
  std::string text;
};

}  // namespace postern
