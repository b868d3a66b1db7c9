#include "postern/owner/gaussian_filter.hpp"

#include "postern/core/error.hpp"
#include "postern/owner/bernoulli.hpp"
#include "postern/owner/digits.hpp"

#include "integers.hpp"

namespace postern::owner {
namespace {

constexpr Uint128 kNowhere = ~static_cast<Uint128>(0);

/// floor(2^bits sqrt(value))
Integer scaled_root(const Rational& value, unsigned bits) {
  Rational scaled;
  mpq_mul_2exp(scaled.get_mpq_t(), value.get_mpq_t(), 2UL * bits);
  return sqrt(floor(scaled));
}

}  // namespace

GaussianFilter::GaussianFilter(const Rational& sigma2) : exp_(FixedExp::tables()), sigma2_(sigma2) {
  if (sigma2 <= 0) throw Error(ErrorCode::bad_value, {"a noise parameter must be positive"});
  const Integer& a = sigma2_.get_num();
  const Integer& b = sigma2_.get_den();
  t_ = scaled_root(sigma2_, 0) + 1;
  const std::size_t size = mpz_sizeinbase(t_.get_mpz_t(), 2);
  if (size > 97) throw Error(ErrorCode::unsupported, {"the noise scale is above 2^96"});
  shift_ = size > 56 ? static_cast<unsigned>(size - 56) : 0;

  // z >= 64 iff y t b - a >= sqrt(128 a b t^2) =: root, an integer on the left: below sigma2/t < sigma, z <
  // 1/2.
  const Integer square = 128 * a * b * t_ * t_;
  Integer root = sqrt(square);
  if (root * root < square) root += 1;
  far_ = to_uint128(ceil(Rational(a + root, t_ * b)));
  certain_ = a % (t_ * b) == 0 ? to_uint128(a / (t_ * b)) : kNowhere;

  Rational inverse = 1 / (2 * sigma2_);
  offset_ = scaled_root(sigma2_ / (2 * Rational(t_ * t_)), 60).get_ui();
  if (far_ <= 1) return;  // only y = 0 reaches the approximation: no slope
  // far > 1 means z(1) < 64, so the slope is below 8 + 1/sqrt(2) and a positive number of extra bits fits 64.
  while (mpz_sizeinbase(scaled_root(inverse, 60 + shift_ + slope_bits_).get_mpz_t(), 2) < 64) ++slope_bits_;
  slope_ = scaled_root(inverse, 60 + shift_ + slope_bits_).get_ui();
}

GaussianFilter::Decision GaussianFilter::decide_wide(Uint128 y, std::uint64_t u) const {
  const std::uint64_t approximation = y < far_ ? approximate(static_cast<std::uint64_t>(y >> shift_)) : 0;
  return settle(approximation, u, y == certain_ ? 1 : 0);
}

Rational GaussianFilter::exponent(Uint128 y) const {
  const Rational distance = Rational(to_integer(y)) - sigma2_ / Rational(t_);
  return distance * distance / (2 * sigma2_);
}

bool GaussianFilter::decide_exactly(Uint128 y, std::uint64_t u, Entropy& entropy) const {
  if (y == certain_) return true;
  const CertifiedProbability keep{CertifiedProbability::Form::exp_minus, exponent(y)};
  const int order = cmp(to_integer(u), digits(keep, 63));
  return order != 0 ? order < 0 : continue_below(keep, 63, entropy);
}

}  // namespace postern::owner
