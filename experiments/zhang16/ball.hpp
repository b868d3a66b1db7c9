#pragma once

#include <cstddef>
#include <vector>

#include "postern/core/rng.hpp"

namespace postern::zhang16 {

/// A normal law with precision P and P mean = h, cut to the ball of a radius, in coordinates in which P is
/// diagonal. Draws are exact in real numbers: a normal law of the precision raised by the least lambda that
/// brings its mean square inside is above the law wanted within the ball, up to e^{lambda (R^2 - |w|^2) / 2}.
/// Idealised: draws doubles, so no proof of privacy covers it.
class BallNormal {
 public:
  /// @pre precision > 0, one a coordinate; radius > 0
  BallNormal(std::vector<double> precision, std::vector<double> h, double radius);
  [[nodiscard]] std::vector<double> draw(Rng& rng);
  /// Of all proposals so far, those that were kept.
  [[nodiscard]] double acceptance() const { return static_cast<double>(kept_) / static_cast<double>(tried_); }
  [[nodiscard]] double lambda() const { return lambda_; }

 private:
  std::vector<double> precision_;
  std::vector<double> h_;
  double radius_;
  double lambda_ = 0;
  std::size_t tried_ = 0;
  std::size_t kept_ = 0;
};

/// What a draw from the posterior of a regression's coefficients in a ball costs, times the variance of the
/// residuals, for records with |x| <= 1 and |y| <= 1 of which one is replaced: 4 R up to R = 1, (1 + R)^2
/// from there on. Half of it where a record comes or goes.
[[nodiscard]] double ball_loss(double radius);

}  // namespace postern::zhang16
