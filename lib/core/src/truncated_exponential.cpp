#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"
#include "postern/core/truncated.hpp"

#include "truncated_points.hpp"

// The exponential law on [0, 1] at rate z has mean g(z) = 1/z - 1/(e^z - 1) and variance
// h(z) = 1/z^2 - 1/(4 sinh^2(z/2)) = -g'(z). The geometric law on 0..L-1 with (1 - theta) = e^-z is made of
// the same: mean L g(Lz) - g(z), variance L^2 h(Lz) - h(z).

namespace postern {
namespace {

/// B_2k / (2k)!
constexpr double kBernoulli[] = {1.0 / 12,
                                 -1.0 / 720,
                                 1.0 / 30240,
                                 -1.0 / 1209600,
                                 1.0 / 47900160,
                                 -691.0 / 1307674368000,
                                 1.0 / 74724249600,
                                 -3617.0 / 10670622842880000,
                                 43867.0 / 5109094217170944000,
                                 -174611.0 / 802857662698291200000.0};
constexpr int kTerms = 10;

/// Below this z the closed forms cancel and the series are exact to rounding.
constexpr double kSeriesBelow = 1;

/// g(z) = 1/2 - sum_k B_2k/(2k)! z^(2k-1)
double mean_series(double z) {
  double sum = 0;
  for (int k = kTerms - 1; k >= 0; --k) sum = kBernoulli[k] + z * z * sum;
  return 0.5 - z * sum;
}

/// h(z) = sum_k (2k-1) B_2k/(2k)! z^(2k-2)
double variance_series(double z) {
  double sum = 0;
  for (int k = kTerms - 1; k >= 0; --k) sum = (2 * k + 1) * kBernoulli[k] + z * z * sum;
  return sum;
}

/// scale/(e^(scale z) - 1) and its square times e^(scale z): what a bound at `scale` takes off.
double mean_cut(double z, double scale) { return std::isinf(scale) ? 0 : scale / std::expm1(scale * z); }

double variance_cut(double z, double scale) {
  if (std::isinf(scale)) return 0;
  const double root = 0.5 * scale / std::sinh(0.5 * scale * z);
  return root * root;
}

}  // namespace

SegmentMoments truncated_exponential(double rate, Segment segment) {
  const double from = std::max(0.0, segment.from);
  if (segment.to <= from) return no_mass(from);
  const double width = segment.to - from;
  const double z = rate * width;
  const double log_mass = -rate * from + log1m_exp(-z);
  if (z < kSeriesBelow) {
    return {log_mass, from + width * mean_series(z), width * width * variance_series(z)};
  }
  return {log_mass, from + (1 / rate - mean_cut(rate, width)), 1 / (rate * rate) - variance_cut(rate, width)};
}

SegmentMoments truncated_geometric(double theta, Segment segment) {
  const double from = std::max(0.0, std::ceil(segment.from));
  const double to = std::floor(segment.to);
  if (to < from) return no_mass(from);
  if (theta == 1) return from == 0 ? SegmentMoments{0, 0, 0} : no_mass(from);
  const double z = -std::log1p(-theta);
  const double length = to - from + 1;
  const double log_mass = -z * from + log1m_exp(-z * length);
  if (length == 1) return {log_mass, from, 0};
  if (z * length < kSeriesBelow) {
    return {log_mass, from + (length * mean_series(z * length) - mean_series(z)),
            length * length * variance_series(z * length) - variance_series(z)};
  }
  return {log_mass, from + (mean_cut(z, 1) - mean_cut(z, length)),
          variance_cut(z, 1) - variance_cut(z, length)};
}

}  // namespace postern
