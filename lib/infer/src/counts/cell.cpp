#include "cell.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "numeric/cumulative_product.hpp"

namespace postern::infer {

/// log f(s) + tilt s up to a constant, as differences: nothing large is ever subtracted from something large,
/// also when a released value is 1e15.
class Cell::Tilted {
 public:
  Tilted(const Cell& cell, double tilt) : cell_(cell), tilt_(tilt) {
    // A tilt moves the centre of a Gaussian factor.
    const CellNoise& noise = cell.noise_;
    if (noise.curvature > 0) centre_ = noise.centre + tilt / noise.curvature;
  }

  /// Noise and tilt at s relative to `from`: concave in s.
  [[nodiscard]] double noise(double s, double from) const {
    const double sum = cell_.noise_.kinks_ratio(s, from);
    if (cell_.noise_.curvature > 0) return sum + cell_.noise_.gaussian_ratio(s, from, centre_);
    return sum + tilt_ * (s - from);
  }
  /// log of Gamma(s + alpha) / s! at s relative to `from`: concave for alpha >= 1, convex below.
  [[nodiscard]] double prior(double s, double from) const {
    if (cell_.alpha_ == 1) return 0;
    return log_rising(s + 1, cell_.alpha_ - 1) - log_rising(from + 1, cell_.alpha_ - 1);
  }
  /// The same to about a percent at worst, for counts above twice alpha to far less: Gamma(s + alpha) / s! is
  /// w^(alpha - 1) (1 - c / w^2 + ...), w = s + alpha / 2.
  [[nodiscard]] double rough_prior(double s) const {
    const double alpha = cell_.alpha_;
    if (alpha == 1) return 0;
    if (s < 2 * alpha + 10 || alpha > 1000) return log_rising(s + 1, alpha - 1);
    const double w = s + 0.5 * alpha;
    return (alpha - 1) * (std::log(w) - alpha * (alpha - 2) / (24 * w * w));
  }
  [[nodiscard]] double prior_step(double s) const { return std::log1p((cell_.alpha_ - 1) / (s + 1)); }

  /// A concave function above log f(s) + tilt s: that function itself for alpha >= 1; noise and tilt alone
  /// below, where Gamma(s + alpha) / (Gamma(alpha) s!) <= 1.
  [[nodiscard]] double envelope(double s, double from) const {
    return noise(s, from) + (cell_.alpha_ > 1 ? prior(s, from) : 0);
  }
  [[nodiscard]] double envelope_step(double s) const {
    return noise(s + 1, s) + (cell_.alpha_ > 1 ? prior_step(s) : 0);
  }
  /// Mode of the envelope, by bisection on its falling steps.
  [[nodiscard]] std::int64_t mode() const {
    std::int64_t lo = 0;
    std::int64_t hi = cell_.most_;
    while (lo < hi) {
      const std::int64_t middle = lo + (hi - lo) / 2;
      if (envelope_step(static_cast<double>(middle)) > 0) {
        lo = middle + 1;
      } else {
        hi = middle;
      }
    }
    return lo;
  }

