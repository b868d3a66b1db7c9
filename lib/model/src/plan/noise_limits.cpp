#include "postern/model/noise_limits.hpp"

#include <cstdlib>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

Integer power_of_ten(int exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(exponent));
  return power;
}

bool too_long(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 10) > kMostNoiseDigits; }

/// In units of 10^-places: up, or down.
Rational rounded(const Rational& value, int places, bool up) {
  const Integer scale = power_of_ten(places);
  const Rational scaled = value * scale;
  Integer whole;
  if (up) {
    mpz_cdiv_q(whole.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  } else {
    mpz_fdiv_q(whole.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  }
  Rational out(whole, scale);
  out.canonicalize();
  return out;
}

}  // namespace

bool noise_in_range(const Rational& parameter) {
  return parameter * power_of_ten(-kLeastNoiseExponent) >= 1 && parameter <= power_of_ten(kMostNoiseExponent);
}

Noise writable_noise(const Noise& noise) {
  if (!noise_in_range(noise.parameter)) {
    throw Error(ErrorCode::bad_budget,
                {"so small an amount for so fine a grid needs noise past what a release can hold (lambda and "
                 "sigma^2 lie in 10^-18..10^30); declare a coarser grid or a narrower range, or spend more"});
  }
  if (!too_long(noise.parameter.get_num()) && !too_long(noise.parameter.get_den())) return noise;
  const int places = noise.parameter < 1 ? 40 : 21;  // at most 52 digits either way
  // sigma^2 is wider when larger; lambda, and the scale of scores, when smaller.
  return {noise.kind, rounded(noise.parameter, places, noise.kind == NoiseKind::discrete_gaussian)};
}

}  // namespace postern::model
