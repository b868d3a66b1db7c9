#pragma once

#include <algorithm>
#include <cmath>

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
  /// From the log odds themselves: past 37 theta is 1 as a double, and a small second shape has mass there.
  [[nodiscard]] double log_prior_on_line(const Hyper& prior, double z) const final {
    const double end = std::log1p(std::exp(-std::abs(z)));
    return -prior[0] * (std::max(-z, 0.0) + end) - prior[1] * (std::max(z, 0.0) + end) -
           log_beta(prior[0], prior[1]);
  }
  [[nodiscard]] double log_evidence(const Hyper& prior, const Sums& sums) const final {
    const Hyper after = update(prior, sums);
    return log_beta(after[0], after[1]) - log_beta(prior[0], prior[1]);
  }
  [[nodiscard]] double least_shape(const Hyper& prior) const final { return std::min(prior[0], prior[1]); }
};

}  // namespace postern::model
