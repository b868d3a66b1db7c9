#include "characteristic_function.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phasor.hpp"

namespace postern::infer {
namespace {

constexpr double kNats = 42;         ///< what is cut away: 6e-19
constexpr double kVanished = 52;     ///< what is not even looked at
constexpr double kProof = 28;        ///< what frequencies left out may add: 7e-13
constexpr double kLittleWork = 1e4;  ///< nodes x frequencies: all of them
constexpr double kMostWork = 4e5;    ///< a good part of a millisecond
constexpr double kOverhead = 64;     ///< nodes that cost what a frequency costs besides
constexpr double kMostUnseen = 1e-7;
constexpr double kStride = 0.3;  ///< of a look at |phi|, over a deviation

/// Frequencies of one record's law about its mean, by rotation: cos - 1 and sin keep their digits where the
/// angle is small, so that the n-th power keeps them too.
class Phasors {
 public:
  Phasors(const std::vector<double>& offset, const std::vector<double>& weight, double u1)
      : size_((offset.size() + kPhasorLanes - 1) / kPhasorLanes * kPhasorLanes) {
    for (auto* column : {&weight_, &cos1_, &sin1_, &cos_, &sin_}) column->assign(size_, 0.0);
    for (std::size_t r = 0; r < offset.size(); ++r) {
      const double half = std::sin(0.5 * u1 * offset[r]);
      weight_[r] = weight[r];
      cos1_[r] = -2 * half * half;
      sin1_[r] = std::sin(u1 * offset[r]);
    }
  }

  /// phi - 1 at the next frequency.
  PhasorSum next() {
    return step_({weight_.data(), cos1_.data(), sin1_.data(), cos_.data(), sin_.data(), size_});
  }

