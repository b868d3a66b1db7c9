#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace postern::infer {

/// Polynomials through N Chebyshev points of [-1, 1], as series of Chebyshev polynomials.
template <std::size_t N>
struct Chebyshev {
  using Series = std::array<double, N>;

  /// The points, from 1 down to -1.
  static double point(std::size_t i) {
    return std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(N));
  }
  static Series fit(const Series& values) {
    static const std::array<Series, N> cosines = make_cosines();
    Series out{};
    for (std::size_t k = 0; k < N; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < N; ++i) sum += values[i] * cosines[k][i];
      out[k] = sum;
    }
    return out;
  }
  /// The series of the derivative.
  static Series slope(const Series& series) {
    Series out{};
    for (std::size_t k = N - 1; k-- > 0;) {
      out[k] = 2 * static_cast<double>(k + 1) * series[k + 1] + (k + 2 < N ? out[k + 2] : 0);
    }
    out[0] /= 2;
    return out;
  }
  static double at(const Series& series, double x) {
    double b1 = 0;
    double b2 = 0;
    for (std::size_t k = N - 1; k > 0; --k) {
      const double b = series[k] + 2 * x * b1 - b2;
      b2 = b1;
      b1 = b;
    }
    return series[0] + x * b1 - b2;
  }

 private:
  static std::array<Series, N> make_cosines() {
    std::array<Series, N> out{};
    for (std::size_t k = 0; k < N; ++k) {
      for (std::size_t i = 0; i < N; ++i) {
        const double angle = std::numbers::pi * static_cast<double>(k) * (static_cast<double>(i) + 0.5);
        out[k][i] = std::cos(angle / static_cast<double>(N)) * (k == 0 ? 1 : 2) / static_cast<double>(N);
      }
    }
    return out;
  }
};

}  // namespace postern::infer
