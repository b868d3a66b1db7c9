#include "directed.hpp"

namespace postern::owner {
namespace {

constexpr long kBits = 192;         // kept after each rounding
constexpr int kAtanhTerms = 48;     // z <= 1/3: the tail is below 9^-48 < 2^-152 of the sum
constexpr int kExpTerms = 20;       // s <= 2^-8: the tail is below 2^-160
constexpr unsigned kHalvings = 20;  // 4096 = 2^12 -> 2^-8

enum class Direction { down, up };

Rational power_of_two(long exponent) {
  Integer power(1);
  power <<= static_cast<unsigned long>(exponent < 0 ? -exponent : exponent);
  return exponent < 0 ? Rational(Integer(1), power) : Rational(power);
}

long bit_length(const Integer& value) { return static_cast<long>(mpz_sizeinbase(value.get_mpz_t(), 2)); }

/// A neighbour of x >= 0 with about kBits significant bits.
Rational round(const Rational& x, Direction direction) {
  if (sgn(x) == 0) return x;
  const long shift = kBits - (bit_length(x.get_num()) - bit_length(x.get_den()));
  const Rational scaled = x * power_of_two(shift);
  return Rational(direction == Direction::up ? ceil(scaled) : floor(scaled)) * power_of_two(-shift);
}

/// 2 atanh z = ln((1 + z) / (1 - z)) = 2 sum z^(2i+1) / (2i+1), bounded on one side. @pre 0 <= z <= 1/3
Rational twice_atanh(const Rational& z, Direction direction) {
  Rational power = round(z, direction);
  const Rational square = round(power * power, direction);
  Rational sum = 0;
  for (int i = 0; i < kAtanhTerms; ++i) {
    sum += round(power / (2 * i + 1), direction);
    power = round(power * square, direction);
  }
  // What is left is at most power / (2N + 1) times 1 / (1 - z^2) <= 9/8.
  if (direction == Direction::up) sum += power;
  return 2 * sum;
}

/// @pre x >= 1
Rational log_of(const Rational& x, Direction direction) {
  long exponent = bit_length(x.get_num()) - bit_length(x.get_den());
  if (x < power_of_two(exponent)) --exponent;
  const Rational mantissa = x * power_of_two(-exponent);  // in [1, 2)
  const Rational part = twice_atanh((mantissa - 1) / (mantissa + 1), direction);
  return exponent == 0 ? part : Rational(part + exponent * twice_atanh(Rational(1, 3), direction));
}

}  // namespace

Rational log_below(const Rational& x) {
  return x >= 1 ? log_of(x, Direction::down) : Rational(-log_of(1 / x, Direction::up));
}

Rational log_above(const Rational& x) {
  return x >= 1 ? log_of(x, Direction::up) : Rational(-log_of(1 / x, Direction::down));
}

Rational exp_minus_above(const Rational& t) {
  // e^-t = 1 / (e^s)^(2^m), s = t / 2^m: all terms positive, so a bound from below is a truncated sum.
  const Rational s = round(t, Direction::down) * power_of_two(-static_cast<long>(kHalvings));
  Rational term = 1;
  Rational sum = 1;
  for (int i = 1; i <= kExpTerms; ++i) {
    term = round(term * s / i, Direction::down);
    sum += term;
  }
  for (unsigned i = 0; i < kHalvings; ++i) sum = round(sum * sum, Direction::down);
  return 1 / sum;
}

}  // namespace postern::owner
