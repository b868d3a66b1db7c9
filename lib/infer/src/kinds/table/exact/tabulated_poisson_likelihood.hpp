#pragma once

#include <span>
#include <vector>

#include "counts/message.hpp"
#include "poisson_likelihood.hpp"

namespace postern::infer {

/// PoissonLikelihood of a count that is known by its law: E e^{slope S} law(S) S! / Gamma(S + alpha), S ~
/// Poisson(x).
class TabulatedPoissonLikelihood {
 public:
  TabulatedPoissonLikelihood(const Message& law, double alpha, double slope);

  [[nodiscard]] PoissonMean mean(double x, std::span<double> parts) const;
  void unevenness(double /*x*/, std::span<double> /*parts*/) const {}

 private:
  Window counts_;
  std::vector<double> weight_;
  double log_scale_ = 0;
};

}  // namespace postern::infer
