#pragma once

#include <span>
#include <vector>

#include "cholesky.hpp"
#include "problem.hpp"

namespace postern::infer {

/// The law of noisy gradients given the coefficients, records summed out: by the central limit theorem the
/// exact gradients are normal together, with mean n m(theta) and a covariance that is taken at the mode, and
/// noise comes on top. All gradients are of the same records, so their sampling errors hang together.
class CollapsedGradients {
 public:
  explicit CollapsedGradients(const LogisticProblem& problem);

  /// Where the posterior is highest, roughly, and its covariance there.
  [[nodiscard]] const std::vector<double>& mode() const { return mode_; }
  [[nodiscard]] const Cholesky& spread() const { return spread_; }

  /// Published minus expected, gradient after gradient.
  void residuals(std::span<const double> theta, double n, std::vector<double>& out) const;
  /// The same in parts: with k records more than problem.about() it is base + k slope - n shift, the last a
  /// vector that is the same in every gradient.
  [[nodiscard]] const std::vector<double>& base() const { return base_; }
  [[nodiscard]] const std::vector<double>& slope() const { return slope_; }
  void shift(std::span<const double> theta, std::vector<double>& out) const;
  /// Log prior of the coefficients and log likelihood of public rows.
  [[nodiscard]] double log_prior(std::span<const double> theta) const;

  /// Coordinates whose sampling errors hang together: all, or those of one coefficient where they are many.
  struct Block {
    std::vector<std::size_t> places;
    std::vector<double> covariance;  ///< of sampling errors
  };
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] std::size_t coordinates() const { return problem_.gradients.size() * problem_.size; }

 private:
  [[nodiscard]] std::vector<double> expected(std::span<const double> theta) const;
  void fill_blocks();
  void take_parts();
  // The mode, with errors of gradients taken to be independent and normal (mode.cpp).
  void find_mode();
  [[nodiscard]] double rough_variance(std::size_t gradient) const;
  [[nodiscard]] double rough_log_density(std::span<const double> theta) const;
  [[nodiscard]] std::vector<double> curvature(std::span<const double> theta) const;
  [[nodiscard]] std::vector<double> newton_move();
  void split_blocks();
  void take_covariance();

  const LogisticProblem& problem_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives this
  std::vector<double> points_;      ///< the cloud, flat
  std::vector<double> columns_;     ///< and block by block, as PointBlocks has it
  std::vector<double> at_;          ///< E logistic(theta_t . w) w, gradient after gradient
  std::vector<double> rounding_;    ///< what rounding toward zero takes from a record's terms, at the mode
  std::vector<double> mode_;
  Cholesky spread_;
  std::vector<double> centre_;  ///< expected(mode_)
  std::vector<double> base_;
  std::vector<double> slope_;
  std::vector<Block> blocks_;
};

/// Precision of the coefficients given n records from the cloud as they are: prior and Fisher information.
[[nodiscard]] Cholesky record_information(const std::vector<std::vector<double>>& cloud,
                                          std::span<const double> theta, double n, double prior_sd);
[[nodiscard]] double logistic(double odds);
/// The first b.size() of a times those of b.
[[nodiscard]] double dot(const double* a, std::span<const double> b);

}  // namespace postern::infer
