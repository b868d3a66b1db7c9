// Drawing consumes the source, and says so at the call.
#include <utility>

#include "postern/owner/noise_source.hpp"

using namespace postern;

auto draw(owner::NoiseSource source) {
#ifdef MUST_NOT_COMPILE
  return source.draw();
#else
  return std::move(source).draw();
#endif
}
