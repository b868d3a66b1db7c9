#include "exact/beta_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

/// Relative entropy of a coin of mean m from one of mean t.
double coin_divergence(double m, double t) {
  double sum = 0;
  if (m > 0) sum += m * std::log(m / t);
  if (m < 1) sum += (1 - m) * std::log((1 - m) / (1 - t));
  return sum;
}

/// I_t(a, b), at once where it is 0 or 1 to a double: I_t(a, b) is the chance of at least a successes in a +
/// b - 1 tosses, so Chernoff's bound e^{-(a+b-1) D} holds on its small side.
double beta_cdf_quickly(double a, double b, double t) {
  const double tosses = a + b - 1;
  if (a > 1 && b > 1) {
    const double share = a / tosses;
    const double other = (a - 1) / tosses;
    if (t < share && tosses * coin_divergence(share, t) > 45) return 0;
    if (t > other && tosses * coin_divergence(other, t) > 45) return 1;
  }
  return beta_cdf(a, b, t);
}

/// Only Newton's steps use it, so the digits that large a and b cost do not matter.
double beta_density(double a, double b, double t) {
  return std::exp((a - 1) * std::log(t) + (b - 1) * std::log1p(-t) - log_beta(a, b));
}

}  // namespace

BetaMixture::BetaMixture(std::vector<Part> parts) : parts_(std::move(parts)) {
  double whole = 0;
  for (const Part& part : parts_) whole += part.weight;
  if (!(whole > 0) || !std::isfinite(whole)) {
    throw Error(ErrorCode::engine_limit,
                {"the weights of the exact posterior do not fit the range of a double: the "
                 "released values contradict each other; look at the releases"});
  }
  for (Part& part : parts_) part.weight /= whole;
  const double least = 1e-16 / static_cast<double>(parts_.size());
  std::erase_if(parts_, [least](const Part& part) { return std::abs(part.weight) < least; });
  for (const Part& part : parts_) mean_ += part.weight * part.a / (part.a + part.b);
  mean_ = std::min(mean_, 1.0);
  double variance = 0;
  for (const Part& part : parts_) {
    const double sum = part.a + part.b;
    const double m = part.a / sum;
    variance += part.weight * (m * (part.b / sum) / (sum + 1) + (m - mean_) * (m - mean_));
  }
  sd_ = std::sqrt(std::max(variance, 0.0));
}

double BetaMixture::cdf(double theta) const {
  if (theta < 0) return 0;
  if (theta >= 1) return 1;
  if (theta == 0) return 0;
  double sum = 0;
  for (const Part& part : parts_) {
    if (part.b > 0) sum += part.weight * beta_cdf_quickly(part.a, part.b, theta);
  }
  return std::clamp(sum, 0.0, 1.0);
}

BetaMixture::Slope BetaMixture::slope(double theta) const {
  Slope out;
  for (const Part& part : parts_) {
    if (part.b == 0) continue;
    const double below = beta_cdf_quickly(part.a, part.b, theta);
    out.cdf += part.weight * below;
    if (below > 0 && below < 1) out.density += part.weight * beta_density(part.a, part.b, theta);
  }
  return out;
}

double BetaMixture::quantile(double p) const {
  if (p <= 0) return 0;
  if (p >= 1 || mean_ >= 1) return 1;
  constexpr double kLeast = 1e-300;
  constexpr double kMost = 1 - 0x1p-53;
  double low = kLeast;
  double high = kMost;
  if (cdf(low) >= p) return 0;
  if (cdf(high) < p) return 1;
  double theta = std::clamp(mean_ + sd_ * normal_quantile(p), 0.5 * mean_, 0.5 * (1 + mean_));
  for (int i = 0; i < 200; ++i) {
    const Slope at = slope(theta);
    const double miss = p - at.cdf;
    (miss > 0 ? low : high) = theta;
    const double newton = theta + miss / at.density;
    if (std::abs(miss) <= 1e-15 || high - low <= 1e-15 * high) break;
    const bool inside = newton > low && newton < high;
    if (inside && std::abs(newton - theta) <= 1e-14 * theta) return newton;
    if (inside && i < 40) {
      theta = newton;
    } else {
      theta = high > 8 * low ? std::sqrt(low * high) : 0.5 * (low + high);
    }
  }
  return theta;
}

}  // namespace postern::infer
