#pragma once

#include "postern/model/number_law.hpp"

namespace postern::model {

/// t ~ Normal(mu, sigma2), both unknown: sigma2 ~ InverseGamma(shape, scale), mu | sigma2 ~ Normal(mean,
/// sigma2 / weight). theta = (mu, sigma2), prior (mean, weight, shape, scale).
class NormalLaw : public SquaresLaw {
 public:
  [[nodiscard]] ParameterSpace space(std::size_t parameter) const override {
    return parameter == 0 ? ParameterSpace::real : ParameterSpace::positive;
  }
  [[nodiscard]] Tails tails(const Theta& theta, double t) const override;
  [[nodiscard]] TwoMoments moments(const Theta& theta) const override { return {theta[0], theta[1]}; }
  [[nodiscard]] SegmentMoments segment(const Theta& theta, Segment t) const override;
  [[nodiscard]] NormalSegmentMoments square_segment(const Theta& theta, Segment t) const override;
  [[nodiscard]] double draw(const Theta& theta, Rng& rng) const override;
  /// n squares >= t^2, by Cauchy and Schwarz.
  [[nodiscard]] bool possible(const Sums& sums) const override;
  [[nodiscard]] Hyper update(const Hyper& prior, const Sums& sums) const override;
  [[nodiscard]] Theta draw_theta(const Hyper& prior, Rng& rng) const override;
  [[nodiscard]] double log_prior(const Hyper& prior, const Theta& theta) const override;
  [[nodiscard]] double log_evidence(const Hyper& prior, const Sums& sums) const override;
  [[nodiscard]] Hyper in_units(const Hyper& prior, double zero, double unit) const override;
};

}  // namespace postern::model
