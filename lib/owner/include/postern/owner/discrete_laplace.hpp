#pragma once

#include <memory>
#include <span>

#include "postern/core/int128.hpp"
#include "postern/core/rational.hpp"
#include "postern/owner/entropy.hpp"

namespace postern::owner {

/// Exact sampler of P(k) = tanh(lambda/2) exp(-lambda |k|), any rational lambda > 0, by independent binary
/// digits (discrete_laplace.md). No floating point; running time does not depend on the values drawn.
class DiscreteLaplaceSampler {
 public:
  explicit DiscreteLaplaceSampler(const Rational& lambda);
  DiscreteLaplaceSampler(DiscreteLaplaceSampler&&) noexcept;
  ~DiscreteLaplaceSampler();
  void draw(std::span<Int128> out, Entropy& entropy) const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace postern::owner
