#include "postern/infer/noise/noisy_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "postern/core/draw.hpp"
#include "postern/core/special.hpp"
#include "postern/core/truncated_draw.hpp"

namespace postern::infer {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLogTwoPi = 1.8378770664093454836;
constexpr int kRedraws = 8;

/// P(Z > x) / (sqrt(2 pi) phi(x))
double half_scaled(double x) { return 0.5 * scaled_erfc(x / std::numbers::sqrt2); }

}  // namespace

NoisySum::NoisySum(std::span<const NoisyValue> direct, std::span<const NoisyValue> mirrored)
    : mirrored_(!mirrored.empty()) {
  const auto add = [this](const NoisyValue& noisy_value, bool mirror) {
    if (const auto* laplace = std::get_if<release::DiscreteLaplace>(&noisy_value.law)) {
      kinks_.push_back({noisy_value.y, laplace->lambda(), noisy_value.y, mirror});
      log_constant_ += std::log(0.5 * laplace->lambda());
    } else {
      const double precision = 1 / std::get<release::DiscreteGaussian>(noisy_value.law).sigma2();
      normals_.push_back({noisy_value.y, precision, noisy_value.y, mirror});
      precision_ += precision;
      log_constant_ += 0.5 * (std::log(precision) - kLogTwoPi);
    }
  };
  for (const NoisyValue& noisy_value : direct) add(noisy_value, false);
  for (const NoisyValue& noisy_value : mirrored) add(noisy_value, true);
  mirror_about(0);
}

void NoisySum::mirror_about(double whole) {
  const auto place = [whole](Placed& noisy_value) {
    noisy_value.at = noisy_value.mirrored ? whole - noisy_value.y : noisy_value.y;
  };
  std::for_each(kinks_.begin(), kinks_.end(), place);
  std::for_each(normals_.begin(), normals_.end(), place);
  std::sort(kinks_.begin(), kinks_.end(), [](const Placed& a, const Placed& b) { return a.at < b.at; });
  normal_centre_ = 0;
  scatter_ = 0;
  for (const Placed& noisy_value : normals_) normal_centre_ += noisy_value.rate / precision_ * noisy_value.at;
  for (const Placed& noisy_value : normals_)
    scatter_ += noisy_value.rate * (noisy_value.at - normal_centre_) * (noisy_value.at - normal_centre_);
}

double NoisySum::centre() const {
  double precision = precision_;
  double sum = precision_ * normal_centre_;
  for (const Placed& kink : kinks_) {
    const double weight = 0.5 * kink.rate * kink.rate;
    precision += weight;
    sum += weight * kink.at;
  }
  return precision > 0 ? sum / precision : 0;
}

double NoisySum::noise_variance() const {
  double precision = precision_;
  for (const Placed& kink : kinks_) precision += 0.5 * kink.rate * kink.rate;
  return precision > 0 ? 1 / precision : kInfinity;
}

/// The sum as values with normal noise leave it, N(mean, deviation^2), in pieces between the Laplace ones.
struct NoisySum::Pieces {
  const std::vector<Placed>& kinks;
  double mean;
  double deviation;

  [[nodiscard]] double log_kinks(double s) const {
    double sum = 0;
    for (const Placed& kink : kinks) sum -= kink.rate * std::abs(kink.at - s);
    return sum;
  }
  /// Log of the integrand, without the constant of the normal.
  [[nodiscard]] double log_at(double s) const {
    const double z = (s - mean) / deviation;
    return log_kinks(s) - 0.5 * z * z;
  }
  /// Where the integrand of a piece with this slope of the kinks would peak.
  [[nodiscard]] double peak(double slope) const { return mean + slope * deviation * deviation; }

  /// Log of the integral over [lo, hi], in which the kinks have this slope.
  [[nodiscard]] double log_weight(double lo, double hi, double slope) const {
    if (!(lo < hi)) return kMinusInfinity;
    const double from = (lo - peak(slope)) / deviation;
    const double to = (hi - peak(slope)) / deviation;
    const double width = (hi - lo) / deviation;
    if (width < 1e-5 && width * std::min(std::abs(from), std::abs(to)) < 1e-5)
      return log_at(0.5 * (lo + hi)) + std::log(width) - 0.5 * kLogTwoPi;
    if (from >= 0) return log_tail(lo, from, hi, to);
    if (to <= 0) return log_tail(hi, -to, lo, -from);
    const double outside = normal_cdf(from) + normal_cdf(-to);
    return log_at(peak(slope)) +
           (outside < 0.5 ? std::log1p(-outside) : std::log(normal_cdf(to) - normal_cdf(from)));
  }
  /// A piece on one side of its peak: the integrand at the end nearer to the peak, times a Mills ratio.
  [[nodiscard]] double log_tail(double near, double from, double far, double to) const {
    const double top = log_at(near);
    const double beyond = std::isinf(far) ? 0 : std::exp(log_at(far) - top) * half_scaled(to);
    return top + std::log(std::max(half_scaled(from) - beyond, std::numeric_limits<double>::min()));
  }

