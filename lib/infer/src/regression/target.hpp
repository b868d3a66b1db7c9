#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "postern/infer/regression/problem.hpp"

#include "matrix.hpp"

namespace postern::infer {

/// What evaluations write to; one a chain.
struct MomentWorkspace {
  explicit MomentWorkspace(std::size_t width);
  Matrix root;      ///< L, G = L L^T
  Matrix moments;   ///< G
  Matrix target;    ///< factor of G + P + diag(precision, 2 rate): the regression
  Matrix features;  ///< factor of G_x + P_x + diag(weight, scale): the law of x
  Matrix inverse, product, slope;
};

/// The posterior density of the latent moment matrix G = sum w w^T = L L^T of n records, theta and the law of
/// x integrated out: moment_posterior.md. Unknowns, row by row from row 1 on: L_ij / sqrt n for j < i, and
/// log(L_ii / sqrt n). With n < width records L has n columns.
class MomentTarget {
 public:
  /// Throws bad_value.
  explicit MomentTarget(const RegressionProblem& problem);
  MomentTarget(const MomentTarget&) = delete;
  MomentTarget& operator=(const MomentTarget&) = delete;
  virtual ~MomentTarget() = default;

  [[nodiscard]] const RegressionProblem& problem() const { return *problem_; }
  /// Another prior for what comes; states must be refreshed. @pre it is one of as many features
  void take_prior(const RegressionPrior& prior);
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t unknowns() const { return places_.size(); }
  /// Which entry of L an unknown is.
  struct Place {
    std::size_t row = 0;
    std::size_t column = 0;
    [[nodiscard]] bool diagonal() const { return row == column; }
  };
  [[nodiscard]] std::span<const Place> places() const { return places_; }
  [[nodiscard]] bool latent() const { return latent_; }
  [[nodiscard]] double least_n() const { return least_n_; }
  [[nodiscard]] double most_n() const { return most_n_; }

  /// The log density of the unknowns and of n, up to a constant; minus infinity where there is none.
  [[nodiscard]] virtual double log_density(std::span<const double> q, double n, MomentWorkspace& work) const;
  /// The same, and its gradient in the unknowns.
  [[nodiscard]] virtual double gradient(std::span<const double> q, double n, MomentWorkspace& work,
                                        std::span<double> out) const;
  /// Fills root, moments and the regression's factor alone. False where these are no numbers.
  [[nodiscard]] bool fill(std::span<const double> q, double n, MomentWorkspace& work) const;

 protected:  // a generalised linear model's target, glm/target.hpp, has another law of y
  [[nodiscard]] double log_noise(const MomentWorkspace& work) const;
  [[nodiscard]] double log_bounds(double n, const MomentWorkspace& work) const;
  [[nodiscard]] double log_size(double n) const;
  void noise_slope(double n, MomentWorkspace& work) const;
  void take_slope(const Matrix& factor, std::size_t size, double common, double last,
                  MomentWorkspace& work) const;

  struct Seen {  ///< a noisy moment, ready for the inner loop
    std::size_t i, j, k, l;
    double value, weight, rate, precision;
  };

  const RegressionProblem* problem_;
  std::size_t width_;
  std::size_t bounded_;  ///< entries of w, the first ones, whose mean square is held below 1
  bool latent_;
  double least_n_;
  double most_n_;
  double log_slope_ = 0;
  std::vector<Place> places_;
  std::vector<Seen> seen_;
  Matrix target_prior_;
  Matrix features_prior_;
  double degrees_ = 0;  ///< of T's prior, public rows among them
  double weight_ = 0;
  double shape_ = 0;
};

}  // namespace postern::infer
