#include "exact/number_lattice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "postern/core/fft.hpp"

#include "exact/number_sum.hpp"

namespace postern::infer {
namespace {

constexpr double kMostPoints = 131072;  ///< of the window of S
/// Records whose nodes between points count past the last sums, two points each: of more hardly all do.
constexpr double kMostSpread = 32;
/// What a lattice misses beside rate H times the share of sums near a kink; 1/8 but for signs.
constexpr double kKinkMiss = 0.05;

/// Points at origin + pitch * i.
struct Lattice {
  double origin = 0;
  double pitch = 1;
};

/// The widest pitch at which kinks add no more than the error that is allowed.
double kink_pitch(const SumNoise& noise, double deviation, double error) {
  double rate = 0;
  for (const auto& kink : noise.kinks) rate += kink.rate;
  return std::sqrt(error / (kKinkMiss * rate * (rate + 1 / deviation)));
}

struct Wanted {
  double window = 0;
  double deviation = 0;
  double kink_pitch = 0;
};

Lattice choose_lattice(const RecordNodes& nodes, const TiltedRecord& tilted, const Wanted& wanted,
                       const Fineness& fineness) {
  const double range = nodes.at.back() - nodes.at.front();
  const double smooth = std::max(wanted.deviation / fineness.of_deviation, range / fineness.of_record);
  const double widest = std::max(std::min(smooth, wanted.kink_pitch), wanted.window / kMostPoints);
  if (nodes.whole && (wanted.window <= fineness.most_exact || widest <= 1)) return {nodes.at.front(), 1};
  std::size_t first = 0;
  for (std::size_t r = 1; r < nodes.at.size(); ++r) {
    if (tilted.weight[r] > tilted.weight[first]) first = r;
  }
  std::size_t second = first == 0 ? nodes.at.size() - 1 : 0;
  for (std::size_t r = 0; r < nodes.at.size(); ++r) {
    if (r != first && tilted.weight[r] > tilted.weight[second]) second = r;
  }
  const double apart = std::abs(nodes.at[second] - nodes.at[first]);
  const double pitch = apart > 0 ? apart / std::ceil(apart / widest) : widest;
  return {nodes.at[first], apart > widest ? pitch : widest};
}

/// The law of one record on the lattice, from index `first` on.
struct Deposit {
  std::int64_t first = 0;
  std::vector<double> mass;

