#include "exact/number_lattice_block.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/fft.hpp"
#include "postern/core/special.hpp"

#include "exact/number_transform.hpp"

namespace postern::infer {
namespace {

constexpr double kMostSums = 32768;
constexpr double kMostNumbers = 64;
constexpr double kRun = 64;  ///< values of a geometric series from one exponential

/// A place on the ring of integers modulo size, negacyclic: each time around changes the sign.
class Place {
 public:
  Place(double at, std::size_t size) : size_(size) {
    const double around = 2 * static_cast<double>(size);
    place_ = static_cast<std::size_t>(at - around * std::floor(at / around));
  }
  void add(double value, std::vector<double>& to) const {
    to[place_ < size_ ? place_ : place_ - size_] += place_ < size_ ? value : -value;
  }
  void next() { place_ = place_ + 1 == 2 * size_ ? 0 : place_ + 1; }

 private:
  std::size_t size_;
  std::size_t place_;
};

/// g on the ring: between kinks a geometric series, begun anew every so often.
void add_noise(const TiltedNoise& g, std::vector<double>& to) {
  Place place(g.lo, to.size());
  const auto add = [&](double value) {
    place.add(value, to);
    place.next();
  };
  if (g.noise.precision > 0) {
    for (double s = g.lo; s <= g.hi; ++s) add(std::exp(g.log_at(s)));
    return;
  }
  for (const Stretch& stretch : stretches_of(g)) {
    const double ratio = std::exp(stretch.slope);
    for (double from = stretch.first; from <= stretch.last; from += kRun) {
      double value = std::exp(g.log_at(from));
      for (double s = from; s <= std::min(stretch.last, from + kRun - 1); ++s, value *= ratio) add(value);
    }
  }
}

}  // namespace

LatticeBlock::LatticeBlock(const RecordNodes& nodes, const TiltedRecord& tilted, const CountWeight& weight,
                           const SumNoise& noise, double lo, double hi, double near) {
  const SumSpan span = sum_span(nodes, tilted, hi);
  const double lowest = std::floor(std::min(lo * tilted.mean, hi * tilted.mean) - span.down);
  const double highest = std::ceil(std::max(lo * tilted.mean, hi * tilted.mean) + span.up);
  const double range = nodes.at.back() - nodes.at.front();
  const double sums = std::max(highest - lowest, range) + 1;
  usable_ = nodes.whole && sums <= kMostSums && hi - lo < kMostNumbers;
  if (!usable_) return;

  const RealFft fft(RealFft::good_size(static_cast<std::size_t>(sums)));
  std::vector<double> record(fft.size(), 0.0);
  for (std::size_t r = 0; r < nodes.at.size(); ++r)
    Place(nodes.at[r], fft.size()).add(tilted.weight[r], record);
  const TiltedNoise g(noise, tilted.lambda, near * tilted.mean, lowest, highest);
  std::vector<double> seen(fft.size(), 0.0);
  add_noise(g, seen);
  double square = 0;
  for (const double value : seen) square += value * value;
  fft.forward(record);
  fft.forward(seen);
  log_values_.resize(static_cast<std::size_t>(hi - lo) + 1);
  fft.multiply_powers(record, seen, static_cast<std::size_t>(lo), log_values_);
  log_sizes_ = kMinusInfinity;
  double n = lo;
  for (double& value : log_values_) {
    const double log_scale =
        weight.log_at(n) + n * tilted.log_mass + tilted.lambda * tilted.mean * (n - near) + g.log_peak();
    value = log_scale + std::log(std::max(value, 1e-300));
    log_sizes_ = log_add_exp(log_sizes_, log_scale + 0.5 * std::log(square));
    ++n;
  }
}

}  // namespace postern::infer
