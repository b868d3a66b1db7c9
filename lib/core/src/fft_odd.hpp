#pragma once

#include "fft_kernel.hpp"
#include "fft_simd.hpp"

// The body of the first pass of sizes with an odd factor R = 3 or 5, compiled once per instruction set.

namespace postern::fft {

/// cos and sin of 2 pi k / R for k = 0..R-1.
template <std::size_t R>
struct Circle;
template <>
struct Circle<3> {
  static constexpr double cos[] = {1, -0.5, -0.5};
  static constexpr double sin[] = {0, 0.86602540378443864676, -0.86602540378443864676};
};
template <>
struct Circle<5> {
  static constexpr double cos[] = {1, 0.30901699437494742410, -0.80901699437494742410,
                                   -0.80901699437494742410, 0.30901699437494742410};
  static constexpr double sin[] = {0, 0.95105651629515357212, 0.58778525229247312917, -0.58778525229247312917,
                                   -0.95105651629515357212};
};
/// z := z b^power, where b^R = i: b is i for R = 5 and -i for R = 3.
template <std::size_t R, std::size_t power>
POSTERN_INLINE void turn(ComplexFour& z) {
  constexpr std::size_t kQuarters = (R % 4 == 1 ? power : 3 * power) % 4;
  const ComplexFour from = z;
  if constexpr (kQuarters == 1) z.re = -from.im, z.im = from.re;
  if constexpr (kQuarters == 2) z.re = -from.re, z.im = -from.im;
  if constexpr (kQuarters == 3) z.re = from.im, z.im = -from.re;
}

/// The sums that outputs k and R-k share: a = in[0] + sum of cos(2 pi jk/R) (in[j] + in[R-j]),
/// b = sum of sin(2 pi jk/R) (in[j] - in[R-j]).
template <std::size_t R, std::size_t k>
POSTERN_INLINE void shared_sums(const ComplexFour (&in)[R], ComplexFour& a, ComplexFour& b) {
  a = in[0];
  b = ComplexFour{};
  repeat<(R - 1) / 2>([&](auto index) __attribute__((always_inline)) {
    constexpr std::size_t j = index + 1;
    ComplexFour sum, difference;
    add(in[j], in[R - j], sum);
    subtract(in[j], in[R - j], difference);
    a.re += sum.re * Circle<R>::cos[j * k % R];
    a.im += sum.im * Circle<R>::cos[j * k % R];
    b.re += difference.re * Circle<R>::sin[j * k % R];
    b.im += difference.im * Circle<R>::sin[j * k % R];
  });
}

/// The discrete Fourier transform of R points, out[k] = sum of in[j] e^(2 pi i jk/R), or with -i backwards.
template <std::size_t R, bool forward>
POSTERN_INLINE void small_transform(const ComplexFour (&in)[R], ComplexFour (&out)[R]) {
  out[0] = in[0];
  repeat<R - 1>(POSTERN_EACH { add(out[0], in[k + 1], out[0]); });
  repeat<(R - 1) / 2>(POSTERN_EACH {
    ComplexFour a, b;
    shared_sums<R, k + 1>(in, a, b);
    ComplexFour& plus = out[forward ? k + 1 : R - k - 1];
    ComplexFour& minus = out[forward ? R - k - 1 : k + 1];
    plus.re = a.re - b.im, plus.im = a.im + b.re;
    minus.re = a.re + b.im, minus.im = a.im - b.re;
  });
}

/// Multiplies part k by its twiddle and part R-k by the conjugate, or undoes it.
template <std::size_t R, bool forward>
POSTERN_INLINE void apply_twist(ComplexFour (&z)[R], const OddTwist& odd, std::size_t j) {
  repeat<(R - 1) / 2>(POSTERN_EACH {
    ComplexFour w;
    load(odd.twist[k].re + j, odd.twist[k].im + j, w);
    multiply<!forward>(z[k + 1], w, z[k + 1]);
    multiply<forward>(z[R - k - 1], w, z[R - k - 1]);
  });
}

template <std::size_t R, bool forward>
POSTERN_INLINE void pass_odd(Halves z, std::size_t m, const OddTwist& odd) {
  for (std::size_t j = 0; j < m; j += 4) {
    ComplexFour in[R], out[R];
    repeat<R>(POSTERN_EACH { load(z.re + j + k * m, z.im + j + k * m, in[k]); });
    if constexpr (forward) {
      repeat<R>(POSTERN_EACH { turn<R, k>(in[k]); });
      small_transform<R, forward>(in, out);
      apply_twist<R, forward>(out, odd, j);
    } else {
      apply_twist<R, forward>(in, odd, j);
      small_transform<R, forward>(in, out);
      repeat<R>(POSTERN_EACH { turn<R, 3 * k>(out[k]); });  // b^-k
    }
    repeat<R>(POSTERN_EACH { store(out[k], z.re + j + k * m, z.im + j + k * m); });
  }
}

template <bool forward>
POSTERN_INLINE void pass_any_odd(Halves z, std::size_t m, const OddTwist& odd) {
  odd.radix == 3 ? pass_odd<3, forward>(z, m, odd) : pass_odd<5, forward>(z, m, odd);
}

}  // namespace postern::fft
