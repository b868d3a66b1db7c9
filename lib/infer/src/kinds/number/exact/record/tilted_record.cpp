#include "tilted_record.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "kinds/number/exact/sum/noise_transform.hpp"

namespace postern::infer {
namespace {

constexpr double kNear = 0.3;  ///< nats over a standard deviation of the sum, and over one record
constexpr int kMostSteps = 200;

/// Where Newton goes from lambda: to the root on this stretch of log w, or to the tilt whose mean is at the
/// next kink.
double newton(double lambda, double s, double variance, double slope, const SumNoise& noise) {
  const double target = lambda + (slope - lambda) / (1 + variance * noise.precision);
  if (!(variance > 0)) return target;
  const double moved = s + variance * (target - lambda);
  double nearest = target;
  for (const SumNoise::Kink& kink : noise.kinks) {
    const bool passed = target > lambda ? kink.at > s && kink.at < moved : kink.at < s && kink.at > moved;
    if (!passed) continue;
    const double there = lambda + (kink.at - s) / variance;
    if (std::abs(there - lambda) < std::abs(nearest - lambda)) nearest = there;
  }
  return nearest;
}

}  // namespace

void tilt_record(const RecordNodes& nodes, double lambda, TiltedRecord& out) {
  const std::size_t count = nodes.at.size();
  out.lambda = lambda;
  out.weight.resize(count);
  // From the end to which the tilt leads: nothing overflows, and what is far from it may vanish.
  const double end = lambda > 0 ? nodes.at.back() : nodes.at.front();
  double reference = end;
  double most = lambda == 0 ? 0 : kMinusInfinity;
  if (std::abs(lambda) * (nodes.at.back() - nodes.at.front()) < 500) {
    reference = 0.5 * (nodes.at.back() + nodes.at.front());
    most = 0;
  } else if (lambda != 0) {
    for (std::size_t r = 0; r < count; ++r)
      most = std::max(most, std::log(nodes.mass[r]) + lambda * (nodes.at[r] - end));
  }
  double sum = 0;
  double first = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const double e = most == 0 ? nodes.mass[r] * std::exp(lambda * (nodes.at[r] - reference))
                               : std::exp(std::log(nodes.mass[r]) + lambda * (nodes.at[r] - end) - most);
    out.weight[r] = e;
    sum += e;
    first += e * (nodes.at[r] - reference);
  }
  const double shift = first / sum;
  out.mean = reference + shift;
  double second = 0;
  double rest = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const double w = out.weight[r] /= sum;
    const double d = (nodes.at[r] - reference) - shift;
    second += w * d * d;
    rest += w * d;
  }
  out.mean += rest;
  out.variance = second;
  out.log_mass = std::min(std::log(sum) + most - lambda * shift, 0.0);
}

void find_tilt(const RecordNodes& nodes, double n, const SumNoise& noise, double guess, TiltedRecord& out) {
  double lo = noise.slopes(n * nodes.at.back()).right;
  double hi = noise.slopes(n * nodes.at.front()).left;
  const double range = nodes.at.back() - nodes.at.front();
  double lambda = std::clamp(guess, lo, hi);
  for (int step = 0; step < kMostSteps; ++step) {
    tilt_record(nodes, lambda, out);
    const double s = n * out.mean;
    const double variance = n * out.variance;
    const auto [left, right] = noise.slopes(s);
    if (lambda >= right && lambda <= left) return;
    const double slope = lambda > left ? left : right;
    (lambda > left ? hi : lo) = lambda;
    double next = newton(lambda, s, variance, slope, noise);
    if (std::abs(next - lambda) * std::max(std::sqrt(variance), range) < kNear) return;
    // Bisection takes over where Newton leaves the bracket or comes back to its ends too slowly.
    if (!(next > lo && next < hi) || step % 8 == 7) next = lo + 0.5 * (hi - lo);
    if (next == lambda) return;
    lambda = next;
  }
}

double find_joint_tilt(const RecordNodes& nodes, const SumNoise& numbers, double slope, double most,
                       const SumNoise& noise, TiltedRecord& out) {
  const double highest = std::max(0.0, most * nodes.at.back());
  const double lowest = std::min(0.0, most * nodes.at.front());
  double lo = noise.slopes(highest).right;
  double hi = noise.slopes(lowest).left;
  double n = 0.5 * most;
  for (int step = 0; step < kMostSteps; ++step) {
    const double lambda = lo + 0.5 * (hi - lo);
    tilt_record(nodes, lambda, out);
    n = TiltedNoise(numbers, -(out.cumulant() + slope), n, 0, most).peak;
    const auto [left, right] = noise.slopes(n * out.mean);
    if (lambda >= right && lambda <= left) break;
    (lambda > left ? hi : lo) = lambda;
    if ((hi - lo) * (highest - lowest) < kNear || lambda == lo + 0.5 * (hi - lo)) break;
  }
  return n;
}

}  // namespace postern::infer
