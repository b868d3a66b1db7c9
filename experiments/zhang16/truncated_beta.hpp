#pragma once

#include "postern/core/rng.hpp"

namespace postern::zhang16 {

/// Beta(a, b) on [lo, hi], also where the untruncated law has no mass to speak of. The logit has a
/// log-concave density: flat around its mode, tangents where it has fallen by e, rejection. Accepts about
/// nine in ten. Idealised: draws doubles, so no proof of privacy covers it.
class TruncatedBeta {
 public:
  /// @pre a, b > 0, 0 < lo < hi < 1
  TruncatedBeta(double a, double b, double lo, double hi);
  [[nodiscard]] double draw(Rng& rng) const;

 private:
  /// Of one side of the mode: the hat is 1 up to `flat` away from it, then falls with `rate`; it ends at
  /// `most`.
  struct Side {
    double most = 0;
    double flat = 0;
    double rate = 0;
    double tail = 0;  ///< area beyond `flat`
  };
  [[nodiscard]] double log_density(double y) const;  ///< of the logit, 0 at the mode
  [[nodiscard]] Side side(double most, double direction) const;

  double a_, b_, lo_, hi_;
  double mode_ = 0;
  double top_ = 0;
  Side up_, down_;
};

}  // namespace postern::zhang16
