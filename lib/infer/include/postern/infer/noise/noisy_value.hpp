#pragma once

#include "postern/release/noise_law.hpp"

namespace postern::infer {

/// A released value of a latent count or sum: the truth and noise of a known law.
struct NoisyValue {
  double y = 0;
  release::NoiseLaw law;
};

}  // namespace postern::infer
