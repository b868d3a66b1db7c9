#pragma once

#include <optional>

#include "postern/release/noise_law.hpp"

namespace postern::infer {

/// low <= truth + noise <= high; an end may be infinite. Whole numbers where the noise is discrete.
struct Band {
  double low = 0;
  double high = 0;
};

/// A released value of a latent count or sum: the truth and noise of a known law. Where it was rounded,
/// clipped or held back after noise was added, all that is known of truth and noise is the band they lie in,
/// and `y` is a place in it, for first guesses alone.
struct NoisyValue {
  double y = 0;
  release::NoiseLaw law;
  std::optional<Band> band = std::nullopt;
};

}  // namespace postern::infer
