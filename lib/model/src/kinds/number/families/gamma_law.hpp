#pragma once

#include "kinds/number/families/gamma_prior.hpp"

namespace postern::model {

/// t - start ~ Gamma(shape, rate theta), shape known; theta ~ Gamma(a, b): theta | s ~ Gamma(a + n shape,
/// b + s - n start). The exponential law and, through a transform, Pareto, Weibull, Rayleigh, half-normal and
/// Maxwell are cases of it.
class GammaLaw final : public GammaPrior {
 public:
  explicit GammaLaw(double shape, double start = 0) : shape_(shape), start_(start) {}

  [[nodiscard]] Tails tails(const Theta& theta, double t) const override;
  [[nodiscard]] TwoMoments moments(const Theta& theta) const override {
    return {start_ + shape_ / theta[0], shape_ / (theta[0] * theta[0])};
  }
  [[nodiscard]] SegmentMoments segment(const Theta& theta, Segment t) const override;
  [[nodiscard]] double draw(const Theta& theta, Rng& rng) const override;
  [[nodiscard]] bool possible(const Sums& sums) const override { return sums.t >= sums.n * start_; }
  [[nodiscard]] Hyper update(const Hyper& prior, const Sums& sums) const override {
    return {prior[0] + sums.n * shape_, prior[1] + (sums.t - sums.n * start_)};
  }

 private:
  double shape_;
  double start_;
};

}  // namespace postern::model
