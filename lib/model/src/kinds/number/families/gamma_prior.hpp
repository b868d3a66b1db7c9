#pragma once

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/model/number_law.hpp"

namespace postern::model {

/// theta ~ Gamma(shape, rate): the prior of every rate.
class GammaPrior : public NumberLaw {
 public:
  [[nodiscard]] ParameterSpace space(std::size_t /*parameter*/) const final {
    return ParameterSpace::positive;
  }
  [[nodiscard]] Theta draw_theta(const Hyper& prior, Rng& rng) const final {
    // Through the logarithm: a small shape underflows on the way, not in the answer's floor.
    const double theta = std::exp(draw_log_gamma(prior[0], rng) - std::log(prior[1]));
    return {std::max(theta, 1e-300), 0};
  }
  [[nodiscard]] double log_prior(const Hyper& prior, const Theta& theta) const final {
    return prior[0] * std::log(prior[1]) - log_gamma(prior[0]) + (prior[0] - 1) * std::log(theta[0]) -
           prior[1] * theta[0];
  }
  [[nodiscard]] double log_prior_on_line(const Hyper& prior, double z) const final {
    return log_prior(prior, {std::clamp(std::exp(z), 1e-300, 1e300), 0}) + z;
  }
  [[nodiscard]] double log_evidence(const Hyper& prior, const Sums& sums) const final {
    const Hyper after = update(prior, sums);
    return prior[0] * std::log(prior[1]) - log_gamma(prior[0]) -
           (after[0] * std::log(after[1]) - log_gamma(after[0]));
  }
  [[nodiscard]] double least_shape(const Hyper& prior) const final { return prior[0]; }
};

}  // namespace postern::model
