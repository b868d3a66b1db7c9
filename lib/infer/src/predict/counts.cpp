#include "counts.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {

double CountMixture::mean() const {
  double sum = 0;
  for (const double mean : means_) sum += mean;
  return sum / static_cast<double>(means_.size());
}

double CountMixture::cdf(double k) const {
  if (k < 0) return 0;
  double sum = 0;
  for (const double mean : means_) sum += mean > 0 ? gamma_tail(k + 1, mean) : 1;
  return sum / static_cast<double>(means_.size());
}

double CountMixture::log_mass(double k) const {
  double sum = 0;
  for (const double mean : means_) sum += mean > 0 ? std::exp(poisson_log_pmf(k, mean)) : (k == 0 ? 1 : 0);
  return std::log(sum / static_cast<double>(means_.size()));
}

double CountMixture::quantile(double p) const {
  const auto [least, most] = std::minmax_element(means_.begin(), means_.end());
  double low = std::max(0.0, std::floor(*least - 9 * std::sqrt(*least + 1)) - 1) - 1;  // cdf(low) < p
  double high = std::ceil(*most + 9 * std::sqrt(*most + 1)) + 20;                      // cdf(high) >= p
  while (high - low > 1) {
    const double middle = std::floor(0.5 * (low + high));
    (cdf(middle) < p ? low : high) = middle;
  }
  return high;
}

}  // namespace postern::infer
