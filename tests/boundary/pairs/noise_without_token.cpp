// Noise needs the proof that its plan was paid for; the plan alone is not enough.
#include <utility>

#include "postern/model/plan.hpp"
#include "postern/owner/noise_source.hpp"

using namespace postern;

owner::NoiseSource open_source(owner::ChargeToken token, model::NoisePlan plan, owner::Entropy& entropy) {
#ifdef MUST_NOT_COMPILE
  return owner::NoiseSource(std::move(plan), entropy);
#else
  static_cast<void>(plan);
  return owner::NoiseSource(std::move(token), entropy);
#endif
}
