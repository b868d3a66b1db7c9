#include "tables/line_window.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"

namespace postern::infer {
namespace {

constexpr int kTermsAtOnce = 12;    ///< factors below 2^41 each: their product is a double
constexpr double kSteepest = 230;   ///< nats from one state to the next; a chain never sees both
constexpr double kLargest = 1e200;  ///< of a weight; with one more step it is still a double

}  // namespace

std::int64_t draw_offset(std::int64_t width, Rng& rng) {
  return static_cast<std::int64_t>(draw_below(static_cast<std::uint64_t>(width) + 1, rng));
}

void LineWindow::start(std::int64_t lo, std::int64_t hi) {
  lo_ = lo;
  at_ = static_cast<std::size_t>(-lo);
  const auto steps = static_cast<std::size_t>(hi - lo);
  above_.assign(steps, 1);
  below_.assign(steps, 1);
  ratio_.assign(steps, 1);
  logs_.assign(steps, 0);
  terms_ = 0;
  plain_ = true;
  slope_ = 0;
  rise_ = 0;
  bend_ = 0;
}

/// From c to c + 1 the factor is shift + c; from c to c - 1 it is 1 / (shift + c - 1).
void LineWindow::gamma(double shift, int power, double count, int sign) {
  const double first = shift + count + sign * static_cast<double>(lo_) - (sign > 0 ? 0 : 1);
  std::vector<double>& to = (power > 0) == (sign > 0) ? above_ : below_;
  for (int times = std::abs(power); times > 0; --times) {
    double* const out = to.data();
    const auto steps = static_cast<std::ptrdiff_t>(to.size());
    for (std::ptrdiff_t i = 0; i < steps; ++i) out[i] *= first + sign * static_cast<double>(i);
    if (++terms_ == kTermsAtOnce) fold();
  }
}

void LineWindow::gaussian(double curvature, double centre, double count, double sign) {
  rise_ -= curvature * sign * (count - centre + 0.5 * sign);
  bend_ -= curvature * sign * sign;
}

void LineWindow::kink(double at, double rate, double count, double sign) {
  double from = at - count - sign * static_cast<double>(lo_);
  for (double& log : logs_) {
    const double to = from - sign;
    log += rate * (std::abs(from) - std::abs(to));
    from = to;
  }
  plain_ = false;
}

void LineWindow::fold() {
  for (std::size_t i = 0; i < ratio_.size(); ++i) {
    ratio_[i] *= above_[i] / below_[i];
    above_[i] = 1;
    below_[i] = 1;
  }
  terms_ = 0;
}

/// Noise of Gaussian law bends all the way alike, and that of Laplace noise is the same on either side of a
/// kink: both mean few exponentials.
void LineWindow::multiply_noise() {
  const double first = slope_ + rise_ + bend_ * static_cast<double>(lo_);
  const double last = first + bend_ * static_cast<double>(ratio_.size());
  if (std::max(std::abs(first), std::abs(last)) > kSteepest) {
    for (std::size_t i = 0; i < logs_.size(); ++i) logs_[i] += first + bend_ * static_cast<double>(i);
    plain_ = false;
  } else {
    double value = std::exp(first);
    const double step = std::exp(bend_);
    for (double& ratio : ratio_) {
      ratio *= value;
      value *= step;
    }
  }
  if (plain_) return;
  double log = 0;
  double value = 1;
  for (std::size_t i = 0; i < logs_.size(); ++i) {
    if (logs_[i] != log) {
      log = logs_[i];
      value = std::exp(std::clamp(log, -kSteepest, kSteepest));
    }
    ratio_[i] *= value;
  }
}

void LineWindow::weigh() {
  weights_.assign(ratio_.size() + 1, 0);
  weights_[at_] = 1;
  const auto shrink = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i <= to; ++i) weights_[i] /= kLargest;
  };
  for (std::size_t i = at_; i < ratio_.size(); ++i) {
    weights_[i + 1] = weights_[i] * ratio_[i];
    if (weights_[i + 1] > kLargest) shrink(at_, i + 1);
  }
  for (std::size_t i = at_; i-- > 0;) {
    weights_[i] = weights_[i + 1] / ratio_[i];
    if (weights_[i] > kLargest) shrink(i, ratio_.size());
  }
}

std::int64_t LineWindow::draw(Rng& rng) {
  fold();
  multiply_noise();
  weigh();
  double sum = 0;
  for (const double weight : weights_) sum += weight;
  double left = rng.uniform() * sum;
  std::size_t i = 0;
  while (i + 1 < weights_.size() && (left -= weights_[i]) >= 0) ++i;
  if (!(weights_[i] > 0)) return 0;  // rounding of the last state's share
  return lo_ + static_cast<std::int64_t>(i);
}

}  // namespace postern::infer
