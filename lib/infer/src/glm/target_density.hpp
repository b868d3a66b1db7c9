#pragma once

#include <span>

#include "predictor_law.hpp"

namespace postern::infer {

/// The log density, up to a constant, of r / sqrt n given t (GlmTarget) and n records: normal, with the
/// moments that y has with features that are normal together (glm_posterior.md), and `extra` variances.
/// With room for them, the slopes by r / sqrt n and then by t are written too, and those by the extra ones.
struct ExtraSlope {
  double third = 0;
  double fourth = 0;
  double floor = 0;
  double records = 0;  ///< by n, the extra variances held
};
[[nodiscard]] double target_density(const MeanFunction& function, const Extra& extra, double n,
                                    std::span<const double> r, std::span<const double> t,
                                    std::span<double> slopes, ExtraSlope* by_extra = nullptr);
/// The same, with the moments of y at t_0 and the predictor's deviation.
[[nodiscard]] double target_density(const TargetMoments& moments, const Extra& extra, double n,
                                    std::span<const double> r, std::span<const double> t,
                                    std::span<double> slopes, ExtraSlope* by_extra = nullptr);
/// The predictor's deviation over the records: the norm of t but for its first entry.
[[nodiscard]] double predictor_spread(std::span<const double> t);

}  // namespace postern::infer