 private:
  const Cell& cell_;
  double tilt_;
  double centre_ = 0;
};

Cell::Cell(double alpha, std::span<const NoisyValue> noisy_values, std::int64_t most)
    : alpha_(alpha), most_(most), noise_(noisy_values, most) {}

double Cell::log_weight(std::int64_t s) const {
  const auto x = static_cast<double>(s);
  const double prior = x + 1 >= alpha_ ? log_rising(x + 1, alpha_ - 1) - log_gamma(alpha_)
                                       : log_rising(alpha_, x) - log_factorial(x);
  return prior + noise_.log_at(x);
}

namespace {

/// The last integer from `inside` towards `outside` that is not yet `covered`, which stays true once it is.
template <class Covered>
std::int64_t boundary(std::int64_t inside, std::int64_t outside, const Covered& covered) {
  if (!covered(outside)) return outside;
  while (inside + 1 < outside || outside + 1 < inside) {
    const std::int64_t middle = inside + (outside - inside) / 2;
    (covered(middle) ? outside : inside) = middle;
  }
  return inside;
}

}  // namespace

Window Cell::window(double tilt, double nats) const {
  const Tilted tilted(*this, tilt);
  const std::int64_t mode = tilted.mode();
  const auto m = static_cast<double>(mode);
  // The whole mass is at least the weight at the mode. For alpha < 1 that is below the envelope by the prior
  // factor.
  if (alpha_ < 1) nats -= log_rising(m + 1, alpha_ - 1) - log_gamma(alpha_);
  // A concave function that has dropped by d at distance x from its mode has a slope of at least d / x from
  // there on, so the tail from that point is at most e^-d / (1 - e^(-d/x)) <= e^-d (1 + x/d) times the weight
  // at the mode.
  const auto covers = [&](std::int64_t s) {
    const double drop = -tilted.envelope(static_cast<double>(s), m);
    return drop > 0 && drop - std::log1p(std::abs(static_cast<double>(s) - m) / drop) >= nats;
  };
  return {boundary(mode, 0, covers), boundary(mode, most_, covers)};
}

Cell::Weights Cell::weights(Window window, double tilt) const {
  const Tilted tilted(*this, tilt);
  const std::int64_t start = std::clamp(tilted.mode(), window.lo, window.hi);
  const auto from = static_cast<double>(start);
  Weights out{std::vector<double>(window.size()), log_weight(start) + tilt * from};
  double* at_start = out.weight.data() + (start - window.lo);
  *at_start = 1;
  const auto noise = [&](std::int64_t s) { return tilted.noise(static_cast<double>(s), from); };
  // From s to s + 1 the prior factor grows by (s + alpha) / (s + 1).
  const auto rise = [this](std::int64_t s) {
    return (static_cast<double>(s) + alpha_) / (static_cast<double>(s) + 1);
  };
  const auto fall = [this](std::int64_t s) {
    return (static_cast<double>(s) + 1) / (static_cast<double>(s) + alpha_);
  };
  each_cumulative_product(
      window.hi - start, [&](std::int64_t k) { return rise(start + k - 1); },
      [&](std::int64_t k) { return noise(start + k); },
      [=](std::int64_t k, double weight) { at_start[k] = weight; });
  each_cumulative_product(
      start - window.lo, [&](std::int64_t k) { return fall(start - k); },
      [&](std::int64_t k) { return noise(start - k); },
      [=](std::int64_t k, double weight) { at_start[-k] = weight; });
  return out;
}

Cell::Moments Cell::moments(double tilt) const {
  constexpr std::int64_t kPoints = 64;
  constexpr std::int64_t kNearZero = 16;  // taken one by one: for alpha < 1 the weight has a spike at 0
  const Window all = window(tilt, 25);
  const Tilted tilted(*this, tilt);
  const auto from = static_cast<double>(tilted.mode());
  double mass = 0;
  double mean = 0;
  double square = 0;
  const double prior_from = tilted.rough_prior(from);
  const auto add = [&](double s, double width) {
    const double w = width * std::exp(tilted.noise(s, from) + tilted.rough_prior(s) - prior_from);
    if (!(w > 0)) return;
    mass += w;
    const double delta = s - mean;
    mean += delta * w / mass;
    square += w * delta * (s - mean);
  };
  std::int64_t s = all.lo;
  if (static_cast<std::int64_t>(all.size()) > kPoints + kNearZero) {
    for (; s < all.lo + kNearZero; ++s) add(static_cast<double>(s), 1);
    const double width = static_cast<double>(all.hi + 1 - s) / static_cast<double>(kPoints);
    const double first = static_cast<double>(s) - 0.5 + 0.5 * width;
    for (std::int64_t i = 0; i < kPoints; ++i) add(first + width * static_cast<double>(i), width);
  } else {
    for (; s <= all.hi; ++s) add(static_cast<double>(s), 1);
  }
  return {std::log(mass) + log_weight(static_cast<std::int64_t>(from)) + tilt * from, mean, square / mass};
}

}  // namespace postern::infer
