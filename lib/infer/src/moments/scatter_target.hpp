#pragma once

#include <optional>
#include <span>

#include "moments/covariance_term.hpp"
#include "moments/noise_term.hpp"
#include "moments/slopes_term.hpp"
#include "moments/stated_term.hpp"

namespace postern::infer {

/// What evaluations write to; one a chain.
struct ScatterWorkspace {
  ScatterWorkspace(const UnknownPlaces& places, const NoiseTerm& noise);
  ScatterState state;
  PooledMoments::Sums sums;
  NoiseTerm::Workspace noise;
  CovarianceTerm::Workspace covariance;
  SlopesTerm::Workspace slopes;
  ScatterSlope slope;
  double log_features = 0;   ///< what does not depend on the target's row or on its scales
  DenseVector predictor;     ///< of a generalised model: its mean over the records, then C^T beta / sqrt n
  DenseVector coefficients;  ///< of a generalised model, in the factor's order
  double target_sd = 0;      ///< of a generalised model
  double slope_square = 0;   ///< of a generalised model, as SlopeScales::log_ratio takes it
  bool smooth = false;       ///< Laplace noise taken for Gaussian, to look for a mode
};

/// What chains on latent moments need to know of a posterior. One a problem, shared by chains.
class MomentDensity {
 public:
  MomentDensity() = default;
  MomentDensity(const MomentDensity&) = delete;
  MomentDensity& operator=(const MomentDensity&) = delete;
  virtual ~MomentDensity() = default;

  [[nodiscard]] virtual const ScatterProblem& problem() const = 0;
  [[nodiscard]] virtual const ScatterOrder& order() const = 0;
  [[nodiscard]] virtual ScatterWorkspace workspace() const = 0;
  /// The log density of the unknowns, up to a constant; minus infinity where there is none.
  [[nodiscard]] virtual double log_density(std::span<const double> q, ScatterWorkspace& work) const = 0;
  /// The same where no unknown has changed but scales that jump since log_density or gradient filled the
  /// workspace, or this did. @pre the density was finite
  [[nodiscard]] virtual double log_density_again(std::span<const double> q, ScatterWorkspace& work) const = 0;
  /// The same, and its gradient.
  [[nodiscard]] virtual double gradient(std::span<const double> q, ScatterWorkspace& work,
                                        std::span<double> out) const = 0;
  /// Fills the workspace with all that is reported of the unknowns. False where these are no numbers.
  [[nodiscard]] virtual bool fill(std::span<const double> q, ScatterWorkspace& work) const = 0;
  /// The unknowns, from first to before last, that also jump one at a time: scales of slopes.
  struct Jumping {
    int first = 0;
    int last = 0;
  };
  [[nodiscard]] virtual Jumping jumping() const = 0;
  /// The share of trajectories that steps are tuned to have accepted.
  [[nodiscard]] virtual double accepted() const { return 0.85; }
};

/// The posterior density of the latent moments and of their prior's scales: scatter_posterior.md. Unknowns
/// are those of UnknownPlaces.
class ScatterTarget : public MomentDensity {
 public:
  /// Throws bad_value.
  explicit ScatterTarget(const ScatterProblem& problem);

  [[nodiscard]] const ScatterProblem& problem() const override { return *problem_; }
  [[nodiscard]] const ScatterOrder& order() const override { return map_.order(); }
  [[nodiscard]] ScatterWorkspace workspace() const override { return {places(), noise_}; }
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

  [[nodiscard]] double log_density(std::span<const double> q, ScatterWorkspace& work) const override;
  [[nodiscard]] double log_density_again(std::span<const double> q, ScatterWorkspace& work) const override;
  [[nodiscard]] double gradient(std::span<const double> q, ScatterWorkspace& work,
                                std::span<double> out) const override;
  /// State, pooled sums and, of a regression, its factor.
  [[nodiscard]] bool fill(std::span<const double> q, ScatterWorkspace& work) const override;
  [[nodiscard]] Jumping jumping() const override {
    return map_.regression() ? Jumping{places().log_lambda, places().log_rate} : Jumping{};
  }

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

}  // namespace postern::infer
