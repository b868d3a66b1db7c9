#pragma once

#include <span>
#include <vector>

#include "postern/infer/glm/problem.hpp"

#include "predictor_law.hpp"
#include "regression/target.hpp"

namespace postern::infer {

/// The posterior density of theta and of the latent sums of n records, the law of x integrated out:
/// glm_posterior.md. Unknowns: those of MomentTarget of the features' rows; r / sqrt n, where L r = sum y (1,
/// x); and t = L^T theta / sqrt n, whose first entry is the predictor's mean over the records and whose
/// others' norm is its deviation. @pre n >= width
class GlmTarget : public MomentTarget {
 public:
  explicit GlmTarget(const GlmProblem& problem);

  [[nodiscard]] double log_density(std::span<const double> q, double n, MomentWorkspace& work) const override;
  [[nodiscard]] double gradient(std::span<const double> q, double n, MomentWorkspace& work,
                                std::span<double> out) const override;
  /// theta at these unknowns.
  void coefficients(std::span<const double> q, double n, MomentWorkspace& work, std::span<double> out) const;

  [[nodiscard]] std::size_t coefficients() const { return width_ - 1; }
  /// Where r and t begin among the unknowns.
  [[nodiscard]] std::size_t target_row() const { return places_.size() - 2 * coefficients(); }
  [[nodiscard]] std::size_t predictor_row() const { return places_.size() - coefficients(); }
  [[nodiscard]] const MeanFunction& mean_function() const { return function_; }

 private:
  void fill_roots(std::span<const double> q, double n, MomentWorkspace& work) const;
  [[nodiscard]] double log_features(std::span<const double> q, double n, MomentWorkspace& work) const;
  [[nodiscard]] double log_sizes(double n) const;
  [[nodiscard]] double log_prior(std::span<const double> theta) const;

  [[nodiscard]] Extra extra(double n, const MomentWorkspace& work, std::span<const double> theta) const;

  const GlmProblem* glm_;
  MeanFunction function_;
  double spacing_;
  std::vector<double> prior_mean_, prior_precision_;
};

}  // namespace postern::infer
