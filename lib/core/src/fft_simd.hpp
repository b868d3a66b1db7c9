#pragma once

#include <cstddef>
#include <utility>

// Four doubles at a time by the compilers' vector extension: two SSE registers or one AVX register.
// Everything is passed by reference and forced inline, so no vector ever crosses a call between instruction
// sets.

#define POSTERN_INLINE inline __attribute__((always_inline))

namespace postern::fft {

using Four = double __attribute__((vector_size(32)));

struct ComplexFour {
  Four re;
  Four im;
};

/// body(0), ..., body(N-1) with constant arguments, so that arrays indexed by them live in registers.
template <class Body, std::size_t... k>
POSTERN_INLINE void repeat(std::index_sequence<k...> /*range*/, const Body& body) {
  (body(std::integral_constant<std::size_t, k>()), ...);
}
template <std::size_t N, class Body>
POSTERN_INLINE void repeat(const Body& body) {
  repeat(std::make_index_sequence<N>(), body);
}
#define POSTERN_EACH [&](auto k) __attribute__((always_inline))

POSTERN_INLINE void load(const double* from, Four& to) { __builtin_memcpy(&to, from, sizeof to); }
POSTERN_INLINE void store(const Four& from, double* to) { __builtin_memcpy(to, &from, sizeof from); }
POSTERN_INLINE void spread(double value, Four& to) { to = Four{value, value, value, value}; }

POSTERN_INLINE void load(const double* re, const double* im, ComplexFour& to) {
  load(re, to.re);
  load(im, to.im);
}
POSTERN_INLINE void store(const ComplexFour& from, double* re, double* im) {
  store(from.re, re);
  store(from.im, im);
}

POSTERN_INLINE void add(const ComplexFour& a, const ComplexFour& b, ComplexFour& sum) {
  sum.re = a.re + b.re;
  sum.im = a.im + b.im;
}
POSTERN_INLINE void subtract(const ComplexFour& a, const ComplexFour& b, ComplexFour& difference) {
  difference.re = a.re - b.re;
  difference.im = a.im - b.im;
}
/// product := a w, or a conj(w).
template <bool conjugate>
POSTERN_INLINE void multiply(const ComplexFour& a, const ComplexFour& w, ComplexFour& product) {
  const Four re = conjugate ? a.re * w.re + a.im * w.im : a.re * w.re - a.im * w.im;
  product.im = conjugate ? a.im * w.re - a.re * w.im : a.im * w.re + a.re * w.im;
  product.re = re;
}

/// Four vectors as the rows of a matrix, turned into its columns.
POSTERN_INLINE void transpose(Four& a, Four& b, Four& c, Four& d) {
  const Four ab_low = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Four ab_high = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four cd_low = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Four cd_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}
POSTERN_INLINE void transpose(ComplexFour (&z)[4]) {
  transpose(z[0].re, z[1].re, z[2].re, z[3].re);
  transpose(z[0].im, z[1].im, z[2].im, z[3].im);
}

}  // namespace postern::fft
