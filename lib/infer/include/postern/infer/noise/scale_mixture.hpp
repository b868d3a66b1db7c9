#pragma once

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/rng.hpp"

namespace postern::infer {

/// Laplace noise of scale b is normal noise whose variance is exponential with mean 2 b^2. Draws that
/// variance given the noise itself: sigma^2 = IG(b |noise|, noise^2) + b^2 chi^2_1 in law (Bernstein &
/// Sheldon 2018, Alg. 1 line 6, without its division by the noise). Finite for every noise, 0 among them.
[[nodiscard]] inline double draw_mixture_variance(double noise, double scale, Rng& rng) {
  const double rho = std::abs(noise / scale);
  const double z = draw_normal(rng);
  const double nu = z * z;
  const double large = rho + (0.5 * nu + std::sqrt(nu) * std::sqrt(rho + 0.25 * nu));
  const double u = rng.uniform();
  const double drawn = u * (large + rho) <= large ? large : rho * (rho / large);
  return scale * scale * std::max(drawn, 1e-30);
}

}  // namespace postern::infer
