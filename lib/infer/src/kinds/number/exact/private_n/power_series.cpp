#include "power_series.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace postern::infer {
namespace {

using Complex = std::complex<double>;

constexpr double kNegligible = -60;
constexpr double kNear = 0.01;

/// e^z - 1 with all its digits where z is small.
Complex expm1_of(Complex z) {
  const double less = std::expm1(z.real());
  const double half = std::sin(0.5 * z.imag());
  const double cos_less = -2 * half * half;
  return {less * (1 + cos_less) + cos_less, (1 + less) * std::sin(z.imag())};
}

/// 1 + e^step + e^{2 step} + ...
Complex geometric(Complex step, double terms) {
  const Complex one = expm1_of(step);
  return one == Complex(0) ? terms : expm1_of(terms * step) / one;
}

/// From the end of the stretch at which g times the power is higher.
Complex stretch_sum(const Stretch& stretch, const ComplexPower& power) {
  const double terms = stretch.last - stretch.first + 1;
  const Complex step(stretch.slope + power.log_size,
                     std::remainder(power.angle + power.turn, 2 * std::numbers::pi));
  const bool rises = step.real() > 0;
  const double start = rises ? stretch.last : stretch.first;
  const double log_g = stretch.log_anchor + stretch.slope * (start - stretch.anchor);
  const double log_size = log_g + start * power.log_size;
  if (log_size < kNegligible) return 0;
  return std::polar(std::exp(log_size), start * power.angle + (start - power.from) * power.turn) *
         geometric(rises ? -step : step, terms);
}

Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

PowerSeries::PowerSeries(const TiltedNoise& g) {
  if (g.noise.precision == 0) {
    for (const Stretch& stretch : stretches_of(g)) {
      const double keep = std::exp(std::min(-stretch.slope, 0.0));
      const double grow = std::exp(std::min(stretch.slope, 0.0));
      const double first = keep * std::exp(g.log_at(stretch.first));
      const double past = grow * std::exp(g.log_at(stretch.last));
      parts_.push_back({stretch, keep, grow, first, past});
    }
    return;
  }
  const double inside = std::clamp(std::round(g.peak), g.lo, g.hi);
  const double deviation = 1 / std::sqrt(g.noise.precision);
  const double reach = std::ceil(std::sqrt(-2 * kNegligible) * deviation) + 1;
  first_ = std::max(g.lo, inside - reach);
  for (double n = first_; n <= std::min(g.hi, inside + reach); ++n) value_.push_back(std::exp(g.log_at(n)));
}

Complex PowerSeries::sum(const ComplexPower& power) const {
  const Complex step = std::polar(std::exp(power.log_size), power.angle + power.turn);
  if (!value_.empty()) return listed_sum(power, step);
  Complex sum = 0;
  Complex here = power.at(parts_.front().stretch.first);
  for (const Part& part : parts_) {
    const Complex next = power.at(part.stretch.last + 1);
    const Complex left = part.keep - part.grow * step;
    const double size = std::norm(left);
    // Near 0 it has lost its digits.
    if (size > kNear) {
      sum += product(part.first * here - part.past * next, std::conj(left)) / size;
    } else {
      sum += stretch_sum(part.stretch, power);
    }
    here = next;
  }
  return sum;
}

/// Horner's rule from the last number down: the power's size does not rise with n.
Complex PowerSeries::listed_sum(const ComplexPower& power, Complex step) const {
  Complex sum = 0;
  for (std::size_t i = value_.size(); i-- > 0;) sum = product(sum, step) + value_[i];
  return product(sum, power.at(first_));
}

}  // namespace postern::infer
