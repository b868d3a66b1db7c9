#pragma once

namespace postern::infer::markov {

/// The density of Laplace noise of a scale b plus normal noise of a variance v, in logarithms.
struct LogDensity {
  double value = 0;
  double slope = 0;      ///< its derivative: between -1/b and 1/b
  double curvature = 0;  ///< minus its second derivative, never negative
};
/// @pre scale > 0, variance > 0.
[[nodiscard]] LogDensity laplace_normal(double r, double scale, double variance);

}  // namespace postern::infer::markov
