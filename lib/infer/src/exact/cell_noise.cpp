#include "exact/cell_noise.hpp"

#include <algorithm>

namespace postern::infer {

CellNoise::CellNoise(std::span<const Sight> sights, std::int64_t most) {
  double weighted = 0;
  for (const Sight& sight : sights) {
    if (const auto* laplace = std::get_if<release::DiscreteLaplace>(&sight.law)) {
      kinks.push_back({std::clamp(sight.y, 0.0, static_cast<double>(most)), laplace->lambda()});
    } else {
      const double precision = 1 / std::get<release::DiscreteGaussian>(sight.law).sigma2();
      curvature += precision;
      weighted += precision * sight.y;
    }
  }
  if (curvature > 0) centre = weighted / curvature;
  anchor = curvature > 0 ? std::round(std::clamp(centre, 0.0, static_cast<double>(most)))
                         : (kinks.empty() ? 0 : std::round(kinks.front().at));
  for (const Sight& sight : sights) log_anchor += release::log_pmf(sight.law, sight.y - anchor);
}

}  // namespace postern::infer
