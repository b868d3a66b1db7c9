#pragma once

#include <algorithm>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/model/number_law.hpp"

namespace postern::model {

/// theta ~ Beta(a, b): the prior of every probability.
class BetaPrior : public NumberLaw {
 public:
  [[nodiscard]] ParameterSpace space(std::size_t /*parameter*/) const final { return ParameterSpace::unit; }
  [[nodiscard]] Theta draw_theta(const Hyper& prior, Rng& rng) const final {
    return {std::clamp(draw_beta(prior[0], prior[1], rng), 1e-300, 1 - 0x1p-53), 0};
  }
  [[nodiscard]] double log_prior(const Hyper& prior, const Theta& theta) const final {
    return beta_log_density(prior[0], prior[1], theta[0]);
  }
};

}  // namespace postern::model
