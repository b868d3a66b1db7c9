#include "noise_transform.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "numeric/gauss_legendre.hpp"

namespace postern::infer {
namespace {

using Complex = std::complex<double>;

constexpr double kNegligible = -60;
constexpr double kMostDirect = 4096;
constexpr double kFewDirect = 160;
constexpr double kTurns = 8;
constexpr double kPeakPlace = 1e-3;  ///< how well the peak of g is known
constexpr double kPeakNats = 1e-2;
constexpr double kGaussianReach = 11;  ///< deviations at which a Gaussian is negligible

/// e^{i j angle} for j = 0, 1, ...: cos - 1 and sin, which keep their digits where the angle is small.
struct Turning {
  double cos1, sin1;
  double cos = 0;
  double sin = 0;
  explicit Turning(double angle)
      : cos1(-2 * std::sin(0.5 * angle) * std::sin(0.5 * angle)), sin1(std::sin(angle)) {}
  void next() {
    const double c = cos + cos1 + (cos * cos1 - sin * sin1);
    sin = sin + sin1 + (cos * sin1 + sin * cos1);
    cos = c;
  }
  /// e^{fall + i j angle} - 1
  [[nodiscard]] Complex less_one(double fall_less_one) const {
    return {fall_less_one * (1 + cos) + cos, (1 + fall_less_one) * sin};
  }
};

}  // namespace

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

namespace {

/// Geometric series from the stretch's higher end.
void add_geometric(const Stretch& stretch, double s0, double period, Spectrum& out) {
  if (stretch.log_anchor < kNegligible) return;
  const double top = std::exp(stretch.log_anchor);
  const double terms = stretch.last - stretch.first + 1;
  const double fall = -std::abs(stretch.slope);
  const double direction = stretch.anchor == stretch.last && terms > 1 ? 1 : -1;
  const double u1 = 2 * std::numbers::pi / period;
  Turning step(direction * u1);
  // Whole turns make no difference, and a smaller angle is a better one.
  Turning all(std::remainder(direction * terms, period) * u1);
  Turning start(-u1 * (stretch.anchor - s0));
  const double step_fall = std::expm1(fall);
  const double all_fall = std::expm1(fall * terms);
  for (std::size_t j = 0; j < out.re.size(); ++j) {
    const Complex one = step.less_one(step_fall);
    const double size = one.real() * one.real() + one.imag() * one.imag();
    const Complex many = all.less_one(all_fall);
    // many / one
    double re = terms;
    double im = 0;
    if (size > 0) {
      re = (many.real() * one.real() + many.imag() * one.imag()) / size;
      im = (many.imag() * one.real() - many.real() * one.imag()) / size;
    }
    out.re[j] += top * (re * (1 + start.cos) - im * start.sin);
    out.im[j] += top * (re * start.sin + im * (1 + start.cos));
    step.next();
    all.next();
    start.next();
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

Points points_of(TiltedNoise g, double deviation, double highest) {
  const double inside = std::clamp(std::round(g.peak), g.lo, g.hi);
  g.lo = reach(g, inside, g.lo);
  g.hi = reach(g, inside, g.hi);
  Points points;
  double scale = std::min(deviation, 1 / std::sqrt(g.noise.precision));
  for (const auto& kink : g.noise.kinks) scale = std::min(scale, 2 / kink.rate);
  scale = std::min(scale, kTurns / highest);  // 16 points of a panel follow 16 radians
  const double width = g.hi - g.lo;
  const double integrated = 8 * width / scale;
  if (width < std::max(g.noise.kinks.empty() ? kFewDirect : kMostDirect, integrated)) {
    for (double s = g.lo; s <= g.hi; ++s) points.add(s - g.s0, std::exp(g.log_at(s)));
    return points;
  }
  for (const Stretch& stretch : stretches_of(g)) add_integrated(stretch, g, scale, points);
  return points;
}

void add_points(const Points& points, double period, Spectrum& out) {
  constexpr std::size_t kLanes = 8;
  const double u1 = 2 * std::numbers::pi / period;
  const std::size_t size = (points.offset.size() + kLanes - 1) / kLanes * kLanes;
  std::vector<double> value(size), slope(size), cos1(size), sin1(size), re(size, 1.0), im(size);
  for (std::size_t i = 0; i < points.offset.size(); ++i) {
    value[i] = points.value[i];
    slope[i] = points.slope[i];
    cos1[i] = std::cos(u1 * points.offset[i]);
    sin1[i] = -std::sin(u1 * points.offset[i]);
  }
  for (std::size_t j = 0; j < out.re.size(); ++j) {
    const double u = -u1 * static_cast<double>(j);
    double sum_re[kLanes] = {};
    double sum_im[kLanes] = {};
    for (std::size_t i = 0; i < size; i += kLanes) {
      // Plain pointers: checked indices would keep the loop from being vectorised.
      const double* v = value.data() + i;
      const double* d = slope.data() + i;
      const double* c1 = cos1.data() + i;
      const double* s1 = sin1.data() + i;
      double* x = re.data() + i;
      double* y = im.data() + i;
      for (std::size_t l = 0; l < kLanes; ++l) {
        sum_re[l] += v[l] * x[l] - u * d[l] * y[l];
        sum_im[l] += v[l] * y[l] + u * d[l] * x[l];
        const double next = x[l] * c1[l] - y[l] * s1[l];
        y[l] = x[l] * s1[l] + y[l] * c1[l];
        x[l] = next;
      }
    }
    for (std::size_t l = 0; l < kLanes; ++l) {
      out.re[j] += sum_re[l];
      out.im[j] += sum_im[l];
    }
  }
}

/// Values with Gaussian noise alone, all of them inside: Poisson's summation formula, of which one term is
/// left where the deviation is 3 or more.
bool add_gaussian(const TiltedNoise& g, double period, Spectrum& out) {
  const double variance = 1 / g.noise.precision;
  const double deviation = std::sqrt(variance);
  const double middle = g.noise.centre - g.lambda * variance;
  const bool inside =
      middle - kGaussianReach * deviation > g.lo && middle + kGaussianReach * deviation < g.hi;
  if (!g.noise.kinks.empty() || deviation < 3 || !inside) return false;
  const double mass = std::exp(g.log_at(middle)) * deviation * std::sqrt(2 * std::numbers::pi);
  for (std::size_t j = 0; j < out.re.size(); ++j) {
    const double u = 2 * std::numbers::pi * static_cast<double>(j) / period;
    const double size = mass * std::exp(-0.5 * variance * u * u);
    const double angle = -u * (middle - g.s0);
    out.re[j] = size * std::cos(angle);
    out.im[j] = size * std::sin(angle);
  }
  return true;
}

}  // namespace

/// log g is concave: bisection for the place where its slope changes sign, until that moves log g by little.
TiltedNoise::TiltedNoise(const SumNoise& noise_of, double tilt, double from, double least, double most)
    : noise(noise_of), lambda(tilt), s0(from), lo(least), hi(most), peak(std::clamp(from, least, most)) {
  const auto rises = [&](double s) { return noise.slopes(s).right > lambda; };
  const auto falls = [&](double s) { return noise.slopes(s).left < lambda; };
  if (!rises(peak) && !falls(peak)) return;
  const bool up = rises(peak);
  const auto goes_on = [&](double s) { return up ? rises(s) : falls(s); };
  double inside = peak;
  double end = up ? hi : lo;
  if (goes_on(end)) {
    peak = end;
    return;
  }
  const auto much = [&] {
    const auto [left, right] = noise.slopes(inside);
    const double gap = std::abs(end - inside);
    return gap > kPeakPlace || gap * std::abs((up ? right : left) - lambda) > kPeakNats;
  };
  for (int step = 0; step < 200 && much(); ++step) {
    const double middle = inside + 0.5 * (end - inside);
    if (middle == inside || middle == end) break;
    (goes_on(middle) ? inside : end) = middle;
  }
  peak = inside;
}

void transform_noise(const TiltedNoise& g, double period, double deviation, Spectrum& out) {
  std::fill(out.re.begin(), out.re.end(), 0.0);
  std::fill(out.im.begin(), out.im.end(), 0.0);
  if (g.noise.precision > 0) {
    const double highest = 2 * std::numbers::pi * static_cast<double>(out.re.size()) / period;
    if (!add_gaussian(g, period, out)) add_points(points_of(g, deviation, highest), period, out);
  } else {
    for (const Stretch& stretch : stretches_of(g)) add_geometric(stretch, g.s0, period, out);
  }
}

}  // namespace postern::infer
