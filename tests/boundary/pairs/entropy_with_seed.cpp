// Noise cannot be seeded.
#include <cstdint>

#include "postern/owner/entropy.hpp"

using namespace postern;

void use(std::uint64_t seed) {
#ifdef MUST_NOT_COMPILE
  const owner::Entropy entropy(seed);
#else
  static_cast<void>(seed);
  const owner::Entropy entropy;
#endif
}
