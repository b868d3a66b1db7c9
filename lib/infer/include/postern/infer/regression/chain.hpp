#pragma once

#include <cstddef>
#include <vector>

#include "postern/infer/chains/driver.hpp"
#include "postern/infer/regression/problem.hpp"

namespace postern::infer {

/// Features that the engine takes.
inline constexpr std::size_t kMostFeatures = 30;

/// What chains report, in this order: beta, the intercept's first; sigma; n if it is latent; and the share of
/// records whose y would lie outside of -1..1 if it were normal.
struct RegressionQuantities {
  explicit RegressionQuantities(const RegressionProblem& problem);
  std::size_t coefficients = 0;
  std::size_t sigma = 0;
  std::size_t total = 0;  ///< where n is, if it is latent
  std::size_t outside = 0;
  std::size_t all = 0;
};

/// Draws from p(beta, sigma, n | the noisy moments) by Hamiltonian Monte Carlo on the latent moment matrix,
/// everything else integrated out (moment_posterior.md, beside the source, has the density). Chains are run
/// again, four times as long, until every coefficient has 400 effective draws, or half of those that are kept
/// if these are fewer, or they have become 4 times as long. Fails: bad_value for a problem whose parts do
/// not fit together; interrupted.
[[nodiscard]] ChainRun draw_regression(const RegressionProblem& problem, const DriverOptions& options,
                                       const Conversation& conversation);

/// The prior of a regression of the last column on the others that makes all of them jointly normal
/// with mean ~ Normal(0, Sigma / weight) and Sigma ~ inverse-Wishart(degrees, diag(scale)).
[[nodiscard]] RegressionPrior joint_normal_prior(double weight, double degrees,
                                                 const std::vector<double>& scale);

/// What draw_covariance reports: Sigma of the features and the target, the upper triangle row by row; then n
/// if it is latent. @pre the problem's prior is a joint_normal_prior
[[nodiscard]] ChainRun draw_covariance(const RegressionProblem& problem, const DriverOptions& options,
                                       const Conversation& conversation);
/// The same by someone who takes the noisy moments for the truth: independent, and too narrow.
[[nodiscard]] ChainRun draw_plug_in_covariance(const RegressionProblem& problem, const DriverOptions& options,
                                               const Conversation& conversation);

/// Draws from the posterior of someone who takes the noisy moments for the truth: independent, and too
/// narrow.
[[nodiscard]] ChainRun draw_plug_in_regression(const RegressionProblem& problem, const DriverOptions& options,
                                               const Conversation& conversation);

}  // namespace postern::infer
