// A noise source consumes its token: one charge, one set of noise.
#include <utility>

#include "postern/owner/noise_source.hpp"

using namespace postern;

owner::NoiseSource open_source(owner::ChargeToken& token, owner::Entropy& entropy) {
#ifdef MUST_NOT_COMPILE
  return owner::NoiseSource(token, entropy);
#else
  return owner::NoiseSource(std::move(token), entropy);
#endif
}
