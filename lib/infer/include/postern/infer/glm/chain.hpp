#pragma once

#include <cstddef>

#include "postern/infer/chains/driver.hpp"
#include "postern/infer/glm/problem.hpp"

namespace postern::infer {

/// What chains report, in this order: theta, the intercept's first; n if it is latent; and by how much slopes
/// would be off, as a share of themselves, with features that are not normal (SlopeError).
struct GlmQuantities {
  explicit GlmQuantities(const GlmProblem& problem);
  std::size_t coefficients = 0;
  std::size_t total = 0;  ///< where n is, if it is latent
  std::size_t error = 0;
  std::size_t all = 0;
};

/// Draws from p(theta, n | the noisy sums) by Hamiltonian Monte Carlo on theta and the latent sums, the law
/// of the features integrated out: glm_posterior.md, beside the source, has the density and what is
/// approximate in it. From the prior where fewer records than unknowns of a record are known to exist. Fails:
/// bad_value for a problem whose parts do not fit together; interrupted.
[[nodiscard]] ChainRun draw_glm(const GlmProblem& problem, const DriverOptions& options,
                                const Conversation& conversation);

}  // namespace postern::infer
