#pragma once

#include <span>
#include <vector>

namespace postern {

/// Linear convolution of two real sequences, length a + b - 1. Direct for short inputs, otherwise by a real
/// FFT; the absolute error is about 1e-16 * max|a| * max|b| * sqrt(length), so callers tilt first (see
/// infer/exact).
[[nodiscard]] std::vector<double> convolve(std::span<const double> a, std::span<const double> b);

}  // namespace postern
