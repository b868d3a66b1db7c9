#pragma once

namespace postern {

// Mass and moments of a law restricted to a segment: what a sum over the records in that segment has as mean
// and variance. Good to about 1e-12 also for narrow segments and for segments far in a tail.

/// from <= x <= to, either end may be infinite, from <= to. For a law on the integers both ends count; for a
/// density it makes no difference.
struct Segment {
  double from;
  double to;
};

/// A segment without mass has log_mass = -infinity, variance 0 and a mean at one of its ends.
struct SegmentMoments {
  double log_mass;  ///< log P(X in segment), kept where the mass itself underflows
  double mean;      ///< E[X | X in segment]
  double variance;  ///< Var(X | X in segment)
};

/// The moments of t = (X, X^2) given that X is in the segment.
struct NormalSegmentMoments {
  double log_mass;
  double mean;
  double mean_square;
  double variance;
  double covariance;       ///< Cov(X, X^2)
  double square_variance;  ///< Var(X^2)
};

[[nodiscard]] NormalSegmentMoments truncated_normal(double mean, double deviation, Segment segment);
[[nodiscard]] SegmentMoments truncated_exponential(double rate, Segment segment);
[[nodiscard]] SegmentMoments truncated_gamma(double shape, double rate, Segment segment);
/// On 0..trials, with 0 < theta < 1.
[[nodiscard]] SegmentMoments truncated_binomial(double trials, double theta, Segment segment);
[[nodiscard]] SegmentMoments truncated_poisson(double rate, Segment segment);
/// P(x) = theta (1 - theta)^x on 0, 1, ..., with 0 < theta <= 1.
[[nodiscard]] SegmentMoments truncated_geometric(double theta, Segment segment);
/// P(x) = Gamma(r + x) / (Gamma(r) x!) theta^r (1 - theta)^x on 0, 1, ..., with r > 0 and 0 < theta < 1.
[[nodiscard]] SegmentMoments truncated_negative_binomial(double r, double theta, Segment segment);

}  // namespace postern
