#include "cell_noise.hpp"

#include <algorithm>

namespace postern::infer {

CellNoise::CellNoise(std::span<const NoisyValue> noisy_values, std::int64_t most) {
  double weighted = 0;
  for (const NoisyValue& noisy_value : noisy_values) {
    if (const auto* laplace = std::get_if<release::DiscreteLaplace>(&noisy_value.law)) {
      kinks.push_back({std::clamp(noisy_value.y, 0.0, static_cast<double>(most)), laplace->lambda()});
    } else {
      const double precision = 1 / std::get<release::DiscreteGaussian>(noisy_value.law).sigma2();
      curvature += precision;
      weighted += precision * noisy_value.y;
    }
  }
  if (curvature > 0) centre = weighted / curvature;
  anchor = curvature > 0 ? std::round(std::clamp(centre, 0.0, static_cast<double>(most)))
                         : (kinks.empty() ? 0 : std::round(kinks.front().at));
  for (const NoisyValue& noisy_value : noisy_values)
    log_anchor += release::log_pmf(noisy_value.law, noisy_value.y - anchor);
}

}  // namespace postern::infer
