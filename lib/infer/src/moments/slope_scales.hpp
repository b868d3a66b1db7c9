#pragma once

#include <span>

namespace postern::infer {

inline constexpr double kUsualSlopes = 0.8;  ///< tau is about 0.8 / sqrt(d)
inline constexpr double kHalfTau = 1.5;      ///< half the degrees of freedom of tau^2's prior
inline constexpr double kHalfLocal = 1.5;    ///< half the degrees of freedom of each lambda^2's

/// The prior of the scales of d slopes: tau^2 ~ inverse-gamma(3/2, (3/2) c^2 / d), lambda_j^2 ~
/// inverse-gamma(3/2, 3/2), in log(d tau^2) and log lambda_j^2. SlopesTerm has the same, integrated with
/// more.
class SlopeScales {
 public:
  explicit SlopeScales(double prior_scale)
      : square_(kUsualSlopes * kUsualSlopes * prior_scale * prior_scale) {}

  [[nodiscard]] double value(double log_tau, std::span<const double> log_lambda) const;
  /// Adds the slope by each.
  void slope(double log_tau, std::span<const double> log_lambda, double& by_tau,
             std::span<double> by_lambda) const;
  [[nodiscard]] double square() const { return square_; }  ///< c^2
  /// The centre of log(d tau^2), where chains begin.
  [[nodiscard]] double usual_log_tau() const;
  /// log p(slopes | c about `times` what it is) - log p(slopes), tau integrated out, the lambda_j given.
  /// `square` is the sum of (beta_j / (sd of beta_j))^2 tau^2, which depends on no scale but the lambda_j.
  [[nodiscard]] double log_ratio(double square, int slopes, double times) const;

 private:
  double square_;
};

}  // namespace postern::infer