 private:
  PhasorStep step_ = phasor_step();
  std::size_t size_;
  std::vector<double> weight_, cos1_, sin1_, cos_, sin_;
};

/// Bernstein's inequality: how far a sum of n goes beyond its mean but for e^-kNats.
double bernstein(double n, double variance, double most) {
  const double linear = most * kNats / 3;
  return std::min(n * most, linear + std::sqrt(linear * linear + 2 * n * variance * kNats));
}

}  // namespace

double negligible_weight(const RecordNodes& nodes, double n) {
  return 1e-17 / (static_cast<double>(nodes.at.size()) * n);
}

namespace {

/// How far above its mean a sum goes, by Chernoff's bound at a few tilts: for few records, where Bernstein's
/// inequality is generous. `sign` -1: below.
double chernoff(const std::vector<double>& offset, const std::vector<double>& weight, double n,
                double variance, double sign) {
  double least = HUGE_VAL;
  double tau = std::sqrt(2 * kNats / (n * variance));
  for (int k = 0; k < 7; ++k, tau *= 0.6) {
    double excess = 0;  // of E e^{tau x} over 1, x being central
    for (std::size_t r = 0; r < offset.size(); ++r) excess += weight[r] * std::expm1(sign * tau * offset[r]);
    const double reach = (n * std::log1p(std::max(excess, 0.0)) + kNats) / tau;
    if (reach > least) break;
    least = reach;
  }
  return least;
}

SumSpan span_of(const std::vector<double>& offset, const std::vector<double>& weight, double n,
                double variance) {
  const double down = std::max(-offset.front(), 0.0);
  const double up = std::max(offset.back(), 0.0);
  SumSpan out{bernstein(n, variance, down), bernstein(n, variance, up)};
  if (std::max(down, up) * kNats / 3 > 0.1 * std::sqrt(2 * n * variance * kNats)) {
    out.down = std::min(out.down, chernoff(offset, weight, n, variance, -1));
    out.up = std::min(out.up, chernoff(offset, weight, n, variance, 1));
  }
  return out;
}

}  // namespace

SumSpan sum_span(const RecordNodes& nodes, const TiltedRecord& tilted, double n) {
  const double negligible = negligible_weight(nodes, n);
  std::vector<double> offset;
  std::vector<double> weight;
  for (std::size_t r = 0; r < nodes.at.size(); ++r) {
    if (tilted.weight[r] < negligible) continue;
    offset.push_back(nodes.at[r] - tilted.mean);
    weight.push_back(tilted.weight[r]);
  }
  return span_of(offset, weight, n, tilted.variance);
}

CharacteristicFunction::CharacteristicFunction(const RecordNodes& nodes, const TiltedRecord& tilted,
                                               double least, double most, const SumNoise& noise)
    : lambda_(tilted.lambda), log_mass_(tilted.log_mass), mean_(tilted.mean), variance_(tilted.variance) {
  keep_nodes(nodes, tilted, most);
  fill_period(nodes, least, 0, noise, kProof);
}

CharacteristicFunction::CharacteristicFunction(const RecordNodes& nodes, const TiltedRecord& tilted,
                                               double least, double most, const SumNoise& noise, double nats)
    : lambda_(tilted.lambda), log_mass_(tilted.log_mass), mean_(tilted.mean), variance_(tilted.variance) {
  keep_nodes(nodes, tilted, most);
  fill_period(nodes, least, (most - least) * std::abs(mean_), noise, nats);
}

void CharacteristicFunction::fill_period(const RecordNodes& nodes, double least, double drift,
                                         const SumNoise& noise, double nats) {
  period_ = std::floor(drift + widest_.down + widest_.up) + 5;
  const auto count = static_cast<double>(offset_.size());
  double needed = std::numbers::pi;
  if (!nodes.whole || 0.5 * period_ * count > kLittleWork) needed = needed_from(nodes, least, noise, nats);
  usable_ = needed * period_ / (2 * std::numbers::pi) * std::max(count, kOverhead) <= kMostWork;
  if (usable_) fill(least, needed);
}

void CharacteristicFunction::keep_nodes(const RecordNodes& nodes, const TiltedRecord& tilted, double most) {
  const double negligible = negligible_weight(nodes, most);
  for (std::size_t r = 0; r < nodes.at.size(); ++r) {
    if (tilted.weight[r] < negligible) continue;
    offset_.push_back(nodes.at[r] - mean_);
    weight_.push_back(tilted.weight[r]);
  }
  widest_ = span_of(offset_, weight_, most, variance_);
}

/// |phi| at rising frequencies, and by how much it may be more between them. Where |phi| is highest between
/// two frequencies its slope is 0 and it bends by at most the variance, so that one a distance d away has at
/// least |phi| - variance d^2 / 2.
struct CharacteristicFunction::Scan {
  struct Sample {
    double u = 0;
    double most = 0;  ///< of |phi| from the sample before to the one after
  };
  std::vector<Sample> samples;
};

/// In short steps where n records need it, then in longer ones.
CharacteristicFunction::Scan CharacteristicFunction::scan(double limit, double fine) const {
  const double deviation = std::sqrt(variance_);
  Scan out;
  double begin = 0;
  for (const auto& [stride, end] :
       {std::pair(std::min(kStride, fine), 2.0), std::pair(kStride, limit * deviation)}) {
    const double step = stride / deviation;
    Phasors phasors(offset_, weight_, step);
    for (double u = step; u <= std::min(end / deviation, limit) + step; u += step) {
      const auto [re, im] = phasors.next();
      if (u > begin)
        out.samples.push_back({u, std::sqrt((1 + re) * (1 + re) + im * im) + stride * stride / 8});
    }
    begin = out.samples.empty() ? 0 : out.samples.back().u;
  }
  return out;
}

/// What frequencies past the limit may add, relative to what all do. With nodes at uneven distances |phi|
/// comes back near 1 again and again; the mean of |phi|^n over all frequencies is about the probability of
/// the likeliest way to place n records. Noise with a kink has a spectrum that falls like 2 rate / (pi u).
double CharacteristicFunction::unseen(double least, double limit, const SumNoise& noise) const {
  double log_likeliest = 0.5 * std::log(2 * std::numbers::pi * least);
  for (const double w : weight_)
    log_likeliest -= 0.5 * std::log(std::max(2 * std::numbers::pi * least * w, 1.0));
  double rate = 0;
  for (const auto& kink : noise.kinks) rate += kink.rate;
  const double fast = noise.precision > 0 ? std::exp(-0.5 * limit * limit / noise.precision) : 0;
  const double tail = std::min(2 * rate / (std::numbers::pi * limit) + fast, 1.0);
  const double sharp = std::sqrt(least * variance_) * (rate + std::sqrt(noise.precision));
  return std::exp(std::min(log_likeliest, 0.0)) * tail * std::max(sharp, 1.0);
}

/// The frequency from which on |phi|^least is below e^-nats. A law on all integers of its range is looked at
/// as far as pi, so that this is proven; one with gaps as far as to its gaps, if what is unseen beyond cannot
/// count; and one of blocks as far as it is known. Infinite where that is not enough.
double CharacteristicFunction::needed_from(const RecordNodes& nodes, double least, const SumNoise& noise,
                                           double nats) const {
  double gaps = 0;
  for (std::size_t r = 1; r < offset_.size(); ++r)
    gaps += (offset_[r] - offset_[r - 1]) * 0.5 * (weight_[r] + weight_[r - 1]);
  double limit = std::min(std::numbers::pi, 4 * std::numbers::pi / std::max(gaps, 1e-300));
  if (!nodes.whole) limit = std::min(limit, std::numbers::pi / nodes.pitch);
  const bool proven = nodes.whole && limit == std::numbers::pi;
  if (nodes.whole && !proven && unseen(least, limit, noise) > kMostUnseen) return HUGE_VAL;
  if (!(variance_ > 0) || limit * std::sqrt(variance_) * static_cast<double>(offset_.size()) > kMostWork)
    return proven ? limit : HUGE_VAL;
  // The mean square of |phi| over high frequencies.
  double square = 0;
  for (const double w : weight_) square += w * w;
  if (0.5 * least * std::log(square) > -nats) return proven ? limit : HUGE_VAL;
  const Scan seen = scan(limit, std::sqrt(nats / least));
  double needed = limit;
  double most = 0;
  for (std::size_t k = seen.samples.size(); k-- > 0;) {
    const auto& [u, size] = seen.samples[k];
    most = std::max(most, size);
    if (least * std::log(most) > -nats) break;
    needed = u;
  }
  if (needed < limit || proven) return needed;
  return HUGE_VAL;
}

void CharacteristicFunction::fill(double least, double needed) {
  const double u1 = 2 * std::numbers::pi / period_;
  Phasors phasors(offset_, weight_, u1);
  log_size_.assign(1, 0.0);
  angle_.assign(1, 0.0);
  // What the least power leaves nothing of needs no logarithm.
  const double nothing = std::expm1(-2 * kVanished / least);
  for (double j = 1; j <= 0.5 * period_; ++j) {
    const auto [re, im] = phasors.next();
    const double square = 2 * re + re * re + im * im;  // less 1
    const bool counts = square > nothing;
    log_size_.push_back(counts ? 0.5 * std::log1p(square) : -HUGE_VAL);
    angle_.push_back(counts ? std::atan2(im, 1 + re) : 0);
    if (u1 * j > needed) break;
  }
}

CharacteristicFunction::Answer CharacteristicFunction::log_mean(double n, const SumNoise& noise) const {
  const double s0 = n * mean_;
  const TiltedNoise g{noise, lambda_, s0, std::ceil(s0 - widest_.down - 1), std::floor(s0 + widest_.up + 1)};
  std::size_t count = log_size_.size();
  while (count > 1 && n * log_size_[count - 1] < -kVanished) --count;
  Spectrum spectrum{std::vector<double>(count), std::vector<double>(count)};
  transform_noise(g, period_, std::sqrt(n * variance_), spectrum);
  double sum = spectrum.re[0];
  for (std::size_t j = 1; j < count; ++j) {
    if (n * log_size_[j] < -kVanished) continue;
    const double size = std::exp(n * log_size_[j]);
    const double angle = n * angle_[j];
    const double both = 2 * static_cast<double>(j) == period_ ? 1 : 2;
    sum += both * size * (spectrum.re[j] * std::cos(angle) - spectrum.im[j] * std::sin(angle));
  }
  const double share = sum / period_;
  return {g.log_peak() + n * log_mass_ + std::log(std::max(share, 1e-300)), sum / spectrum.re[0]};
}

}  // namespace postern::infer
