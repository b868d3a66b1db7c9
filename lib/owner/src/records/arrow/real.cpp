#include "real.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "postern/core/mutant.hpp"
#include "postern/core/rational.hpp"
#include "postern/model/level_steps.hpp"

#include "spell.hpp"

namespace postern::owner {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Up to this many steps are compared one by one, without a branch.
constexpr std::size_t kFew = 24;

/// Negative, zero or positive: the shortest decimal of a float is below, at or above a bound.
int compare_decimal(double value, const Rational& bound) {
  const ShortestDecimal decimal(value);
  std::uint64_t digits = 0;  // at most 17
  (void)std::from_chars(decimal.digits().data(), decimal.digits().data() + decimal.digits().size(), digits);
  Integer left(digits);
  if (value < 0) left = -left;
  Integer right = bound.get_num();
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(decimal.exponent())));
  (decimal.exponent() < 0 ? right : left) *= power;
  left *= bound.get_den();
  return cmp(left, right);
}

/// The least float whose shortest decimal is >= bound, or > bound. All larger floats are, too: they have
/// larger decimals.
double least_float(const Rational& bound, bool strictly) {
  const auto reaches = [&](double x) {
    if (std::isinf(x)) return x > 0;
    // Mutant 33: a float is what its binary digits say, whatever its text in other files says.
    const int order = mutant(33) ? cmp(Rational(x), bound) : compare_decimal(x, bound);
    return strictly ? order > 0 : order >= 0;
  };
  double x = bound.get_d();  // within one step of the bound, or infinite
  if (!reaches(x)) {
    do x = std::nextafter(x, kInfinity);
    while (!reaches(x));
    return x;
  }
  double below = std::nextafter(x, -kInfinity);
  for (; reaches(below); below = std::nextafter(x, -kInfinity)) x = below;
  return x;
}

}  // namespace

RealCodes::RealCodes(const model::Column& column, const model::Encoder& encoder)
    : missing_(encoder.missing()) {
  const model::LevelSteps steps(column);
  whole_only_ = steps.whole_only();
  steps_.reserve(std::size_t{steps.levels()} + 1);
  for (std::uint32_t level = 0; level < steps.levels(); ++level)
    steps_.push_back(least_float(steps.begin(level), false));
  const bool rising =
      std::adjacent_find(steps_.begin(), steps_.end(), std::greater_equal<>()) == steps_.end();
  steps_.push_back(least_float(steps.top(), true));
  codes_.push_back(encoder.encode(model::Field("-inf")));
  for (std::uint32_t level = 0; level < steps.levels(); ++level) codes_.push_back(level);
  codes_.push_back(encoder.encode(model::Field("inf")));
  std::vector<std::int64_t> orders;
  orders.reserve(steps_.size());
  for (const double step : steps_) orders.push_back(order_of(step));
  search_ = StepSearch(orders);
  if (steps_.size() > kFew && rising && steps.stride() > 0) per_unit_ = Rational(1 / steps.stride()).get_d();
}

std::size_t RealCodes::passed(double value) const {
  if (steps_.size() <= kFew) {
    std::size_t count = 0;
    for (const double step : steps_) count += step <= value ? 1 : 0;
    return count;
  }
  if (value < steps_.front()) return 0;
  if (value >= steps_.back()) return steps_.size();
  if (per_unit_ == 0) {
    return static_cast<std::size_t>(std::upper_bound(steps_.begin(), steps_.end(), value) - steps_.begin());
  }
  // A guess, then what is true.
  const double guess = (value - steps_.front()) * per_unit_ + 1.5;
  auto count = static_cast<std::size_t>(std::min(guess, static_cast<double>(steps_.size() - 1)));
  while (steps_[count] <= value) ++count;
  while (steps_[count - 1] > value) --count;
  return count;
}

float widen_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1Fu;
  const std::uint32_t fraction = bits & 0x3FFu;
  if (exponent == 0) {
    const float small = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -small : small;
  }
  const std::uint32_t wide = exponent == 0x1F ? 0xFFu : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

}  // namespace postern::owner
