#include "truncated_beta.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::zhang16 {
namespace {

double logit(double p) { return std::log(p) - std::log1p(-p); }
double logistic(double y) { return 1 / (1 + std::exp(-y)); }
double softplus(double y) { return y > 0 ? y + std::log1p(std::exp(-y)) : std::log1p(std::exp(y)); }

}  // namespace

TruncatedBeta::TruncatedBeta(double a, double b, double lo, double hi) : a_(a), b_(b), lo_(lo), hi_(hi) {
  const double from = logit(lo);
  const double to = logit(hi);
  mode_ = std::clamp(std::log(a / b), from, to);
  top_ = log_density(mode_);
  up_ = side(to - mode_, 1);
  down_ = side(mode_ - from, -1);
}

double TruncatedBeta::log_density(double y) const { return a_ * y - (a_ + b_) * softplus(y) - top_; }

TruncatedBeta::Side TruncatedBeta::side(double most, double direction) const {
  Side out{most, most, 0, 0};
  if (log_density(mode_ + direction * most) >= -1) return out;
  double near = 0;
  double far = most;
  for (int step = 0; step < 60 && far - near > 1e-3 * far; ++step) {
    const double middle = (near + far) / 2;
    (log_density(mode_ + direction * middle) > -1 ? near : far) = middle;
  }
  // The tangent at `far` lies above the density and reaches 1 at `flat`, on this side of the mode.
  const double y = mode_ + direction * far;
  out.rate = -direction * (a_ - (a_ + b_) * logistic(y));
  out.flat = std::max(0.0, far + log_density(y) / out.rate);
  out.tail = -std::expm1(-out.rate * (most - out.flat)) / out.rate;
  return out;
}

double TruncatedBeta::draw(Rng& rng) const {
  for (;;) {
    double u = rng.uniform() * (up_.flat + up_.tail + down_.flat + down_.tail);
    const bool upwards = u < up_.flat + up_.tail;
    const Side& side = upwards ? up_ : down_;
    if (!upwards) u -= up_.flat + up_.tail;
    double distance = u;
    double log_hat = 0;
    if (u > side.flat) {
      const double share = (u - side.flat) / side.tail;
      const double beyond = -std::log1p(share * std::expm1(-side.rate * (side.most - side.flat))) / side.rate;
      distance = side.flat + beyond;
      log_hat = -side.rate * beyond;
    }
    const double y = mode_ + (upwards ? distance : -distance);
    if (std::log(rng.uniform()) <= log_density(y) - log_hat) return std::clamp(logistic(y), lo_, hi_);
  }
}

}  // namespace postern::zhang16
