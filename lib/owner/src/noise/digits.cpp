#include "postern/owner/digits.hpp"

#include <algorithm>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

using Form = CertifiedProbability::Form;

Integer power_of_two(unsigned exponent) {
  Integer out;
  mpz_ui_pow_ui(out.get_mpz_t(), 2, exponent);
  return out;
}

Integer shift_down(const Integer& value, unsigned bits) {
  Integer out;
  mpz_fdiv_q_2exp(out.get_mpz_t(), value.get_mpz_t(), bits);
  return out;
}

Integer shift_up_rounded(const Integer& value, unsigned bits) {
  Integer out;
  mpz_cdiv_q_2exp(out.get_mpz_t(), value.get_mpz_t(), bits);
  return out;
}

Integer quotient_up(const Integer& value, unsigned divisor) {
  Integer out;
  mpz_cdiv_q_ui(out.get_mpz_t(), value.get_mpz_t(), divisor);
  return out;
}

/// low <= 2^precision e^x <= high.
struct Bounds {
  Integer low;
  Integer high;
};

/// Taylor bounds for 0 < y <= 1/2, given floor and ceiling of 2^precision y. When the last upper term is one
/// unit, all that follow it sum to less than another: each is at most a quarter of the one before.
Bounds taylor(const Integer& y_low, const Integer& y_high, unsigned precision) {
  Bounds sum{power_of_two(precision), power_of_two(precision)};
  Bounds term = sum;
  for (unsigned n = 1; term.high > 1; ++n) {
    term.low = shift_down(term.low * y_low, precision) / n;
    term.high = quotient_up(shift_up_rounded(term.high * y_high, precision), n);
    sum.low += term.low;
    sum.high += term.high;
  }
  sum.high += 1;
  return sum;
}

/// Least k with x / 2^k < 1/2.
unsigned halvings(const Rational& x) {
  unsigned k = 0;
  for (Rational y = x * 2; y >= 1; y /= 2) ++k;
  return k;
}

Bounds exp_bounds(const Rational& x, unsigned k, unsigned precision) {
  Rational y(x);
  mpq_div_2exp(y.get_mpq_t(), y.get_mpq_t(), k);
  mpq_mul_2exp(y.get_mpq_t(), y.get_mpq_t(), precision);
  Bounds e = taylor(floor(y), ceil(y), precision);
  for (unsigned i = 0; i < k; ++i) {
    e.low = shift_down(e.low * e.low, precision);
    e.high = shift_up_rounded(e.high * e.high, precision);
  }
  return e;
}

/// floor(2^bits p) for the probability whose e^x is e / 2^precision.
Integer scaled_floor(Form form, const Integer& e, unsigned precision, unsigned bits) {
  const Integer one = power_of_two(precision);
  switch (form) {
    case Form::exp_minus:
      return power_of_two(precision + bits) / e;
    case Form::logistic:
      return power_of_two(precision + bits) / (one + e);
    case Form::half_tanh:
      return ((e - one) << bits) / (e + one);
  }
  return 0;
}

/// Bits to add so that a tiny x is not rounded away in the first round.
unsigned smallness(const Rational& x) {
  const std::size_t top = mpz_sizeinbase(x.get_num_mpz_t(), 2);
  const std::size_t bottom = mpz_sizeinbase(x.get_den_mpz_t(), 2);
  return bottom > top ? static_cast<unsigned>(bottom - top) : 0;
}

}  // namespace

Integer digits(const CertifiedProbability& p, unsigned bits) {
  if (p.x <= 0) throw Error(ErrorCode::internal, {"digits are asked of a probability outside (0, 1)"});
  // e^-x and 1/(1+e^x) are below e^-bits < 2^-bits; 1 - tanh(x/2) = 2/(1+e^x) is below 2 e^-(bits+1) <
  // 2^-bits.
  if (p.x >= bits + 1) return p.form == Form::half_tanh ? Integer(power_of_two(bits) - 1) : Integer(0);
  const unsigned k = halvings(p.x);
  for (unsigned precision = bits + k + 64 + smallness(p.x);; precision *= 2) {
    const Bounds e = exp_bounds(p.x, k, precision);
    Integer one = scaled_floor(p.form, e.low, precision, bits);
    const Integer other = scaled_floor(p.form, e.high, precision, bits);
    if (one == other) return one;
  }
}

}  // namespace postern::owner
