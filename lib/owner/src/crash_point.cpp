#include "postern/owner/crash_point.hpp"

#ifdef POSTERN_MUTANTS
#include <csignal>
#include <cstdlib>

namespace postern::owner {

void crash_point(CrashPoint point) {
  static const int chosen = [] {
    const char* text = std::getenv("POSTERN_CRASH_AT");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  if (chosen == static_cast<int>(point)) std::raise(SIGKILL);
}

}  // namespace postern::owner
#endif
