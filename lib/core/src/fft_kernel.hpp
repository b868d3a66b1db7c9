#pragma once

#include <cstddef>

namespace postern::fft {

// How the transform works. A sequence x of 2h reals is read as the complex polynomial z = x[0..h) + i
// x[h..2h), that is, x reduced modulo X^h - i (the "right-angle" convolution). The two halves of the buffer
// are the real and imaginary parts: nothing is packed or unpacked, and the product of two spectra is a plain
// complex product.
//
// A node is a polynomial modulo X^m - e^(2 pi i v). It splits into four modulo X^(m/4) - r, r^4 = e^(2 pi i
// v), by one twiddle w = e^(2 pi i v/4) for the whole node. Number the nodes so that p has the children
// 4p..4p+3; then v(p) is the bits of p mirrored behind the binary point, whatever the level. i is node 2 and
// -i is node 3.

/// One complex sequence in split form.
struct Halves {
  double* re;
  double* im;
};
inline Halves operator+(Halves z, std::size_t offset) { return {z.re + offset, z.im + offset}; }

/// One that is only read.
struct Points {
  const double* re;
  const double* im;
};

struct Complex {
  double re;
  double im;
};

/// Twiddles of the nodes of one level, in order.
struct Level {
  const double* re;
  const double* im;
};

inline constexpr std::size_t kLeaf = 16;       ///< coefficients of the smallest node
inline constexpr std::size_t kInCache = 1024;  ///< nodes up to here are finished one after the other
inline constexpr int kMaxOdd = 5;

/// Twiddles of the first split into an odd number of nodes: e^(2 pi i j k / (radix m)) at twist[k-1][j].
struct OddTwist {
  int radix;
  Level twist[(kMaxOdd - 1) / 2];
};

/// The passes over memory. `inverse` passes undo `forward` ones up to a factor, the number of parts of the
/// split.
struct Kernels {
  /// Splits one node of m coefficients in two, or in four.
  void (*forward2)(Halves z, std::size_t m, Complex w);
  void (*inverse2)(Halves z, std::size_t m, Complex w);
  void (*forward4)(Halves z, std::size_t m, Complex w);
  void (*inverse4)(Halves z, std::size_t m, Complex w);
  /// Takes the node `place` of its level, of m = 16 * 4^k <= kInCache coefficients, down to single points.
  void (*forward_rest)(Halves z, std::size_t m, std::size_t place, const Level* level);
  void (*inverse_rest)(Halves z, std::size_t m, std::size_t place, const Level* level, double scale);
  /// Splits X^(radix m) - i into `radix` nodes, twisted so that each is the node of i (radix 5) or -i (radix
  /// 3).
  void (*forward_odd)(Halves z, std::size_t m, const OddTwist& twist);
  void (*inverse_odd)(Halves z, std::size_t m, const OddTwist& twist);
  void (*multiply)(Halves a, const double* b_re, const double* b_im, std::size_t m);
  void (*multiply_conjugate)(Halves a, const double* b_re, const double* b_im, std::size_t m);
  /// a := a^n at each of m points.
  void (*raise)(Halves a, std::size_t m, std::size_t n);
  /// Adds to lane[4 i..4 i + 3] four parts of the real scalar product of a^(first + i) and b, i < count.
  void (*multiply_powers)(Points a, Points b, std::size_t m, std::size_t first, double* lane,
                          std::size_t count);
};

/// The fastest kernels this processor can run. All give the same bits: wider vectors, but no fused
/// multiply-add.
[[nodiscard]] const Kernels& kernels();
/// The kernels for AVX2, or null in a build without them.
[[nodiscard]] const Kernels* avx2_kernels();

}  // namespace postern::fft