  /// Calls visit(lo, hi, slope) for every piece that meets [lo, hi].
  template <class Visit>
  void each(double lo, double hi, const Visit& visit) const {
    double slope = 0;
    for (const Placed& kink : kinks) slope += kink.rate;
    double from = lo;
    for (const Placed& kink : kinks) {
      if (kink.at > from) {
        visit(from, std::min(kink.at, hi), slope);
        from = kink.at;
      }
      slope -= 2 * kink.rate;
      if (from >= hi) return;
    }
    visit(from, hi, slope);
  }
};

double NoisySum::log_density(double s) const {
  double sum = log_constant_;
  for (const Placed& kink : kinks_) sum -= kink.rate * std::abs(kink.at - s);
  for (const Placed& noisy_value : normals_)
    sum -= 0.5 * noisy_value.rate * (noisy_value.at - s) * (noisy_value.at - s);
  return sum;
}

double NoisySum::log_likelihood(double mean, double variance) const {
  if (!(variance > 0)) return log_density(mean);
  double sum = log_constant_;
  double about = mean;
  double left = variance;
  if (precision_ > 0) {
    const double grown = 1 + variance * precision_;
    const double miss = normal_centre_ - mean;
    left = variance / grown;
    about = mean + left * precision_ * miss;
    sum -= 0.5 * (miss * (miss * (precision_ / grown)) + std::log(grown) + scatter_);
  }
  if (kinks_.empty()) return sum;
  const double deviation = std::sqrt(left);
  if (kinks_.size() == 1) {
    const double d = (kinks_[0].at - about) / deviation;
    const double k = kinks_[0].rate * deviation;
    // One side of the kink: the normal up to it, tilted by e^{k z}.
    const auto side = [k](double distance) {
      return distance < k ? std::log(half_scaled(k - distance)) - 0.5 * distance * distance
                          : k * (0.5 * k - distance) + log_normal_cdf(distance - k);
    };
    return sum + log_add_exp(side(d), side(-d));
  }
  const Pieces pieces{kinks_, about, deviation};
  double total = kMinusInfinity;
  pieces.each(-kInfinity, kInfinity, [&](double lo, double hi, double slope) {
    total = log_add_exp(total, pieces.log_weight(lo, hi, slope));
  });
  return sum + total;
}

double NoisySum::draw_two_pieces(double mean, double deviation, Rng& rng) const {
  const double d = (kinks_[0].at - mean) / deviation;
  const double k = kinks_[0].rate * deviation;
  bool below = d > 0;
  if (std::abs(d) - k < 30) {  // else the far side has a weight below e^-450
    const double left = half_scaled(k - d);
    const double right = half_scaled(k + d);
    below = rng.uniform() * (left + right) < left;
  }
  const double excess = draw_normal_excess(below ? k - d : k + d, rng);
  return kinks_[0].at + (below ? -excess : excess) * deviation;
}

double NoisySum::draw(double mean, double variance, double lo, double hi, Rng& rng) const {
  if (!(variance > 0)) return std::clamp(mean, lo, hi);
  const double left = variance / (1 + variance * precision_);
  const double about = mean + left * precision_ * (normal_centre_ - mean);
  const double deviation = std::sqrt(left);
  if (kinks_.size() < 2) {
    for (int attempt = 0; attempt < kRedraws; ++attempt) {
      const double s =
          kinks_.empty() ? about + deviation * draw_normal(rng) : draw_two_pieces(about, deviation, rng);
      if (s >= lo && s <= hi) return s;
    }
    if (kinks_.empty()) return draw_truncated_normal(about, deviation, lo, hi, rng);
  }
  const Pieces pieces{kinks_, about, deviation};
  double total = kMinusInfinity;
  double from = lo;
  double to = hi;
  double tilt = 0;
  pieces.each(lo, hi, [&](double begin, double end, double slope) {
    const double weight = pieces.log_weight(begin, end, slope);
    if (weight == kMinusInfinity) return;
    total = log_add_exp(total, weight);
    if (std::log(rng.uniform()) > weight - total) return;  // the last piece to take over stays
    from = begin;
    to = end;
    tilt = slope;
  });
  return draw_truncated_normal(pieces.peak(tilt), deviation, from, to, rng);
}

}  // namespace postern::infer
