#pragma once

#include <optional>
#include <span>

#include "moments/covariance_term.hpp"
#include "moments/noise_term.hpp"
#include "moments/slopes_term.hpp"
#include "moments/stated_term.hpp"

namespace postern::infer {

struct ScatterWorkspace;

/// The posterior density of the latent moments and of their prior's scales: scatter_posterior.md. Unknowns
/// are those of UnknownPlaces.
class ScatterTarget {
 public:
  /// Throws bad_value.
  explicit ScatterTarget(const ScatterProblem& problem);

  [[nodiscard]] const ScatterProblem& problem() const { return *problem_; }
  [[nodiscard]] const ScatterMap& map() const { return map_; }
  [[nodiscard]] ScatterMap& map() { return map_; }
  [[nodiscard]] const UnknownPlaces& places() const { return map_.places(); }
  [[nodiscard]] const NoiseTerm& noise() const { return noise_; }
  /// Of the learned prior. @pre none is stated
  [[nodiscard]] const CovarianceTerm& covariance() const { return covariance_; }
  [[nodiscard]] const SlopesTerm& slopes() const { return slopes_; }
  [[nodiscard]] std::size_t unknowns() const { return static_cast<std::size_t>(places().all); }

  /// The law of Sigma given the moments that the workspace was filled with: inverse-Wishart with this scale;
  /// returns its degrees.
  [[nodiscard]] double fill_covariance_law(const ScatterWorkspace& work, DenseMatrix& scale) const;

  /// The log density of the unknowns, up to a constant; minus infinity where there is none.
  [[nodiscard]] double log_density(std::span<const double> q, ScatterWorkspace& work) const;
  /// The same where no unknown has changed but scales of slopes since log_density or gradient filled the
  /// workspace, or this did. @pre a regression, whose density was finite
  [[nodiscard]] double log_density_again(std::span<const double> q, ScatterWorkspace& work) const;
  /// The same, and its gradient.
  [[nodiscard]] double gradient(std::span<const double> q, ScatterWorkspace& work,
                                std::span<double> out) const;
  /// Fills state, pooled sums and, of a regression, its factor. False where these are no numbers.
  [[nodiscard]] bool fill(std::span<const double> q, ScatterWorkspace& work) const;

 private:
  [[nodiscard]] double with_target(std::span<const double> q, double noise, ScatterWorkspace& work) const;

  const ScatterProblem* problem_;
  ScatterMap map_;
  PooledMoments pooled_;
  NoiseTerm noise_;
  CovarianceTerm covariance_;
  std::optional<StatedTerm> stated_;  ///< in its place
  SlopesTerm slopes_;
};

/// What evaluations write to; one a chain.
struct ScatterWorkspace {
  explicit ScatterWorkspace(const ScatterTarget& target);
  ScatterState state;
  PooledMoments::Sums sums;
  NoiseTerm::Workspace noise;
  CovarianceTerm::Workspace covariance;
  SlopesTerm::Workspace slopes;
  ScatterSlope slope;
  double log_features = 0;  ///< what does not depend on the target's row or on its scales
  bool smooth = false;      ///< Laplace noise taken for Gaussian, to look for a mode
};

}  // namespace postern::infer
