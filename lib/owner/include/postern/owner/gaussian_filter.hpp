#pragma once

#include <cstdint>

#include "postern/core/int128.hpp"
#include "postern/core/rational.hpp"
#include "postern/owner/entropy.hpp"
#include "postern/owner/fixed_exp.hpp"

namespace postern::owner {

/// The acceptance step of the discrete Gaussian sampler (Canonne, Kamath, Steinke 2020, Algorithm 3;
/// discrete_gaussian.md). A proposal of magnitude y is kept with probability exactly e^-z(y), z = (y -
/// sigma2/t)^2 / (2 sigma2). An integer approximation decides wherever its error cannot matter; certified
/// digits decide the rest.
class GaussianFilter {
 public:
#ifdef POSTERN_SHORT_PREFIX
  static constexpr std::uint64_t kMargin = std::uint64_t{1}
                                           << 57;  // 2^-6: the exact branch runs in 3% of tries
#else
  static constexpr std::uint64_t kMargin = std::uint64_t{1}
                                           << 24;  // 2^-39; the approximation errs by less than 2^-54
#endif

  explicit GaussianFilter(const Rational& sigma2);
  /// t = floor(sigma) + 1, the scale of the proposals.
  [[nodiscard]] const Integer& proposal_scale() const { return t_; }
  /// Every y with z(y) < 64 fits 63 bits.
  [[nodiscard]] bool narrow() const { return shift_ == 0; }

  struct Decision {
    std::uint64_t accept;  ///< 1 or 0, meaningful unless undecided
    std::uint64_t undecided;
  };
  /// `u` is uniform on 63 bits. No branch depends on y or u. Needs narrow() and y < 2^63.
  [[nodiscard]] Decision decide(std::uint64_t y, std::uint64_t u) const {
    const std::uint64_t near = -static_cast<std::uint64_t>(y < static_cast<std::uint64_t>(far_));
    const std::uint64_t approximation = approximate(y & near) & near;
    return settle(approximation, u, static_cast<std::uint64_t>(y == static_cast<std::uint64_t>(certain_)));
  }
  /// The same for any y.
  [[nodiscard]] Decision decide_wide(Uint128 y, std::uint64_t u) const;
  /// Settles what `decide` left open: U < e^-z(y), where u is the first 63 bits of U.
  [[nodiscard]] bool decide_exactly(Uint128 y, std::uint64_t u, Entropy& entropy) const;

  /// z(y) and its limits, exact in integers: z(y) >= 64 iff y >= far(), z(y) = 0 iff y = certain().
  [[nodiscard]] Rational exponent(Uint128 y) const;
  [[nodiscard]] Uint128 far() const { return far_; }
  [[nodiscard]] Uint128 certain() const { return certain_; }
  /// 2^63 e^-z(y 2^shift), |error| < 2^-54; y 2^shift below far().
  [[nodiscard]] std::uint64_t approximate(std::uint64_t y) const {
    const auto scaled = static_cast<std::uint64_t>((static_cast<Uint128>(y) * slope_) >> slope_bits_);
    const std::uint64_t below = -static_cast<std::uint64_t>(scaled < offset_);
    const std::uint64_t q = ((scaled - offset_) ^ below) - below;  // |y - sigma2/t| / (sigma sqrt 2), Q4.60
    return exp_(high_product(q, q));
  }

 private:
  [[nodiscard]] static Decision settle(std::uint64_t approximation, std::uint64_t u, std::uint64_t certain) {
    const std::uint64_t distance =
        u - approximation + kMargin;  // in [0, 2 margin] iff the margin is not kept
    return {static_cast<std::uint64_t>(u < approximation) | certain,
            static_cast<std::uint64_t>(distance <= 2 * kMargin) & (certain ^ 1)};
  }

  FixedExp exp_;
  std::uint64_t slope_ = 0;  // 2^(60 + slope_bits) 2^shift / (sigma sqrt 2)
  unsigned slope_bits_ = 0;
  std::uint64_t offset_ = 0;  // 2^60 sigma / (t sqrt 2)
  unsigned shift_ = 0;        // low bits of y dropped before the approximation, for sigma above 2^55
  Uint128 far_ = 0;
  Uint128 certain_ = 0;
  Integer t_;
  Rational sigma2_;
};

}  // namespace postern::owner