  void add(double x, double weight) {
    double below = std::floor(x);
    double t = x - below;
    if (t > 1 - 1e-9) {
      below += 1;
      t = 0;
    }
    const auto at = static_cast<std::size_t>(static_cast<std::int64_t>(below) - first);
    if (t < 1e-9) {
      mass[at] += weight;
      return;
    }
    mass[at - 1] -= weight * t * (t - 1) * (t - 2) / 6;
    mass[at] += weight * (t + 1) * (t - 1) * (t - 2) / 2;
    mass[at + 1] -= weight * (t + 1) * t * (t - 2) / 2;
    mass[at + 2] += weight * (t + 1) * t * (t - 1) / 6;
  }
};

Deposit deposit(const RecordNodes& nodes, const TiltedRecord& tilted, const Lattice& lattice,
                double negligible) {
  std::size_t lo = 0;
  std::size_t hi = nodes.at.size() - 1;
  while (tilted.weight[lo] < negligible) ++lo;
  while (tilted.weight[hi] < negligible) --hi;
  const auto index = [&](std::size_t r) { return (nodes.at[r] - lattice.origin) / lattice.pitch; };
  Deposit out;
  out.first = static_cast<std::int64_t>(std::floor(index(lo))) - 1;
  out.mass.resize(static_cast<std::size_t>(std::ceil(index(hi)) - static_cast<double>(out.first)) + 3);
  for (std::size_t r = lo; r <= hi; ++r) out.add(index(r), tilted.weight[r]);
  return out;
}

/// Spectrum of the n-fold convolution.
std::vector<double> power(const RealFft& fft, std::vector<double> base, std::int64_t n) {
  base.resize(fft.size(), 0.0);
  fft.forward(base);
  std::vector<double> out = base;
  int bit = 62;
  while ((n >> bit) == 0) --bit;
  for (--bit; bit >= 0; --bit) {
    const std::vector<double> once = out;
    fft.multiply(out, once);
    if (((n >> bit) & 1) != 0) fft.multiply(out, base);
  }
  fft.inverse(out);
  return out;
}

/// The same noise at every sum from least to most, without kinks there that only misplaced sums would see.
SumNoise without_end_kinks(const SumNoise& noise, double least, double most, double margin) {
  SumNoise out = noise;
  for (auto& kink : out.kinks) {
    if (kink.at > least && kink.at < most) continue;
    kink.at += kink.at <= least ? -margin : margin;
    out.log_norm += kink.rate * margin;
  }
  return out;
}

constexpr std::int64_t kChunk = 32;

/// g at points a pitch apart: geometric, from its higher end, where no kink and no parabola is between them.
void fill_noise(const TiltedNoise& g, const Lattice& points, std::span<double> out) {
  const std::size_t end = out.size() - 1;
  const auto log_at = [&](std::size_t k) {
    return g.log_at(points.origin + points.pitch * static_cast<double>(k));
  };
  const double last = points.origin + points.pitch * static_cast<double>(end);
  const auto within = [&](const auto& kink) { return kink.at > points.origin && kink.at < last; };
  if (end == 0 || g.noise.precision > 0 || std::any_of(g.noise.kinks.begin(), g.noise.kinks.end(), within)) {
    for (std::size_t k = 0; k <= end; ++k) out[k] = std::exp(log_at(k));
    return;
  }
  const double rise = log_at(end) - log_at(0);
  const double ratio = std::exp(-std::abs(rise) / static_cast<double>(end));
  double value = std::exp(log_at(rise > 0 ? end : 0));
  for (std::size_t k = 0; k <= end; ++k, value *= ratio) out[rise > 0 ? end - k : k] = value;
}

/// Masses of sums from..to, and those times g.
struct Overlap {
  double whole = 0;
  double share = 0;
};
/// Negacyclic: each time around changes the sign.
Overlap overlap(const std::vector<double>& law, std::int64_t from, std::int64_t to, const TiltedNoise& g,
                const Lattice& points) {
  const auto size = static_cast<std::int64_t>(law.size());
  std::array<double, kChunk> noise{};
  Overlap out;
  for (std::int64_t i = from; i <= to;) {
    const std::int64_t place = i % size;
    const auto count = static_cast<std::size_t>(std::min({kChunk, to - i + 1, size - place}));
    fill_noise(g, {points.origin + points.pitch * static_cast<double>(i), points.pitch},
               std::span(noise).first(count));
    const double sign = (i / size) % 2 == 0 ? 1 : -1;
    const double* mass = law.data() + place;
    for (std::size_t k = 0; k < count; ++k) {
      out.whole += sign * mass[k];
      out.share += sign * mass[k] * noise[k];
    }
    i += static_cast<std::int64_t>(count);
  }
  return out;
}

/// The mass of a point between i and i + 1 where the law is smooth there: a median, which atoms do not move.
template <class Mass>
double smooth_mass(std::int64_t i, const Mass& mass_at) {
  std::array<double, 12> around{};
  for (std::size_t k = 0; k < around.size(); ++k) around[k] = mass_at(i - 5 + static_cast<std::int64_t>(k));
  const auto middle = around.begin() + 5;
  std::nth_element(around.begin(), middle, around.end());
  return *middle;
}

/// By how much a sum over the lattice exceeds the integral of a smooth law against g: at each kink of g,
/// where it lies between two points, -(H^2 / 2) B_2 times the jump of the slope (Euler and Maclaurin).
template <class Mass>
double kink_excess(const TiltedNoise& g, double pitch, double start, const Mass& mass_at) {
  double sum = 0;
  for (const auto& kink : g.noise.kinks) {
    const double x = (kink.at - start) / pitch;
    if (!(std::abs(x) < 1e15)) continue;
    const double below = std::floor(x);
    const double t = x - below;
    const double mass = smooth_mass(static_cast<std::int64_t>(below), mass_at);
    if (mass > 0) sum += mass * pitch * kink.rate * (t * t - t + 1.0 / 6) * std::exp(g.log_at(kink.at));
  }
  return sum;
}

}  // namespace

double log_mean_lattice(const RecordNodes& nodes, const TiltedRecord& tilted, std::int64_t n,
                        const SumNoise& kinked, const Fineness& fineness) {
  const auto records = static_cast<double>(n);
  const double s0 = records * tilted.mean;
  const SumSpan span = sum_span(nodes, tilted, records);
  const double deviation = std::sqrt(records * tilted.variance);
  const Lattice lattice = choose_lattice(
      nodes, tilted, {span.down + span.up, deviation, kink_pitch(kinked, deviation, fineness.error)},
      fineness);
  const SumNoise noise = without_end_kinks(kinked, records * nodes.at.front(), records * nodes.at.back(),
                                           2 * records * lattice.pitch);
  const Deposit law = deposit(nodes, tilted, lattice, negligible_weight(nodes, records));

  // Index of a sum: how many pitches it is above n times the first point of the record's law.
  const double start = records * (lattice.origin + lattice.pitch * static_cast<double>(law.first));
  const double spread = 2 * std::min(records, kMostSpread);
  const auto from =
      static_cast<std::int64_t>(std::max(std::ceil((s0 - span.down - start) / lattice.pitch) - spread, 0.0));
  const auto to = static_cast<std::int64_t>(std::floor((s0 + span.up - start) / lattice.pitch) + spread);
  const RealFft fft(RealFft::good_size(std::max(static_cast<std::size_t>(to - from) + 1, law.mass.size())));
  const std::vector<double> sum_law = power(fft, law.mass, n);

  // Negacyclic: each time around changes the sign.
  const auto size = static_cast<std::int64_t>(fft.size());
  const auto mass_at = [&](std::int64_t i) {
    if (i < from || i > to) return 0.0;
    return ((i / size) % 2 == 0 ? 1 : -1) * sum_law[static_cast<std::size_t>(i % size)];
  };
  const TiltedNoise g(noise, tilted.lambda, s0, s0 - span.down, s0 + span.up);
  Overlap sums = overlap(sum_law, from, to, g, {start, lattice.pitch});
  if (!(nodes.whole && lattice.pitch == 1)) sums.share -= kink_excess(g, lattice.pitch, start, mass_at);
  return g.log_peak() + records * tilted.log_mass + std::log(std::max(sums.share / sums.whole, 1e-300));
}

}  // namespace postern::infer
