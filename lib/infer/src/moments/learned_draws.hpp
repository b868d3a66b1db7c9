#pragma once

#include <span>

#include "postern/core/rng.hpp"

#include "moments/scatter_target.hpp"

namespace postern::infer {

/// beta, the intercept's first, features in the study's order, and sigma, given the moments that the
/// workspace was filled with.
void draw_slopes(const ScatterTarget& target, const ScatterWorkspace& work, Rng& rng, std::span<double> beta,
                 double& sigma);

/// log p(draw | the scales' prior about `times` what it is) - log p(draw), up to a constant, of slopes and
/// sigma drawn so, and of the features' typical sds.
[[nodiscard]] double log_scale_ratio(const ScatterTarget& target, const ScatterWorkspace& work,
                                     std::span<const double> beta, double sigma, double times);

/// The features' covariance, upper triangle row by row, and means, in the study's order.
void draw_features_law(const ScatterTarget& target, const ScatterWorkspace& work, Rng& rng,
                       std::span<double> covariance, std::span<double> means);

}  // namespace postern::infer
