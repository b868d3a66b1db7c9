#pragma once

#include <span>
#include <vector>

#include "postern/infer/noise/noisy_value.hpp"
#include "postern/model/foreign.hpp"
#include "postern/release/release.hpp"

namespace postern::infer {

/// What a block of a release of ours says, coordinate by coordinate.
[[nodiscard]] std::vector<NoisyValue> noisy_values(const release::MeasuredBlock& measured);

/// A latent integer k stands for zero + unit k of the published number.
struct LatentUnit {
  double zero = 0;
  double unit = 1;
};
/// What a block of a release made elsewhere says of such integers: a value where nothing but noise was added,
/// else the band that rounding, clipping and a threshold leave. Throws engine_unsuitable for bands of
/// discrete noise in other units.
[[nodiscard]] std::vector<NoisyValue> noisy_values(const model::ForeignBlock& block,
                                                   const LatentUnit& latent = {});

/// Is one of them known by a band alone?
[[nodiscard]] bool any_band(std::span<const NoisyValue> values);

}  // namespace postern::infer
