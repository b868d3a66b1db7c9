#pragma once

#include <memory>

#include "postern/model/kinds/generalised_linear.hpp"

namespace postern::model {

/// Features as of a made-up linear regression, coefficients from the prior unless assumed, the target by its
/// law; counts past the last level are clamped.
[[nodiscard]] std::unique_ptr<const SimulatedRecords> simulate_glm(const GeneralisedLinear& model,
                                                                   const Schema& schema, std::int64_t n,
                                                                   const Assumed& assumed, Rng& rng);

}  // namespace postern::model
