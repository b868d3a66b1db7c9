#pragma once

#include <cstddef>

#include "postern/infer/chains/driver.hpp"
#include "postern/infer/glm/problem.hpp"

namespace postern::infer {

/// What chains report, in this order: theta, the intercept's first; n if it is latent; mean and deviation of
/// the predictor over the records.
struct GlmQuantities {
  explicit GlmQuantities(const GlmProblem& problem);
  std::size_t coefficients = 0;
  std::size_t total = 0;  ///< where n is, if it is latent
  std::size_t centre = 0;
  std::size_t spread = 0;
  std::size_t all = 0;
};

/// Draws from p(theta, n | the noisy sums) by Hamiltonian Monte Carlo on theta and the latent sums, the law
/// of the features integrated out: glm_posterior.md, beside the source, has the density and what is
/// approximate in it. From the prior where fewer records than unknowns of a record are known to exist. Fails:
/// bad_value for a problem whose parts do not fit together; interrupted.
[[nodiscard]] ChainRun draw_glm(const GlmProblem& problem, const DriverOptions& options,
                                const Conversation& conversation);

/// By how much a slope would be off, as a share of it, if the predictor had this mean and deviation over the
/// records but were not normal: the largest over a uniform one, a coin and a coin of 1 in 10.
[[nodiscard]] double slope_error(const GlmLaw& law, double centre, double spread);

}  // namespace postern::infer
