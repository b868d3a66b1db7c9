#pragma once

#include <algorithm>

namespace postern::infer {

/// What is known of a log density's top says how well it must be known elsewhere.
struct AccuracyGoal {
  static constexpr double kNats = 60;  ///< below the top: anything from there to the log density will do
  static constexpr double kBest = 18;  ///< errors of 1e-8 do anywhere

  double top = -__builtin_huge_val();
  double best = kBest;  ///< errors of e^-best do at the top
  /// Errors of e^-nats do where the log density is this high.
  [[nodiscard]] double nats(double log_density) const {
    return std::clamp(best - 0.5 * (top - log_density), 5.0, best);
  }
  [[nodiscard]] bool negligible(double log_density) const { return log_density < top - kNats; }
  [[nodiscard]] AccuracyGoal less(double log_factor) const { return {top - log_factor, best}; }
};

/// Where a rough value of a sum will do (SumLikelihood::roughly_log_at).
inline constexpr double kRoughNats = 9;

}  // namespace postern::infer
