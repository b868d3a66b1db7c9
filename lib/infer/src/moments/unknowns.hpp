#pragma once

#include <span>
#include <vector>

#include "postern/infer/moments/problem.hpp"

#include "moments/dense.hpp"
#include "moments/seen.hpp"

namespace postern::infer {

/// Where each unknown stands in the vector that chains move: means; the columns' factor row by row, the
/// target's row last; log s, log nu, log g and u of the features' covariance; log(d tau^2), log lambda_j^2
/// and log b0 of a regression; log n where it is latent. Columns are in the order of a ScatterOrder. Of a
/// stated prior there are no scales but log s where it is loose.
struct UnknownPlaces {
  explicit UnknownPlaces(const ScatterProblem& problem);
  int columns = 0;
  int features = 0;
  bool learned = true;  ///< has the covariance a prior whose scales are learned?
  bool loose = false;   ///< or a stated one that is loose?
  int factor = 0;       ///< first entry of the factor
  int target_row = 0;   ///< first entry of the target's row, the last of which is log T
  int log_sd = 0;
  int log_nu = 0;
  int log_g = 0;
  int direction = 0;  ///< u
  int log_tau = 0;
  int log_lambda = 0;
  int log_rate = 0;
  int log_n = 0;
  int all = 0;
};

/// The moments and scales that unknowns stand for.
struct ScatterState {
  explicit ScatterState(const UnknownPlaces& places);
  double n = 0;
  DenseVector mean;
  DenseMatrix factor;     ///< C, lower triangular: scatter = C C^T
  DenseMatrix scatter;    ///< about the means, sums over the records
  DenseVector log_pivot;  ///< of the factor's diagonal
  DenseVector typical;    ///< s_i
  DenseVector loading;    ///< f_i = g u_i
  DenseVector sd;         ///< tau_i = s_i / sqrt(1 + f_i^2)
  DenseVector log_sd;     ///< of the same
  double nu = 0;
  double g = 0;
  DenseVector share;    ///< v_j = tau^2 lambda_j^2 of a slope
  DenseVector lambda2;  ///< lambda_j^2
  double tau2 = 0;
  double rate = 0;  ///< b0
  // The target's row l, in units of sqrt n: of the prior's and of the noise's variance.
  DenseVector row, row_sd, row_prior;
  double log_last = 0;  ///< log(C_yy / sqrt n)
};

/// How far the target's row is known without the chain: l_j lies around `value` with `variance`.
struct RowWhitening {
  DenseVector value, variance;
  double records = 1;
};

/// What a density says by its slope, to be carried back to the unknowns. `scatter` is symmetric: the change
/// of the density is trace(scatter d(scatter)).
struct ScatterSlope {
  explicit ScatterSlope(const UnknownPlaces& places);
  void clear();
  DenseVector mean;
  DenseMatrix scatter;
  DenseMatrix factor;      ///< of C, the lower triangle
  DenseMatrix own;         ///< by C / sqrt n of what depends on C itself and not on n beside; lower triangle
  DenseVector log_tau_sd;  ///< of log tau_i
  DenseVector loading;
  double log_nu = 0;
  DenseVector log_share;
  double log_rate = 0;
  double log_n = 0;  ///< at fixed unknowns, where it is not through the moments
};

/// The map from unknowns to moments, the logarithm of its Jacobian and of the volume of records that have
/// such moments, and the way back of slopes.
class ScatterMap {
 public:
  explicit ScatterMap(const ScatterProblem& problem);

  [[nodiscard]] const UnknownPlaces& places() const { return places_; }
  [[nodiscard]] const ScatterOrder& order() const { return order_; }
  [[nodiscard]] bool latent() const { return latent_; }
  [[nodiscard]] bool regression() const { return places_.columns > places_.features; }
  void whiten(RowWhitening whitening) { whitening_ = std::move(whitening); }
  [[nodiscard]] const RowWhitening& whitening() const { return whitening_; }

  /// False where the unknowns stand for no moments.
  [[nodiscard]] bool fill(std::span<const double> q, ScatterState& state) const;
  /// The same where no unknown has changed but scales of slopes. @pre the state was filled. Of a regression
  [[nodiscard]] bool fill_target(std::span<const double> q, ScatterState& state) const;
  /// Of means and features.
  [[nodiscard]] double log_volume(const ScatterState& state) const;
  /// Of the target's row. @pre a regression
  [[nodiscard]] double log_target_volume(const ScatterState& state) const;
  /// Adds the volume's own slope; what is carried from one part to the next changes `slope`. @pre the state
  /// is that of q
  void take_back(std::span<const double> q, const ScatterState& state, ScatterSlope& slope,
                 std::span<double> out) const;
  /// The sd that entries of a column's row, if noise hides them, are in units of. @pre q holds the scales
  [[nodiscard]] double unit_of(std::span<const double> q, int column) const;
  /// The unknowns of the target's row that stand for l and log(C_yy / sqrt n). @pre q holds the scales
  void put_row(const DenseVector& row, double log_last, std::span<double> q) const;

 private:
  [[nodiscard]] bool fill_slope_scales(std::span<const double> q, ScatterState& state) const;
  void take_back_scales(const ScatterState& state, const ScatterSlope& slope, std::span<double> out) const;
  [[nodiscard]] bool fill_covariance(std::span<const double> q, ScatterState& state) const;
  [[nodiscard]] bool fill_scales(std::span<const double> q, ScatterState& state) const;
  [[nodiscard]] bool fill_row(std::span<const double> q, ScatterState& state) const;
  void take_back_factor(const ScatterState& state, ScatterSlope& slope, std::span<double> out) const;
  void take_back_row(std::span<const double> q, const ScatterState& state, ScatterSlope& slope,
                     std::span<double> out) const;

  UnknownPlaces places_;
  ScatterOrder order_;
  bool latent_;
  double known_n_;
  double least_n_, most_n_;
  RowWhitening whitening_;
  DenseVector stated_sd_;  ///< under a stated prior, by position
};

}  // namespace postern::infer
