#include "postern/infer/noise/noisy_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace postern::infer {
namespace {

constexpr double kLogTwoPi = 1.8378770664093454836;

}  // namespace

NoisySum::NoisySum(std::span<const NoisyValue> noisy_values) {
  for (const NoisyValue& noisy_value : noisy_values) {
    const auto [rate, precision] = release::shape(noisy_value.law);
    if (rate > 0) {
      kinks_.push_back({noisy_value.y, rate});
      log_constant_ += std::log(0.5 * rate);
    } else {
      normals_.push_back({noisy_value.y, precision});
      precision_ += precision;
      log_constant_ += 0.5 * (std::log(precision) - kLogTwoPi);
    }
  }
  std::sort(kinks_.begin(), kinks_.end(), [](const Placed& a, const Placed& b) { return a.at < b.at; });
  for (const Placed& noisy_value : normals_) normal_centre_ += noisy_value.rate / precision_ * noisy_value.at;
}

double NoisySum::centre() const {
  double precision = precision_;
  double sum = precision_ * normal_centre_;
  for (const Placed& kink : kinks_) {
    const double weight = 0.5 * kink.rate * kink.rate;
    precision += weight;
    sum += weight * kink.at;
  }
  return precision > 0 ? sum / precision : 0;
}

double NoisySum::noise_variance() const {
  double precision = precision_;
  for (const Placed& kink : kinks_) precision += 0.5 * kink.rate * kink.rate;
  return precision > 0 ? 1 / precision : std::numeric_limits<double>::infinity();
}

double NoisySum::log_density(double s) const {
  double sum = log_constant_;
  for (const Placed& kink : kinks_) sum -= kink.rate * std::abs(kink.at - s);
  for (const Placed& noisy_value : normals_)
    sum -= 0.5 * noisy_value.rate * (noisy_value.at - s) * (noisy_value.at - s);
  return sum;
}

}  // namespace postern::infer
