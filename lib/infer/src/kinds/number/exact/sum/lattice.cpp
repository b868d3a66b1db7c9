#include "lattice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "postern/core/fft.hpp"

#include "characteristic_function.hpp"
#include "even_grid.hpp"

namespace postern::infer {
namespace {

constexpr double kMostPoints = 131072;  ///< of the window of S
/// Records whose nodes between points count past the last sums, two points each: of more hardly all do.
constexpr double kMostSpread = 32;
struct Wanted {
  Wanted(const RecordNodes& nodes, const TiltedRecord& tilted, double n, const SumNoise& noise,
         const LatticeResolution& resolution)
      : span(sum_span(nodes, tilted, n)),
        window(span.down + span.up),
        deviation(std::sqrt(n * tilted.variance)),
        exact(nodes.whole && window <= resolution.most_exact) {
    const double range = nodes.at.back() - nodes.at.front();
    const double smooth = std::max(deviation / resolution.of_deviation, range / resolution.of_record);
    pitch = std::min(smooth, noise_pitch(noise, n, deviation, resolution.error));
  }

  SumSpan span;
  double window = 0;
  double deviation = 0;
  bool exact = false;  ///< every sum is a point
  double pitch = 0;    ///< the widest that will do
};

EvenGrid choose_lattice(const RecordNodes& nodes, const TiltedRecord& tilted, const Wanted& wanted) {
  const double widest = one_of_few_pitches(std::max(wanted.pitch, wanted.window / kMostPoints));
  if (wanted.exact || (nodes.whole && widest <= 1)) return {nodes.at.front(), 1};
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
    const CubicWeights shares(x);
    const auto at = static_cast<std::size_t>(shares.first - first);
    for (std::size_t k = 0; k < shares.weight.size(); ++k) {
      if (shares.weight[k] != 0) mass[at + k] += weight * shares.weight[k];
    }
  }
};

Deposit deposit(const RecordNodes& nodes, const TiltedRecord& tilted, const EvenGrid& lattice,
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
  fft.raise(base, static_cast<std::size_t>(n));
  fft.inverse(base);
  return base;
}

constexpr std::int64_t kChunk = 32;

/// Masses of sums from..to, and those times g.
struct Overlap {
  double whole = 0;
  double share = 0;
};
/// Negacyclic: each time around changes the sign.
Overlap overlap(const std::vector<double>& law, std::int64_t from, std::int64_t to, const TiltedNoise& g,
                const EvenGrid& points) {
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

template <class Mass>
double all_kinks_excess(const TiltedNoise& g, double pitch, double start, const Mass& mass_at) {
  double sum = 0;
  for (const auto& kink : g.noise.kinks) {
    const double x = (kink.at - start) / pitch;
    if (!(std::abs(x) < 1e15)) continue;
    const double below = std::floor(x);
    const double t = x - below;
    const double mass = smooth_mass(static_cast<std::int64_t>(below), mass_at);
    if (mass > 0) sum += mass * kink_excess(g, kink, t, pitch);
  }
  return sum;
}

}  // namespace

bool resolves(const RecordNodes& nodes, const TiltedRecord& tilted, std::int64_t n, const SumNoise& noise,
              const LatticeResolution& resolution) {
  const Wanted wanted(nodes, tilted, static_cast<double>(n), noise, resolution);
  return wanted.exact || wanted.pitch * kMostPoints >= wanted.window;
}

double log_mean_lattice(const RecordNodes& nodes, const TiltedRecord& tilted, std::int64_t n,
                        const SumNoise& kinked, const LatticeResolution& resolution) {
  const auto records = static_cast<double>(n);
  const double s0 = records * tilted.mean;
  const Wanted wanted(nodes, tilted, records, kinked, resolution);
  const SumSpan& span = wanted.span;
  const EvenGrid lattice = choose_lattice(nodes, tilted, wanted);
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
  if (!(nodes.whole && lattice.pitch == 1)) sums.share -= all_kinks_excess(g, lattice.pitch, start, mass_at);
  return g.log_peak() + records * tilted.log_mass + std::log(std::max(sums.share / sums.whole, 1e-300));
}

}  // namespace postern::infer
