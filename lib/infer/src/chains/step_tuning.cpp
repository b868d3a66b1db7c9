#include "chains/step_tuning.hpp"

#include <algorithm>

namespace postern::infer {

void StepTuning::learn(double accepted) {
  constexpr double kShrinkage = 0.05;
  constexpr double kDelay = 10;
  constexpr double kForgetting = 0.75;
  count_ += 1;
  error_ += (wanted_ - accepted - error_) / (count_ + kDelay);
  log_step_ = std::min(centre_ - std::sqrt(count_) / kShrinkage * error_, 0.5);
  log_average_ += std::pow(count_, -kForgetting) * (log_step_ - log_average_);
}

}  // namespace postern::infer
