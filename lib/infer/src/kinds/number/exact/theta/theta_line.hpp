#pragma once

#include "postern/infer/kinds/number/problem.hpp"

namespace postern::infer {

/// theta on the whole line: itself, its logarithm or its log odds.
class ThetaLine {
 public:
  explicit ThetaLine(model::ParameterSpace space) : space_(space) {}

  [[nodiscard]] double theta(double z) const;
  [[nodiscard]] double place(double theta) const;
  [[nodiscard]] model::ParameterSpace space() const { return space_; }
  // Past these ends theta, or what it lacks of 1, is nothing as a double.
  [[nodiscard]] double lowest() const { return -highest(); }
  [[nodiscard]] double highest() const;

 private:
  model::ParameterSpace space_;
};

}  // namespace postern::infer
