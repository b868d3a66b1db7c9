#pragma once

#include "fft_kernel.hpp"
#include "fft_simd.hpp"

// Powers of a spectrum, point by point in registers, compiled once per instruction set.

namespace postern::fft {

/// power := base^n. @pre n >= 1
POSTERN_INLINE void raise(const ComplexFour& base, std::size_t n, ComplexFour& power) {
  power = base;
  std::size_t bit = std::size_t{1} << (8 * sizeof n - 1);
  while ((n & bit) == 0) bit >>= 1;
  for (bit >>= 1; bit != 0; bit >>= 1) {
    multiply<false>(power, power, power);
    if ((n & bit) != 0) multiply<false>(power, base, power);
  }
}

POSTERN_INLINE void raise_all(Halves a, std::size_t m, std::size_t n) {
  for (std::size_t j = 0; j < m; j += 4) {
    ComplexFour base, power;
    load(a.re + j, a.im + j, base);
    raise(base, n, power);
    store(power, a.re + j, a.im + j);
  }
}

/// Points of a law's spectrum whose first power is below this add nothing that rounding leaves.
inline constexpr double kVanished = 1e-17;

template <std::size_t W>
POSTERN_INLINE bool vanished(const ComplexFour (&z)[W]) {
  Four square{};
  repeat<W>(POSTERN_EACH { square += z[k].re * z[k].re + z[k].im * z[k].im; });
  return square[0] + square[1] + square[2] + square[3] < kVanished * kVanished;
}

/// lane[4 i..4 i + 3] += parts of the scalar product of a^(first + i) and b at 4 W points, i < count. Powers
/// wait for the ones before them, so several go side by side.
template <std::size_t W>
POSTERN_INLINE void multiply_powers_at(std::size_t j, Points a, Points b, std::size_t first, double* lane,
                                       std::size_t count) {
  ComplexFour base[W], with[W], power[W];
  repeat<W>(POSTERN_EACH {
    load(a.re + j + 4 * k, a.im + j + 4 * k, base[k]);
    load(b.re + j + 4 * k, b.im + j + 4 * k, with[k]);
    raise(base[k], first, power[k]);
  });
  if (vanished(power)) return;
  for (std::size_t i = 0; i < count; ++i) {
    Four sum;
    load(lane + 4 * i, sum);
    repeat<W>(POSTERN_EACH {
      sum += power[k].re * with[k].re + power[k].im * with[k].im;
      multiply<false>(power[k], base[k], power[k]);
    });
    store(sum, lane + 4 * i);
  }
}

POSTERN_INLINE void multiply_all_powers(Points a, Points b, std::size_t m, std::size_t first, double* lane,
                                        std::size_t count) {
  std::size_t j = 0;
  for (; j + 8 <= m; j += 8) multiply_powers_at<2>(j, a, b, first, lane, count);
  for (; j < m; j += 4) multiply_powers_at<1>(j, a, b, first, lane, count);
}

}  // namespace postern::fft
