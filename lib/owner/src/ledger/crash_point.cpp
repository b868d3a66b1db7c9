#include "postern/owner/crash_point.hpp"

#ifdef POSTERN_MUTANTS
#include <csignal>
#include <cstdlib>

namespace postern::owner {

void crash_point(CrashPoint point) {
  static const long chosen = [] {
    const char* text = std::getenv("POSTERN_CRASH_AT");
    return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  }();
  if (chosen == static_cast<long>(point)) static_cast<void>(std::raise(SIGKILL));
}

}  // namespace postern::owner
#endif
