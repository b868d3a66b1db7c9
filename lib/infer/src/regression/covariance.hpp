#pragma once

#include <span>

#include "postern/model/wishart.hpp"

#include "kernel.hpp"

namespace postern::infer {

/// The prior of the columns' joint law that a joint_normal_prior is. @pre it is one
[[nodiscard]] model::WishartPrior joint_prior(const RegressionProblem& problem);

/// Sigma given the moments of n records. @pre the prior's scale is known
[[nodiscard]] model::VectorTheta draw_sigma(const model::WishartPrior& prior, const Matrix& moments, double n,
                                            Rng& rng);
/// The upper triangle of Sigma row by row.
void pack(const model::VectorTheta& theta, std::span<double> out);

/// draw_covariance where the prior's scale is loose: every step also draws that given Sigma, and Sigma given
/// the moments.
[[nodiscard]] ChainRun draw_loose_covariance(const RegressionProblem& problem, const DriverOptions& options,
                                             const Conversation& conversation);

}  // namespace postern::infer
