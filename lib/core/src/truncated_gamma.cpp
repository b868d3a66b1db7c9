#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"
#include "postern/core/truncated.hpp"

#include "truncated_points.hpp"

// Integrated over s = log x, where the density x^shape e^(-rate x) of every gamma law is smooth and
// log-concave, also at x = 0.

namespace postern {
namespace {

/// e^s - 1 - s
double exp_remainder(double s) {
  if (std::abs(s) > 0.5) return std::expm1(s) - s;
  double sum = 0;
  for (int n = 16; n >= 2; --n) sum = (1 + sum) * s / n;
  return sum * s;
}

/// log(x / reference), for x near the reference and for x near 0.
double log_quotient(double x, double reference) {
  const double part = (x - reference) / reference;
  return std::abs(part) < 0.5 ? std::log1p(part) : std::log(x / reference);
}

/// The density of s = log(x / reference), relative to its value at 0:
/// shape s - y (e^s - 1) with y = rate reference, as (shape - y) s - y (e^s - 1 - s).
class LogRatio {
 public:
  LogRatio(double shape, double rate, double reference)
      : y_(rate * reference), slope_((shape - y_) - std::fma(rate, reference, -y_)) {}
  double operator()(double s) const { return slope_ * s - y_ * exp_remainder(s); }

 private:
  double y_;
  double slope_;
};

void add_side(WeightedPoints& points, const LogRatio& log_ratio, double reference, double end) {
  if (end == 0) return;
  const double last = reach(log_ratio, end);
  const double panels = std::max(8.0, std::ceil(std::abs(last)));  // e^s has a length scale of its own
  const auto place = [reference](double s) { return reference * std::expm1(s); };
  for (double k = 0; k < panels; ++k) {
    const double a = last * (k / panels);
    const double b = last * ((k + 1) / panels);
    points.add_panel(std::min(a, b), std::max(a, b), log_ratio, place);
  }
}

/// sum_n y^n / (a)_(n+1), by which the integral of x^(a-1) e^-x to y exceeds y^a e^-y (DLMF 8.7.1).
double lower_series(double a, double y) {
  double term = 1 / a;
  double sum = 0;
  for (int n = 1; n < 200 && sum + term != sum; ++n) {
    sum += term;
    term *= y / (a + n);
  }
  return sum;
}

/// The law on (0, reference], whose density has a pole at 0 for shapes below 1, as the two points that have
/// its mass, mean and variance.
void add_from_zero(WeightedPoints& points, double shape, double rate, double reference) {
  const double y = rate * reference;
  const double mass = lower_series(shape, y);
  const double mean = lower_series(shape + 1, y) / mass;
  const double deviation = std::sqrt(lower_series(shape + 2, y) / mass - mean * mean);
  points.add(reference * (mean - deviation - 1), 0.5 * mass);
  points.add(reference * (mean + deviation - 1), 0.5 * mass);
}

}  // namespace

SegmentMoments truncated_gamma(double shape, double rate, Segment segment) {
  const double from = std::max(0.0, segment.from);
  const double to = segment.to;
  if (to <= from) return no_mass(from);
  const bool pole = from == 0 && shape < 1;
  const double reference = pole ? std::min(to, 1 / rate) : std::clamp(shape / rate, from, to);
  const LogRatio log_ratio(shape, rate, reference);
  WeightedPoints points;
  if (pole) {
    add_from_zero(points, shape, rate, reference);
  } else {
    add_side(points, log_ratio, reference, log_quotient(from, reference));
  }
  add_side(points, log_ratio, reference, log_quotient(to, reference));
  SegmentMoments result = points.moments(reference, log_gamma_density_of_log(shape, rate * reference));
  const double above = std::isinf(to) ? 0 : gamma_tail(shape, rate * to);
  result.log_mass = log_mass_from(gamma_cdf(shape, rate * from) + above, result.log_mass);
  return result;
}

}  // namespace postern
