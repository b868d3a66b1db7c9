#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "postern/infer/chains/driver.hpp"
#include "postern/infer/moments/problem.hpp"

namespace postern::infer {

/// Columns that the engine takes, the target among them.
inline constexpr std::size_t kMostScatterColumns = 31;

/// What chains of a regression report, in this order: beta, the intercept's first; sigma; n if it is latent;
/// the share of records whose y would lie outside of -1..1 if it were normal; every feature's sd and the
/// target's, among the records; log p(draw) with the scales' prior about half, and about twice, what it is,
/// less log p(draw), up to a constant.
struct LearnedRegressionQuantities {
  explicit LearnedRegressionQuantities(const ScatterProblem& problem);
  std::size_t coefficients = 0;
  std::size_t sigma = 0;
  std::size_t total = 0;  ///< where n is, if it is latent
  std::size_t outside = 0;
  std::size_t deviations = 0;
  std::size_t half_scale = 0;
  std::size_t twice_scale = 0;
  std::size_t all = 0;
};

struct MomentRun {
  ChainRun chains;
  std::vector<std::size_t> hidden;  ///< columns whose variance does not stand out of its noise
};

/// Draws from p(beta, sigma, n | the noisy moments) under the prior whose scales are learned, by Hamiltonian
/// Monte Carlo on the latent moments. Chains are run again, four times as long, until every coefficient has
/// 400 effective draws, or a quarter of those that are kept if these are fewer, or they have become 4 times
/// as long. Fails: bad_value for a problem whose parts do not fit together, or without a target; interrupted.
[[nodiscard]] MomentRun draw_learned_regression(const ScatterProblem& problem, const DriverOptions& options,
                                                const Conversation& conversation);

/// What chains of a covariance report: Sigma, the upper triangle row by row; the means; n if it is latent.
struct LearnedCovarianceQuantities {
  explicit LearnedCovarianceQuantities(const ScatterProblem& problem);
  std::size_t covariance = 0;  ///< so many entries, from 0 on
  std::size_t means = 0;
  std::size_t total = 0;
  std::size_t all = 0;
};
/// Draws of the covariance and the means of columns that are jointly normal. Fails: as above, or with a
/// target.
[[nodiscard]] MomentRun draw_learned_covariance(const ScatterProblem& problem, const DriverOptions& options,
                                                const Conversation& conversation);

/// The density that the chains draw from, for tests and plots.
class ScatterDensity {
 public:
  explicit ScatterDensity(const ScatterProblem& problem);
  ~ScatterDensity();
  ScatterDensity(const ScatterDensity&) = delete;
  ScatterDensity& operator=(const ScatterDensity&) = delete;
  /// Unknowns near a mode given the scales. Log sds and other scales are among them.
  [[nodiscard]] const std::vector<double>& start() const;
  /// Up to a constant; minus infinity where there is none.
  [[nodiscard]] double log_density(const std::vector<double>& unknowns) const;
  [[nodiscard]] double gradient(const std::vector<double>& unknowns, std::vector<double>& slope) const;
  /// The log density after one of these was called, where no unknown has changed since but scales of slopes,
  /// one a feature from `first_slope_scale` on. @pre a regression
  [[nodiscard]] double log_density_again(const std::vector<double>& unknowns) const;
  [[nodiscard]] std::size_t first_slope_scale() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace postern::infer
