#pragma once

#include <span>
#include <utility>

#include "postern/infer/glm/problem.hpp"

#include "learned_unknowns.hpp"
#include "moments/scatter_target.hpp"
#include "moments/slope_scales.hpp"
#include "regression/matrix.hpp"
#include "target_density.hpp"

namespace postern::infer {

/// The columns of a generalised regression as a problem of moments: features, and the target last.
[[nodiscard]] ScatterProblem scatter_problem(const GlmProblem& problem);
/// The same without the target.
[[nodiscard]] ScatterProblem features_problem(const ScatterProblem& problem);

/// The posterior density of a generalised regression under the prior whose scales are learned:
/// learned_glm.md. Unknowns are those of GlmPlaces.
class LearnedGlmTarget : public MomentDensity {
 public:
  /// Throws bad_value.
  explicit LearnedGlmTarget(const GlmProblem& problem);

  [[nodiscard]] const ScatterProblem& problem() const override { return problem_; }
  [[nodiscard]] const ScatterOrder& order() const override { return order_; }
  [[nodiscard]] ScatterWorkspace workspace() const override;
  [[nodiscard]] double log_density(std::span<const double> q, ScatterWorkspace& work) const override;
  [[nodiscard]] double log_density_again(std::span<const double> q, ScatterWorkspace& work) const override;
  /// But for how cumulants of features depend on their moments (GlmTarget::gradient).
  [[nodiscard]] double gradient(std::span<const double> q, ScatterWorkspace& work,
                                std::span<double> out) const override;
  [[nodiscard]] bool fill(std::span<const double> q, ScatterWorkspace& work) const override;
  [[nodiscard]] Jumping jumping() const override { return {places_.log_tau, places_.all}; }
  /// The corners of Laplace noise cost acceptance at any step: larger steps make up for it.
  [[nodiscard]] double accepted() const override { return 0.65; }

  /// Law and indicators, these in the factor's order.
  [[nodiscard]] const GlmProblem& glm() const { return glm_; }
  [[nodiscard]] const ScatterProblem& features() const { return features_; }
  [[nodiscard]] const ScatterMap& map() const { return map_; }
  [[nodiscard]] const GlmPlaces& places() const { return places_; }
  [[nodiscard]] const MeanFunction& mean_function() const { return function_; }
  [[nodiscard]] double usual_log_tau() const { return scales_.usual_log_tau(); }
  /// The variance that slopes' prior is in proportion to: 1 of counts, pi^2 / 3 of odds.
  [[nodiscard]] double slope_variance() const { return variance_; }
  void whiten(KnownSums known) { known_ = std::move(known); }
  /// log p(slopes, features | scales about `times` what they are) - log p(slopes, features), up to a
  /// constant, tau integrated out. @pre the workspace was filled
  [[nodiscard]] double log_scale_ratio(const ScatterWorkspace& work, double times) const;
  /// Sums of (1, x) as slope_error takes them.
  [[nodiscard]] Matrix feature_sums(const ScatterState& state) const;

 private:
  struct Point;
  [[nodiscard]] bool fill_target(std::span<const double> q, ScatterWorkspace& work, Point& at) const;
  void fill_known(const ScatterState& state, Point& at) const;
  [[nodiscard]] bool fill_predictor(std::span<const double> q, Point& at) const;
  void fill_sums(std::span<const double> q, Point& at, ScatterState& state) const;
  [[nodiscard]] bool fill_slopes(Point& at, const ScatterState& state) const;
  [[nodiscard]] double value_at(std::span<const double> q, ScatterWorkspace& work, Point& at) const;
  [[nodiscard]] double with_target(std::span<const double> q, ScatterWorkspace& work, Point& at) const;
  [[nodiscard]] double log_slopes(const Point& at, const ScatterState& state) const;
  [[nodiscard]] double log_whitening(const Point& at) const;
  [[nodiscard]] double log_scales(std::span<const double> q) const;
  // Slopes, carried back from what unknowns stand for: the sums to the predictor, slopes to it and to the
  // features' factor, and the predictor's row to its whitened unknowns and scales.
  void take_back_sums(std::span<const double> q, Point& at, std::span<double> out) const;
  void take_back_slopes(Point& at, const ScatterState& state, ScatterSlope& slope) const;
  void take_back_row(std::span<const double> q, Point& at, std::span<double> out) const;
  void add_scales_slope(std::span<const double> q, std::span<double> out) const;

  GlmProblem glm_;  ///< features in the factor's order, as errors of slopes ask for them; without sums
  ScatterProblem problem_;
  ScatterProblem features_;
  ScatterMap map_;
  ScatterOrder order_;  ///< the target's place last
  GlmPlaces places_;
  PooledMoments pooled_;
  NoiseTerm noise_;
  CovarianceTerm covariance_;
  SlopeScales scales_;
  MeanFunction function_;
  double variance_;
  double log_most_;
  double floor_;    ///< what the lattice of sums adds to n times a variance
  double records_;  ///< n, or about what it is, for coordinates alone
  KnownSums known_;
};

}  // namespace postern::infer
