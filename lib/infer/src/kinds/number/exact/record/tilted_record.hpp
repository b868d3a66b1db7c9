#pragma once

#include "kinds/number/exact/sum/sum_noise.hpp"
#include "record_law.hpp"

namespace postern::infer {

/// The law of one record with masses multiplied by e^{lambda k}: the same sums, seen from where the noise
/// says they are. With K the cumulant generating function, for n records and s = n K'(lambda),
///
///   E w(S) = w(s) e^{n (K - lambda K')} E_tilted[ w(S) / w(s) e^{-lambda (S - s)} ],
///
/// and at the right lambda the last factor has its largest term, 1, where S has its mean.
struct TiltedRecord {
  double lambda = 0;
  double log_mass = 0;  ///< K - lambda K' = log E e^{lambda (k - mean)}, not above 0
  double mean = 0;
  double variance = 0;
  std::vector<double> weight;  ///< one a node, sum 1

  /// K(lambda), what a record adds to the logarithm of a number's weight.
  [[nodiscard]] double cumulant() const { return log_mass + lambda * mean; }
};

void tilt_record(const RecordNodes& nodes, double lambda, TiltedRecord& out);

/// The tilt at which lambda is the slope of log w at the tilted mean of the sum, or one on the slope's jump
/// there; near enough that the tilted mean is within a third of a standard deviation.
void find_tilt(const RecordNodes& nodes, double n, const SumNoise& noise, double guess, TiltedRecord& out);

/// The same where n is open as well, from 0 to most, with the weight e^{slope n} times `numbers`: lambda is
/// the slope of log w at n K'(lambda), and n is where e^{n K(lambda)} times its weight is highest.
/// n K' rises with lambda, so this is found by bisection; returns that n.
double find_joint_tilt(const RecordNodes& nodes, const SumNoise& numbers, double slope, double most,
                       const SumNoise& noise, TiltedRecord& out);

}  // namespace postern::infer
