#pragma once

#include <span>
#include <vector>

#include "message.hpp"
#include "poisson_noise.hpp"

namespace postern::infer {

/// PoissonNoise of a count that is known by its law: E e^{slope S} law(S) S! / Gamma(S + alpha), S ~
/// Poisson(x).
class PoissonTable {
 public:
  PoissonTable(const Message& law, double alpha, double slope);

  [[nodiscard]] PoissonMean mean(double x, std::span<double> parts) const;
  void unevenness(double /*x*/, std::span<double> /*parts*/) const {}

 private:
  Window counts_;
  std::vector<double> weight_;
  double log_scale_ = 0;
};

}  // namespace postern::infer
