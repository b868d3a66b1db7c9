#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "postern/infer/chains/driver.hpp"
#include "postern/infer/glm/problem.hpp"
#include "postern/infer/moments/chain.hpp"

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

/// What chains report under the prior whose scales are learned: as above; every feature's sd and the
/// target's, among the records; and log p(draw | scales about half, twice as large) - log p(draw), up to a
/// constant.
struct LearnedGlmQuantities {
  explicit LearnedGlmQuantities(const GlmProblem& problem);
  std::size_t coefficients = 0;
  std::size_t total = 0;
  std::size_t error = 0;
  std::size_t deviations = 0;
  std::size_t half_scale = 0;
  std::size_t twice_scale = 0;
  std::size_t all = 0;
};

/// The fewest records that the learned prior is made for.
[[nodiscard]] inline std::size_t least_records(const GlmProblem& problem) {
  return problem.sums.features + 2;
}

/// Draws from p(theta, n | the noisy sums) under the prior whose scales are learned: learned_glm.md, beside
/// the source. Chains run again, four times as long, as those of draw_learned_regression do. Fails: bad_value
/// for a problem whose parts do not fit together, or of fewer records than `least_records`; interrupted.
[[nodiscard]] MomentRun draw_learned_glm(const GlmProblem& problem, const DriverOptions& options,
                                         const Conversation& conversation);

/// The density that these chains draw from, for tests and plots.
class LearnedGlmDensity {
 public:
  explicit LearnedGlmDensity(const GlmProblem& problem);
  ~LearnedGlmDensity();
  LearnedGlmDensity(const LearnedGlmDensity&) = delete;
  LearnedGlmDensity& operator=(const LearnedGlmDensity&) = delete;
  /// Unknowns where chains begin.
  [[nodiscard]] const std::vector<double>& start() const;
  /// Up to a constant; minus infinity where there is none.
  [[nodiscard]] double log_density(const std::vector<double>& unknowns) const;
  [[nodiscard]] double gradient(const std::vector<double>& unknowns, std::vector<double>& slope) const;
  /// theta at these unknowns. @pre their density is not nothing
  [[nodiscard]] std::vector<double> coefficients(const std::vector<double>& unknowns) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace postern::infer
