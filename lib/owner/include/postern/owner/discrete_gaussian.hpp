#pragma once

#include <memory>
#include <span>

#include "postern/core/int128.hpp"
#include "postern/core/rational.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// Exact sampler of P(k) ~ exp(-k^2 / (2 sigma2)) on the integers, any rational sigma2 > 0: discrete Laplace
/// proposals, an integer filter, certified digits where the filter cannot decide (discrete_gaussian.md, with
/// the filter's error bound).
class DiscreteGaussianSampler {
 public:
  explicit DiscreteGaussianSampler(const Rational& sigma2);
  DiscreteGaussianSampler(DiscreteGaussianSampler&&) noexcept;
  ~DiscreteGaussianSampler();
  void draw(std::span<Int128> out, Entropy& entropy) const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace postern::owner
