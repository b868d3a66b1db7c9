#pragma once

#include <span>
#include <vector>

#include "kinds/number/exact/record/tilted_record.hpp"
#include "total_table.hpp"

namespace postern::infer {

/// Numbers n whose sums keep clear of every value with Laplace noise: on one side of each, but for a share of
/// e^-nats. log w is a line with slope b there, E w(S_n) = e^{log w(0) + n K(b)} with the line continued to
/// 0, and the run's weights add up as a geometric series.
class LogLinearRun {
 public:
  struct Line {
    double slope = 0;
    double at = 0;  ///< a place of it
    double log_at = 0;
  };
  LogLinearRun(const CountWeight& weight, const TiltedRecord& tilted, const Line& line, double lo, double hi);

  [[nodiscard]] double lo() const { return lo_; }
  [[nodiscard]] double hi() const { return hi_; }
  [[nodiscard]] double log_sum() const { return log_sum_; }
  /// log weight(n) E w(S_n)
  [[nodiscard]] double log_at(double n) const;
  /// The same at places from, from + step, ...
  void log_terms(double from, double step, std::span<double> out) const;

 private:
  const CountWeight& weight_;
  Line line_;
  double log_mass_, mean_;  ///< of a record with the line's tilt
  double lo_, hi_;
  double log_sum_ = 0;
};

/// The lowest numbers and the highest ones, as far as they are clear; rising, none or two at most. There are
/// none with a value with Gaussian noise, whose log w is no line anywhere. @pre nodes count from what no
/// record adds
[[nodiscard]] std::vector<LogLinearRun> log_linear_runs(const RecordNodes& nodes, const CountWeight& weight,
                                                        const SumNoise& noise, double nats);

}  // namespace postern::infer
