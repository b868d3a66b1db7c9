#include "cell_noise.hpp"

#include <algorithm>

namespace postern::infer {
namespace {

double guess(std::span<const NoisyValue> noisy_values, std::int64_t most) {
  if (noisy_values.empty()) return 0;
  return std::round(std::clamp(noisy_values.front().y, 0.0, static_cast<double>(most)));
}

}  // namespace

CellNoise::CellNoise(std::span<const NoisyValue> noisy_values, std::int64_t most) {
  double weighted = 0;
  for (const NoisyValue& noisy_value : noisy_values) {
    const release::NoiseShape falls = release::shape(noisy_value.law);
    if (noisy_value.band) {
      bands.emplace_back(noisy_value.law, *noisy_value.band);
    } else if (falls.rate > 0) {
      kinks.push_back({std::clamp(noisy_value.y, 0.0, static_cast<double>(most)), falls.rate});
    } else {
      curvature += falls.precision;
      weighted += falls.precision * noisy_value.y;
    }
  }
  if (curvature > 0) centre = weighted / curvature;
  anchor = curvature > 0 ? std::round(std::clamp(centre, 0.0, static_cast<double>(most)))
                         : (kinks.empty() ? guess(noisy_values, most) : std::round(kinks.front().at));
  for (const NoisyValue& noisy_value : noisy_values) {
    if (!noisy_value.band) log_anchor += release::log_pmf(noisy_value.law, noisy_value.y - anchor);
  }
  for (const BandLikelihood& band : bands) log_anchor += band.log_at(anchor);
}

}  // namespace postern::infer
