#pragma once

namespace postern {

/// From here on Stirling's series of eight terms is good to 1e-17.
inline constexpr double kStirlingFrom = 10;
inline constexpr double kHalfLogTwoPi = 0.91893853320467274178;

/// log Gamma(x) - [(x - 1/2) log x - x + log(2 pi)/2], any x > 0.
[[nodiscard]] double stirling_error(double x);
/// stirling_error(x + s) - stirling_error(x) for x >= 10, x + s >= 10, so that small s keeps its digits.
[[nodiscard]] double stirling_error_step(double x, double s);
/// x log(x/mean) + mean - x >= 0, without cancellation near x = mean (Loader 2000).
[[nodiscard]] double deviance(double x, double mean);

}  // namespace postern
