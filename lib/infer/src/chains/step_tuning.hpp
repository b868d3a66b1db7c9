#pragma once

#include <cmath>

namespace postern::infer {

/// Dual averaging of the leapfrog step (Hoffman and Gelman 2014, section 3.2).
class StepTuning {
 public:
  explicit StepTuning(double step, double accepted = 0.8) : wanted_(accepted), centre_(std::log(5 * step)) {}
  void learn(double accepted);
  [[nodiscard]] double exploring() const { return std::exp(log_step_); }
  [[nodiscard]] double final() const { return std::exp(log_average_); }

 private:
  double wanted_;  ///< mean probability of acceptance
  double centre_;
  double log_step_ = 0;
  double log_average_ = 0;
  double error_ = 0;
  double count_ = 0;
};

}  // namespace postern::infer
