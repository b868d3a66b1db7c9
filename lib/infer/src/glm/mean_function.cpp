#include "mean_function.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kFirst = -30;  // a Poisson mean of 1e-13
constexpr double kLast = 30;
constexpr double kPerUnit = 32;

/// Of min(count, most), count ~ Poisson(e^a), scaled to -1..1.
MeanFunction::At clamped_count(double a, double most) {
  const double rate = std::exp(a);
  const auto at_most = [&](double k) { return k < 0 ? 0 : gamma_tail(k + 1, rate); };
  const double below = at_most(most - 1);  // P(count < most)
  const double two_below = at_most(most - 2);
  const double beyond = gamma_cdf(most + 1, rate);  // P(count > most)
  const double mean = rate * below + most * beyond;
  const double square = rate * rate * two_below + rate * below + most * most * beyond;
  // d E f / d rate = E[f(count + 1) - f(count)]; f grows by 1, or by 2 count + 1, below `most` and then not.
  const double mean_slope = rate * below;
  const double square_slope = rate * (2 * rate * two_below + below);
  const double unit = 2 / most;
  return {unit * mean - 1, unit * mean_slope, unit * unit * square - 2 * unit * mean + 1,
          unit * unit * square_slope - 2 * unit * mean_slope};
}

/// The cubic through two points with their slopes, at a share t of the step between them; and its slope.
void interpolate(double t, double step, double left, double left_slope, double right, double right_slope,
                 double& value, double& slope) {
  const double a = step * left_slope - (right - left);
  const double b = (right - left) - step * right_slope;
  const double s = 1 - t;
  value = s * left + t * right + t * s * (a * s + b * t);
  slope = (right - left + (1 - 2 * t) * (a * s + b * t) + t * s * (b - a)) / step;
}

}  // namespace

MeanFunction::MeanFunction(const GlmLaw& law) : counts_(law.counts()) {
  if (!counts_) return;
  const auto points = static_cast<std::size_t>((kLast - kFirst) * kPerUnit) + 1;
  for (std::size_t i = 0; i < points; ++i)
    table_.push_back(clamped_count(kFirst + static_cast<double>(i) / kPerUnit, law.most_counted));
}

MeanFunction::At MeanFunction::at(double a) const {
  if (!counts_) {
    const double mean = std::tanh(0.5 * a);
    return {mean, 0.5 * (1 - mean * mean), 1, 0};
  }
  const double place = (std::clamp(a, kFirst, kLast) - kFirst) * kPerUnit;
  const std::size_t left = std::min(static_cast<std::size_t>(place), table_.size() - 2);
  const double t = place - static_cast<double>(left);
  const At& from = table_[left];
  const At& to = table_[left + 1];
  At out;
  interpolate(t, 1 / kPerUnit, from.mean, from.mean_slope, to.mean, to.mean_slope, out.mean, out.mean_slope);
  interpolate(t, 1 / kPerUnit, from.square, from.square_slope, to.square, to.square_slope, out.square,
              out.square_slope);
  return out;
}

}  // namespace postern::infer
