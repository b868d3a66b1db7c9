#pragma once

#include <array>

#include "postern/core/rng.hpp"
#include "postern/infer/kinds/number/gibbs/normal_table.hpp"

namespace postern::infer {

/// The sums of k and k^2 of n records as normals, each seen through normal noise of a precision, 0 if not
/// seen. Nothing is inverted that may be singular.
class SquareBlocks {
 public:
  SquareBlocks(double n, const SquareMoments& record, double precision, double square_precision);
  /// log p(y) up to what does not depend on n and the record.
  [[nodiscard]] double log_likelihood(double y, double square_y) const;
  /// The sums given what was seen, as deviations of those of (k, (k - E k)^2) from their means.
  [[nodiscard]] std::array<double, 2> draw(double y, double square_y, Rng& rng) const;

 private:
  /// (I + P^1/2 G P^1/2)^-1 r, with G the covariance of the sums.
  [[nodiscard]] std::array<double, 2> solve(double first, double second) const;

  double n_;
  const SquareMoments& record_;
  double schur_;               ///< of Var (k - E k)^2, given k
  double root_, square_root_;  ///< of the precisions
  double a_, b_, d_;           ///< I + P^1/2 G P^1/2
  double determinant_;
};

/// Moments of w = (t - mu, (t - mu)^2) of one record.
struct OwnMoments {
  double mean = 0;
  double mean_square = 0;
  double variance = 0;
  double covariance = 0;
  double square_variance = 0;
};
/// Sums of (t - mu, (t - mu)^2).
struct SumPair {
  double first = 0;
  double second = 0;
};
/// Draws them given the deviations of those of (k, (k - E k)^2) from their means, such that n records can
/// have them: redrawn, and if that fails one after the other, beginning at `sums`. Returns how many were
/// refused. @pre n > 0
int draw_given_seen(double n, const OwnMoments& own, const SquareMoments& record,
                    const std::array<double, 2>& seen, SumPair& sums, Rng& rng);

}  // namespace postern::infer
