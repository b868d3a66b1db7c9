#pragma once

#include "fft_kernel.hpp"
#include "fft_simd.hpp"

// The bodies of the radix 2 and 4 passes, compiled once per instruction set.

namespace postern::fft {

/// w, w^2, w^3, the twiddles of one split into four.
struct Powers {
  ComplexFour first, second, third;
};

POSTERN_INLINE void make_powers(const ComplexFour& w, Powers& powers) {
  powers.first = w;
  multiply<false>(w, w, powers.second);
  multiply<false>(powers.second, w, powers.third);
}
POSTERN_INLINE void make_powers(Complex w, Powers& powers) {
  ComplexFour wide;
  spread(w.re, wide.re);
  spread(w.im, wide.im);
  make_powers(wide, powers);
}

/// z[0] + z[1] X + z[2] X^2 + z[3] X^3 at X = w, -w, iw, -iw.
POSTERN_INLINE void split(ComplexFour (&z)[4], const Powers& w) {
  ComplexFour t1, t2, t3, even, odd, plus, minus;
  multiply<false>(z[1], w.first, t1);
  multiply<false>(z[2], w.second, t2);
  multiply<false>(z[3], w.third, t3);
  add(z[0], t2, even);
  subtract(z[0], t2, odd);
  add(t1, t3, plus);
  subtract(t1, t3, minus);
  add(even, plus, z[0]);
  subtract(even, plus, z[1]);
  z[2].re = odd.re - minus.im;
  z[2].im = odd.im + minus.re;
  z[3].re = odd.re + minus.im;
  z[3].im = odd.im - minus.re;
}

/// The inverse of split, times 4.
POSTERN_INLINE void join(ComplexFour (&z)[4], const Powers& w) {
  ComplexFour s0, s1, s2, s3, t1, t2, t3;
  add(z[0], z[1], s0);
  subtract(z[0], z[1], s1);
  add(z[2], z[3], s2);
  subtract(z[2], z[3], s3);
  add(s0, s2, z[0]);
  subtract(s0, s2, t2);
  t1.re = s1.re + s3.im;
  t1.im = s1.im - s3.re;
  t3.re = s1.re - s3.im;
  t3.im = s1.im + s3.re;
  multiply<true>(t1, w.first, z[1]);
  multiply<true>(t2, w.second, z[2]);
  multiply<true>(t3, w.third, z[3]);
}

template <bool forward>
POSTERN_INLINE void pass4(Halves z, std::size_t m, Complex w) {
  Powers powers;
  make_powers(w, powers);
  const std::size_t part = m / 4;
  for (std::size_t j = 0; j < part; j += 4) {
    ComplexFour four[4];
    repeat<4>(POSTERN_EACH { load(z.re + j + k * part, z.im + j + k * part, four[k]); });
    if constexpr (forward) {
      split(four, powers);
    } else {
      join(four, powers);
    }
    repeat<4>(POSTERN_EACH { store(four[k], z.re + j + k * part, z.im + j + k * part); });
  }
}

template <bool forward>
POSTERN_INLINE void pass2(Halves z, std::size_t m, Complex w) {
  ComplexFour wide;
  spread(w.re, wide.re);
  spread(w.im, wide.im);
  const Halves high = z + m / 2;
  for (std::size_t j = 0; j < m / 2; j += 4) {
    ComplexFour a, b, t, sum, difference;
    load(z.re + j, z.im + j, a);
    load(high.re + j, high.im + j, b);
    if constexpr (forward) {
      multiply<false>(b, wide, t);
      add(a, t, sum);
      subtract(a, t, difference);
    } else {
      add(a, b, sum);
      subtract(a, b, t);
      multiply<true>(t, wide, difference);
    }
    store(sum, z.re + j, z.im + j);
    store(difference, high.re + j, high.im + j);
  }
}

/// Sixteen coefficients to sixteen points. Between its two splits the block is transposed, and left so: the
/// order of a spectrum does not matter, as long as the inverse undoes it.
POSTERN_INLINE void leaf_forward(Halves z, std::size_t place, const Level* level) {
  ComplexFour four[4];
  repeat<4>(POSTERN_EACH { load(z.re + 4 * k, z.im + 4 * k, four[k]); });
  Powers powers;
  make_powers(Complex{level[0].re[place], level[0].im[place]}, powers);
  split(four, powers);
  transpose(four);
  ComplexFour w;
  load(level[1].re + 4 * place, level[1].im + 4 * place, w);
  make_powers(w, powers);
  split(four, powers);
  repeat<4>(POSTERN_EACH { store(four[k], z.re + 4 * k, z.im + 4 * k); });
}

POSTERN_INLINE void leaf_inverse(Halves z, std::size_t place, const Level* level, const Four& scale) {
  ComplexFour four[4];
  repeat<4>(POSTERN_EACH {
    load(z.re + 4 * k, z.im + 4 * k, four[k]);
    four[k].re *= scale;
    four[k].im *= scale;
  });
  Powers powers;
  ComplexFour w;
  load(level[1].re + 4 * place, level[1].im + 4 * place, w);
  make_powers(w, powers);
  join(four, powers);
  transpose(four);
  make_powers(Complex{level[0].re[place], level[0].im[place]}, powers);
  join(four, powers);
  repeat<4>(POSTERN_EACH { store(four[k], z.re + 4 * k, z.im + 4 * k); });
}

POSTERN_INLINE void rest_forward(Halves z, std::size_t m, std::size_t place, const Level* level) {
  std::size_t nodes = 1;
  for (std::size_t size = m; size > kLeaf; size /= 4, nodes *= 4, place *= 4, ++level) {
    for (std::size_t k = 0; k < nodes; ++k) {
      pass4<true>(z + k * size, size, Complex{level->re[place + k], level->im[place + k]});
    }
  }
  for (std::size_t k = 0; k < nodes; ++k) leaf_forward(z + k * kLeaf, place + k, level);
}

POSTERN_INLINE void rest_inverse(Halves z, std::size_t m, std::size_t place, const Level* level,
                                 double scale) {
  Four wide;
  spread(scale, wide);
  std::size_t nodes = 1;
  for (std::size_t size = m; size > kLeaf; size /= 4, nodes *= 4, place *= 4) ++level;
  for (std::size_t k = 0; k < nodes; ++k) leaf_inverse(z + k * kLeaf, place + k, level, wide);
  for (std::size_t size = 4 * kLeaf; size <= m; size *= 4) {
    --level;
    nodes /= 4;
    place /= 4;
    for (std::size_t k = 0; k < nodes; ++k) {
      pass4<false>(z + k * size, size, Complex{level->re[place + k], level->im[place + k]});
    }
  }
}

template <bool conjugate>
POSTERN_INLINE void multiply_all(Halves a, const double* b_re, const double* b_im, std::size_t m) {
  for (std::size_t j = 0; j < m; j += 4) {
    ComplexFour x, y, product;
    load(a.re + j, a.im + j, x);
    load(b_re + j, b_im + j, y);
    multiply<conjugate>(x, y, product);
    store(product, a.re + j, a.im + j);
  }
}

}  // namespace postern::fft
