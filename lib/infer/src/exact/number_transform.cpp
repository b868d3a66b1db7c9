#include "exact/number_transform.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "exact/number_panels.hpp"

namespace postern::infer {
namespace {

using Complex = std::complex<double>;

constexpr double kNegligible = -60;
constexpr double kMostDirect = 4096;

/// e^z - 1
Complex expm1(double re, double im) {
  const double half = std::sin(0.5 * im);
  return {std::expm1(re) * std::cos(im) - 2 * half * half, std::exp(re) * std::sin(im)};
}

/// Integers between two kinks, where log g is a line, or a line and a parabola.
struct Stretch {
  double first = 0;
  double last = 0;
  double slope = 0;  ///< of the kinks, and minus lambda
  double anchor = 0;
  double log_anchor = 0;  ///< log g there

  /// log g on this stretch, also continued past its ends.
  [[nodiscard]] double log_at(double s, const SumNoise& noise) const {
    const double smooth =
        -0.5 * noise.precision * (s - anchor) * (s - noise.centre + (anchor - noise.centre));
    return log_anchor + slope * (s - anchor) + smooth;
  }
};

std::vector<Stretch> stretches_of(const TiltedNoise& g) {
  std::vector<Stretch> out;
  double first = g.lo;
  double slope = -g.lambda;
  for (const auto& kink : g.noise.kinks) slope += kink.rate;
  const auto add = [&](double last) {
    if (last < first) return;
    Stretch stretch{first, last, slope, 0, 0};
    const double smooth = -g.noise.precision * (first - g.noise.centre);
    stretch.anchor = slope + smooth > 0 ? last : first;
    stretch.log_anchor = g.log_at(stretch.anchor);
    out.push_back(stretch);
    first = last + 1;
  };
  for (const auto& kink : g.noise.kinks) {
    add(std::min(std::floor(kink.at), g.hi));
    slope -= 2 * kink.rate;
  }
  add(g.hi);
  return out;
}

/// Geometric series from the stretch's higher end.
void add_geometric(const Stretch& stretch, double s0, double period, Spectrum& out) {
  if (stretch.log_anchor < kNegligible) return;
  const double top = std::exp(stretch.log_anchor);
  const double terms = stretch.last - stretch.first + 1;
  const double fall = -std::abs(stretch.slope);
  const double direction = stretch.anchor == stretch.last && terms > 1 ? 1 : -1;
  for (std::size_t j = 0; j < out.re.size(); ++j) {
    const double u = 2 * std::numbers::pi * static_cast<double>(j) / period;
    const double turn = direction * u;
    const Complex step = expm1(fall, turn);
    const Complex series = step == 0.0 ? Complex(terms) : expm1(fall * terms, turn * terms) / step;
    const double angle = -u * (stretch.anchor - s0);
    const Complex value = top * series * Complex(std::cos(angle), std::sin(angle));
    out.re[j] += value.real();
    out.im[j] += value.imag();
  }
}

/// Where the noise is evaluated: sum_i (value_i - i u slope_i) e^{-i u offset_i}.
struct Points {
  std::vector<double> offset;
  std::vector<double> value;
  std::vector<double> slope;
  void add(double x, double v, double d = 0) {
    offset.push_back(x);
    value.push_back(v);
    slope.push_back(d);
  }
};

/// The last s from `inside` towards `end` at which g counts, roughly; log g is concave.
double reach(const TiltedNoise& g, double inside, double end) {
  if (g.log_at(end) > kNegligible) return end;
  double near = inside;
  double far = end;
  for (int step = 0; step < 60 && std::abs(far - near) > 1; ++step) {
    const double middle = near + 0.5 * (far - near);
    (g.log_at(middle) > kNegligible ? near : far) = middle;
    if (g.log_at(far) > kNegligible - 10) break;
  }
  return std::round(far);
}

void add_integrated(const Stretch& stretch, const TiltedNoise& g, double scale, Points& points) {
  const double from = stretch.first - 0.5;
  const double to = stretch.last + 0.5;
  const double panels = std::ceil((to - from) / (2 * scale));
  for (double k = 0; k < panels; ++k) {
    const double half = 0.5 * (to - from) / panels;
    const double middle = from + (2 * k + 1) * half;
    for (const auto& [node, weight] : kPanelNodes) {
      const double s = middle + half * node;
      points.add(s - g.s0, half * weight * std::exp(stretch.log_at(s, g.noise)));
    }
  }
  // Sum = integral between half-integers - (1/24) [g'] + ...
  for (const double sign : {-1.0, 1.0}) {
    const double s = sign < 0 ? from : to;
    const double value = -sign / 24 * std::exp(stretch.log_at(s, g.noise));
    points.add(s - g.s0, value * (stretch.slope - g.noise.precision * (s - g.noise.centre)), value);
  }
}

Points points_of(TiltedNoise g, double deviation) {
  const double inside = std::clamp(std::round(g.s0), g.lo, g.hi);
  g.lo = reach(g, inside, g.lo);
  g.hi = reach(g, inside, g.hi);
  Points points;
  if (g.hi - g.lo < kMostDirect) {
    for (double s = g.lo; s <= g.hi; ++s) points.add(s - g.s0, std::exp(g.log_at(s)));
    return points;
  }
  double scale = std::min(deviation, 1 / std::sqrt(g.noise.precision));
  for (const auto& kink : g.noise.kinks) scale = std::min(scale, 2 / kink.rate);
  for (const Stretch& stretch : stretches_of(g)) add_integrated(stretch, g, scale, points);
  return points;
}

void add_points(const Points& points, double period, Spectrum& out) {
  const double u1 = 2 * std::numbers::pi / period;
  for (std::size_t i = 0; i < points.offset.size(); ++i) {
    const double cos1 = std::cos(u1 * points.offset[i]);
    const double sin1 = -std::sin(u1 * points.offset[i]);
    double re = 1;
    double im = 0;
    for (std::size_t j = 0; j < out.re.size(); ++j) {
      const double slope = -u1 * static_cast<double>(j) * points.slope[i];
      out.re[j] += points.value[i] * re - slope * im;
      out.im[j] += points.value[i] * im + slope * re;
      const double next = re * cos1 - im * sin1;
      im = re * sin1 + im * cos1;
      re = next;
    }
  }
}

}  // namespace

void transform_noise(const TiltedNoise& g, double period, double deviation, Spectrum& out) {
  std::fill(out.re.begin(), out.re.end(), 0.0);
  std::fill(out.im.begin(), out.im.end(), 0.0);
  if (g.noise.precision > 0) {
    add_points(points_of(g, deviation), period, out);
  } else {
    for (const Stretch& stretch : stretches_of(g)) add_geometric(stretch, g.s0, period, out);
  }
}

}  // namespace postern::infer
