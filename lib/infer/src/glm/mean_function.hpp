#pragma once

#include <vector>

#include "postern/infer/glm/problem.hpp"

namespace postern::infer {

/// E[y | a] and E[y^2 | a] of a target, with their slopes in the predictor a. Counts are clamped inside of
/// it: their means are kept in a table, of cubics between points.
class MeanFunction {
 public:
  explicit MeanFunction(const GlmLaw& law);
  struct At {
    double mean = 0;
    double mean_slope = 0;
    double square = 0;
    double square_slope = 0;
  };
  [[nodiscard]] At at(double a) const;

 private:
  bool counts_;
  std::vector<At> table_;
};

}  // namespace postern::infer
