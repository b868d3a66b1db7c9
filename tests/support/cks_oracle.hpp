#pragma once

#include <cstdint>
#include <type_traits>

#include "postern/core/int128.hpp"
#include "postern/core/rational.hpp"
#include "postern/core/rng.hpp"

namespace postern::oracle {

// The samplers of Canonne, Kamath and Steinke 2020 as printed: slow, with a running time that depends on the
// draw, and sharing nothing with lib/owner. Int is Integer (exact for any parameter) or Uint128 (small
// parameters, faster).

/// A fraction top/bottom >= 0, not necessarily in lowest terms.
template <class Int>
struct Fraction {
  Int top;
  Int bottom;
};

template <class Int>
Int uniform_below(const Int& bound, Rng& rng) {
  if constexpr (std::is_same_v<Int, Uint128>) {
    const Uint128 limit = ~static_cast<Uint128>(0) / bound * bound;
    for (;;) {
      const Uint128 v = static_cast<Uint128>(rng()) << 64 | rng();
      if (v < limit) return v % bound;
    }
  } else {
    const std::size_t bits = mpz_sizeinbase(bound.get_mpz_t(), 2);
    for (;;) {
      Integer v = 0;
      for (std::size_t i = 0; i < bits; i += 64) v = (v << 64) + static_cast<unsigned long>(rng());
      mpz_fdiv_r_2exp(v.get_mpz_t(), v.get_mpz_t(), bits);
      if (v < bound) return v;
    }
  }
}

template <class Int>
bool bernoulli(const Fraction<Int>& p, Rng& rng) {
  return uniform_below(p.bottom, rng) < p.top;
}

/// Algorithm 1 for gamma <= 1: Bernoulli(e^-gamma).
template <class Int>
bool bernoulli_exp_small(const Fraction<Int>& gamma, Rng& rng) {
  unsigned k = 1;
  while (bernoulli<Int>({gamma.top, gamma.bottom * k}, rng)) ++k;
  return k % 2 == 1;
}

/// Algorithm 1.
template <class Int>
bool bernoulli_exp(const Fraction<Int>& gamma, Rng& rng) {
  Int rest = gamma.top;
  for (; rest > gamma.bottom; rest -= gamma.bottom) {
    if (!bernoulli_exp_small<Int>({1, 1}, rng)) return false;
  }
  return bernoulli_exp_small<Int>({rest, gamma.bottom}, rng);
}

template <class Int>
struct Signed {
  Int magnitude;
  bool negative;
};

/// Algorithm 2: P(x) ~ e^-(|x| s/t).
template <class Int>
Signed<Int> discrete_laplace(const Int& s, const Int& t, Rng& rng) {
  for (;;) {
    const Int u = uniform_below(t, rng);
    if (!bernoulli_exp<Int>({u, t}, rng)) continue;
    Int v = 0;
    while (bernoulli_exp_small<Int>({1, 1}, rng)) ++v;
    const Int magnitude = (u + t * v) / s;
    const bool negative = (rng() & 1) != 0;
    if (!negative || magnitude != 0) return {magnitude, negative};
  }
}

/// Algorithm 3: P(x) ~ e^-(x^2 b / 2a).
template <class Int>
Signed<Int> discrete_gaussian(const Int& a, const Int& b, Rng& rng) {
  Int t = 1;  // floor(sigma) + 1
  while (t * t * b <= a) ++t;
  for (;;) {
    const Signed<Int> y = discrete_laplace<Int>(1, t, rng);
    const Int reach = y.magnitude * t * b;
    const Int distance = reach > a ? Int(reach - a) : Int(a - reach);
    if (bernoulli_exp<Int>({distance * distance, 2 * a * b * t * t}, rng)) return y;
  }
}

}  // namespace postern::oracle
