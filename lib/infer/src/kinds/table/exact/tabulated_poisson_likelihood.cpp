#include "tabulated_poisson_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "postern/core/special.hpp"

#include "numeric/cumulative_product.hpp"

namespace postern::infer {

TabulatedPoissonLikelihood::TabulatedPoissonLikelihood(const Message& law, double alpha, double slope)
    : counts_(law.window()), weight_(law.weight.size()) {
  const auto top = std::max_element(law.weight.begin(), law.weight.end()) - law.weight.begin();
  const std::int64_t start = law.lo + top;
  double* here = weight_.data() + top;
  *here = 1;
  const auto ratio = [alpha](std::int64_t s) {
    return (static_cast<double>(s) + 1) / (static_cast<double>(s) + alpha);
  };
  each_cumulative_product(
      counts_.hi - start, [&](std::int64_t k) { return ratio(start + k - 1); },
      [slope](std::int64_t k) { return slope * static_cast<double>(k); },
      [here](std::int64_t k, double weight) { here[k] = weight; });
  each_cumulative_product(
      start - counts_.lo, [&](std::int64_t k) { return 1 / ratio(start - k); },
      [slope](std::int64_t k) { return -slope * static_cast<double>(k); },
      [here](std::int64_t k, double weight) { here[-k] = weight; });
  std::transform(weight_.begin(), weight_.end(), law.weight.begin(), weight_.begin(), std::multiplies<>());
  const auto s = static_cast<double>(start);
  const double rising = s + 1 >= alpha ? log_rising(s + 1, alpha - 1)
                                       : log_rising(alpha, s) + log_gamma(alpha) - log_factorial(s);
  log_scale_ = slope * s - rising;
}

/// Outwards from the count nearest to x. Terms have one peak, so they count until they fall below all sums.
PoissonMean TabulatedPoissonLikelihood::mean(double x, std::span<double> /*parts*/) const {
  constexpr double kNothing = 1e-18;
  const auto nearest = static_cast<double>(counts_.hi);
  const auto start = static_cast<std::int64_t>(std::clamp(x, static_cast<double>(counts_.lo), nearest));
  const double* weight = weight_.data() - counts_.lo;
  double sum = weight[start];
  double before = 0;
  double poisson = 1;
  for (std::int64_t s = start + 1; s <= counts_.hi; ++s) {
    poisson *= x / static_cast<double>(s);
    const double term = poisson * weight[s];
    sum += term;
    if (term < kNothing * sum && term <= before) break;
    before = term;
  }
  before = 0;
  poisson = 1;
  const double inverse = 1 / x;
  for (std::int64_t s = start - 1; s >= counts_.lo; --s) {
    poisson *= static_cast<double>(s + 1) * inverse;
    const double term = poisson * weight[s];
    sum += term;
    if (term < kNothing * sum && term <= before) break;
    before = term;
  }
  return {poisson_log_pmf(static_cast<double>(start), x) + log_scale_ + std::log(sum)};
}

}  // namespace postern::infer
