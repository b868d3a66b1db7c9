#include "postern/core/mutant.hpp"

#ifdef POSTERN_MUTANTS
#include <cstdlib>

namespace postern {

bool mutant(int number) {
  static const int chosen = [] {
    const char* text = std::getenv("POSTERN_MUTANT");
    return text == nullptr ? 0 : static_cast<int>(std::strtol(text, nullptr, 10));
  }();
  return chosen == number;
}

}  // namespace postern
#endif
