#include "lattice_block.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "postern/core/fft.hpp"
#include "postern/core/special.hpp"

#include "kinds/number/exact/sum/even_grid.hpp"

namespace postern::infer {
namespace {

constexpr double kMostSums = 32768;     ///< all of which are looked at
constexpr double kMostPoints = 131072;  ///< of those that stand for more
constexpr double kMostNumbers = 64;
constexpr std::size_t kChunk = 64;    ///< values of a geometric series from one exponential
constexpr double kMostSpread = 32;    ///< records whose shares count past the last sums
constexpr double kOfDeviation = 120;  ///< points to a deviation of the sum of the fewest
constexpr double kOfRecord = 1024;    ///< points to a record's range
constexpr std::int64_t kAround = 6;   ///< points on either side of a kink that tell the density there

/// Sums on the ring of points modulo its size, negacyclic: each time around changes the sign.
class Ring {
 public:
  explicit Ring(std::size_t size) : value_(size, 0.0) {}

  /// One after the other, from a point on.
  void add(std::int64_t at, std::span<const double> values) {
    const auto size = static_cast<std::int64_t>(value_.size());
    for (std::size_t k = 0; k < values.size();) {
      const std::int64_t place = (((at + static_cast<std::int64_t>(k)) % (2 * size)) + 2 * size) % (2 * size);
      const bool odd = place >= size;
      const auto from = static_cast<std::size_t>(odd ? place - size : place);
      const std::size_t count = std::min(values.size() - k, value_.size() - from);
      for (std::size_t i = 0; i < count; ++i) value_[from + i] += odd ? -values[k + i] : values[k + i];
      k += count;
    }
  }
  [[nodiscard]] std::vector<double>& value() { return value_; }

 private:
  std::vector<double> value_;
};

/// g at points lo..hi, less what its kinks add where they are between points. The density there is that of
/// the points around: an atom among them counts little.
void add_noise(const TiltedNoise& g, double pitch, bool exact, Ring& to) {
  const double first = std::round(g.lo / pitch);
  const double last = std::round(g.hi / pitch);
  std::array<double, kChunk> values{};
  for (double from = first; from <= last; from += kChunk) {
    const auto count = static_cast<std::size_t>(std::min<double>(kChunk, last - from + 1));
    fill_noise(g, {pitch * from, pitch}, std::span(values).first(count));
    to.add(static_cast<std::int64_t>(from), std::span<const double>(values).first(count));
  }
  if (exact) return;
  for (const auto& kink : g.noise.kinks) {
    const double x = kink.at / pitch;
    if (!(x > first + kAround && x < last - kAround)) continue;
    const auto below = static_cast<std::int64_t>(std::floor(x));
    std::array<double, 2 * kAround> less{};
    less.fill(-kink_excess(g, kink, x - std::floor(x), pitch) / (2 * kAround));
    to.add(below + 1 - kAround, less);
  }
}

/// The widest points that are fine enough.
double choose_pitch(const RecordNodes& nodes, const TiltedRecord& tilted, const SumNoise& noise, double lo,
                    double error) {
  const double deviation = std::sqrt(lo * tilted.variance);
  const double range = nodes.at.back() - nodes.at.front();
  const double smooth = std::max(deviation / kOfDeviation, range / kOfRecord);
  return one_of_few_pitches(std::min(smooth, noise_pitch(noise, lo, deviation, error)));
}

/// Where the sums of lo..hi records are, and the points that stand for them.
struct Layout {
  Layout(const RecordNodes& nodes, const TiltedRecord& tilted, const SumNoise& noise, double lo, double hi,
         double error) {
    const SumSpan span = sum_span(nodes, tilted, hi);
    lowest = std::min(lo * tilted.mean, hi * tilted.mean) - span.down;
    highest = std::max(lo * tilted.mean, hi * tilted.mean) + span.up;
    const double widest = std::max(highest - lowest, nodes.at.back() - nodes.at.front()) + 4;
    exact = nodes.whole && widest <= kMostSums;
    pitch = exact ? 1 : choose_pitch(nodes, tilted, noise, lo, error);
    spread = exact ? 0 : 2 * std::min(hi, kMostSpread);
    points = widest / pitch + 2 * spread + 8;
    inside =
        without_end_kinks(noise, std::min(lo * nodes.at.front(), hi * nodes.at.front()),
                          std::max(lo * nodes.at.back(), hi * nodes.at.back()), exact ? 0 : 2 * hi * pitch);
  }

  double lowest = 0;
  double highest = 0;
  bool exact = false;  ///< every sum is a point
  double pitch = 1;
  double spread = 0;  ///< points past the sums that have shares of them
  double points = 0;
  SumNoise inside;  ///< the noise that they see
};

Ring law_of(const RecordNodes& nodes, const TiltedRecord& tilted, double pitch, std::size_t size) {
  Ring out(size);
  for (std::size_t r = 0; r < nodes.at.size(); ++r) {
    CubicWeights shares(nodes.at[r] / pitch);
    for (double& share : shares.weight) share *= tilted.weight[r];
    out.add(shares.first, shares.weight);
  }
  return out;
}

}  // namespace

LatticeBlock::LatticeBlock(const RecordNodes& nodes, const TiltedRecord& tilted, const CountWeight& weight,
                           const SumNoise& noise, double lo, double hi, double near, double error) {
  const Layout at(nodes, tilted, noise, lo, hi, error);
  usable_ = at.points <= kMostPoints && hi - lo < kMostNumbers;
  if (!usable_) return;
  const RealFft fft(RealFft::good_size(static_cast<std::size_t>(at.points)));
  Ring record = law_of(nodes, tilted, at.pitch, fft.size());
  const TiltedNoise g(at.inside, tilted.lambda, near * tilted.mean,
                      at.pitch * std::floor(at.lowest / at.pitch - at.spread),
                      at.pitch * std::ceil(at.highest / at.pitch + at.spread));
  Ring seen(fft.size());
  add_noise(g, at.pitch, at.exact, seen);
  const double log_size = std::log(norm(seen.value()));
  fft.forward(record.value());
  fft.forward(seen.value());
  log_values_.resize(static_cast<std::size_t>(hi - lo) + 1);
  fft.multiply_powers(record.value(), seen.value(), static_cast<std::size_t>(lo), log_values_);
  log_sizes_ = kMinusInfinity;
  double n = lo;
  for (double& value : log_values_) {
    const double log_scale =
        weight.log_at(n) + n * tilted.log_mass + tilted.lambda * tilted.mean * (n - near) + g.log_peak();
    value = log_scale + std::log(std::max(value, 1e-300));
    log_sizes_ = log_add_exp(log_sizes_, log_scale + log_size);
    ++n;
  }
}

}  // namespace postern::infer
