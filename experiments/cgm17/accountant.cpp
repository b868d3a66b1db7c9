#include "accountant.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "postern/core/special.hpp"

namespace postern::cgm17 {
namespace {

/// log of E over the mixture (1 - q) N(0, z^2) + q N(1, z^2) of its ratio to N(0, z^2), to the power `order`.
double log_moment(int order, double noise, double rate) {
  if (rate >= 1) return (static_cast<double>(order) * order - order) / (2 * noise * noise);
  std::vector<double> terms;
  for (int k = 0; k <= order; ++k) {
    const double choose = log_gamma(order + 1.0) - log_gamma(k + 1.0) - log_gamma(order - k + 1.0);
    terms.push_back(choose + (order - k) * std::log1p(-rate) + k * std::log(rate) +
                    (static_cast<double>(k) * k - k) / (2 * noise * noise));
  }
  const double most = std::ranges::max(terms);
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - most);
  return most + std::log(sum);
}

}  // namespace

double epsilon_of(const Subsampled& sums, double delta) {
  double best = std::numeric_limits<double>::infinity();
  for (int order = 2; order <= 1024; order += order < 64 ? 1 : (order < 256 ? 8 : 64)) {
    const double divergence = sums.steps * log_moment(order, sums.noise, sums.rate) / (order - 1);
    best = std::min(best, divergence + std::log1p(-1.0 / order) -
                              (std::log(delta) + std::log(static_cast<double>(order))) / (order - 1));
  }
  return best;
}

double noise_for(double epsilon, double delta, double rate, int steps) {
  double low = 0.1;
  double high = 1e4;
  if (epsilon_of({high, rate, steps}, delta) > epsilon) return std::numeric_limits<double>::infinity();
  while (high / low > 1.0001) {
    const double middle = std::sqrt(low * high);
    (epsilon_of({middle, rate, steps}, delta) <= epsilon ? high : low) = middle;
  }
  return high;
}

}  // namespace postern::cgm17
