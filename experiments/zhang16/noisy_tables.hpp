#pragma once

#include <array>
#include <cstddef>

#include "naive_bayes.hpp"

namespace postern::zhang16 {

// Noise on counts (Algorithm 1) and on Fourier coefficients (Algorithm 2).

inline constexpr double kLaplaceSensitivity = 2 * (kFeatures + 1);  ///< one record replaced
inline constexpr std::size_t kCoefficients = 2 * kFeatures + 2;
inline constexpr double kPrintedFourierSensitivity = 2 * kCoefficients;
inline constexpr double kFourierSensitivity = 4 * kFeatures;  ///< the exact one; n is public

[[nodiscard]] double draw_laplace(double scale, Rng& rng);
[[nodiscard]] double draw_discrete_laplace(double rate, Rng& rng);

/// Algorithm 1 as printed, with continuous noise.
[[nodiscard]] Tables add_laplace(Tables tables, double scale, Rng& rng);
[[nodiscard]] Tables add_discrete_laplace(Tables tables, double rate, Rng& rng);
[[nodiscard]] Tables clip(Tables tables, double most);

/// Sums over records of products of signs (-1)^x: nothing, the class, a feature, a feature and the class.
struct Coefficients {
  double total = 0;
  double label = 0;
  std::array<double, kFeatures> feature{};
  std::array<double, kFeatures> both{};
};
[[nodiscard]] Coefficients transform(const Tables& tables);
[[nodiscard]] Tables invert(const Coefficients& coefficients);

/// Algorithm 2's noise: on all coefficients, `total` included.
[[nodiscard]] Coefficients add_laplace(Coefficients coefficients, double scale, Rng& rng);
/// Integer noise on all but `total`, which is public.
[[nodiscard]] Coefficients add_discrete_laplace(Coefficients coefficients, double rate, Rng& rng);

/// What `total` needs at least, so that no cell is negative.
[[nodiscard]] double least_increment(const Coefficients& coefficients);
/// All others times the largest factor up to 1 with which no cell is negative; totals stay what they are.
[[nodiscard]] Coefficients shrink(Coefficients coefficients);

/// The `share` quantile of least_increment when there is noise of scale 1 and nothing else, from `draws` of
/// it.
[[nodiscard]] double stealth_increment(double share, std::size_t draws, Rng& rng);

}  // namespace postern::zhang16
