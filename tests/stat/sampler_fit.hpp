#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "postern/core/int128.hpp"

namespace postern::stat {

/// Every statistical check below fails a correct sampler with probability at most this.
inline constexpr double kAlpha = 1e-6;
/// The same, in standard errors, for two-sided normal checks (2 Phi(-4.9) = 9.6e-7).
inline constexpr double kSigmas = 4.9;

/// Draws of a test: the short-prefix build, whose every draw goes through big integers, makes a quarter.
[[nodiscard]] constexpr std::size_t sample_size(std::size_t full) {
#ifdef POSTERN_SHORT_PREFIX
  return full / 4;
#else
  return full;
#endif
}

/// A symmetric law on the integers, as the checks need it.
struct Law {
  std::function<double(double)> at_least;  ///< P(X >= k), k >= 1
  double mean_magnitude = 0;
  double mean_square = 0;
  double step = 1;  ///< width of the finest chi-square bins
};

[[nodiscard]] Law laplace_law(double lambda);
[[nodiscard]] Law gaussian_law(double sigma2);

/// Tail probability of Pearson's statistic over signed bins with expectation >= 20, tails merged.
[[nodiscard]] double chi_square_fit(std::span<const Int128> draws, const Law& law);

/// Chi-square fit, mass of zero, balance of signs, mean magnitude, lag-1 correlation, largest magnitude.
void expect_fits(std::span<const Int128> draws, const Law& law, const std::string& what);

/// Tail probability of the two-sample chi-square statistic, pooled bins with at least 40 draws.
[[nodiscard]] double two_sample_fit(std::span<const Int128> one, std::span<const Int128> other);

/// Tail probability of Pearson's statistic for counts of categories; those below an expectation of 20 are
/// pooled.
[[nodiscard]] double categorical_fit(std::span<const std::size_t> counts,
                                     std::span<const double> probabilities);

[[nodiscard]] double correlation(std::span<const double> x, std::span<const double> y);

}  // namespace postern::stat
