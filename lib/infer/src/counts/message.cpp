#include "message.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "postern/core/fft.hpp"
#include "postern/core/special.hpp"

#include "numeric/careful_convolution.hpp"

namespace postern::infer {
namespace {

/// Cost of a transform of this length in the unit of one step of a direct sum, measured.
double transform_cost(std::size_t length) {
  const auto n = static_cast<double>(length);
  return 12 * n * std::log2(n + 2);
}

}  // namespace

double transform_error(std::span<const double> a, std::span<const double> b) {
  // Rounding errors of the stages add up like a random walk: the root mean square error of a product is about
  // 0.6 u sqrt(log2 N) |a| |b| (Schatzman 1996), u = 1.1e-16. Three times that is above what is seen.
  return 2 * 1.1e-16 * std::sqrt(std::log2(static_cast<double>(a.size() + b.size()))) * norm(a) * norm(b);
}

namespace {

/// Every pitch-th weight from `first` on, with zeros behind.
void take_phase(const Message& message, std::int64_t first, std::int64_t pitch, std::span<double> out) {
  const auto size = static_cast<std::int64_t>(message.weight.size());
  std::size_t taken = 0;
  for (std::int64_t i = first; i < size; i += pitch) {
    out[taken++] = message.weight[static_cast<std::size_t>(i)];
  }
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(taken), out.end(), 0.0);
}

/// Sums that are multiples, each phase of a having its partner among those of b: short transforms, as long
/// as it takes for what comes round their end not to reach the multiples that are wanted.
Message multiply_phases(const Message& a, const Message& b, std::int64_t pitch, Window wanted) {
  const std::int64_t least = a.lo + b.lo;
  const std::int64_t first = multiples_in({least, least}, pitch).lo;
  const std::int64_t end = multiples_in({least, a.window().hi + b.window().hi}, pitch).hi + 1;
  const std::int64_t part =
      (static_cast<std::int64_t>(std::max(a.weight.size(), b.weight.size())) - 1) / pitch + 2;
  const RealFft fft(
      RealFft::good_size(static_cast<std::size_t>(std::max({wanted.hi + 1 - first, end - wanted.lo, part}))));
  std::vector<double> spectrum(fft.size(), 0.0);
  std::vector<double> mine(fft.size());
  std::vector<double> partner(fft.size());
  for (std::int64_t phase = 0; phase < pitch; ++phase) {
    const std::int64_t multiple = multiples_in({least + phase, least + phase}, pitch).lo;
    // The first weight of a phase that begins one multiple later stands one place further.
    const auto late = static_cast<std::size_t>(multiple - first);
    std::fill_n(mine.begin(), late, 0.0);
    take_phase(a, phase, pitch, std::span(mine).subspan(late));
    take_phase(b, pitch * multiple - least - phase, pitch, partner);
    fft.forward(mine);
    fft.forward(partner);
    fft.multiply(mine, partner);
    std::transform(spectrum.begin(), spectrum.end(), mine.begin(), spectrum.begin(), std::plus<>());
  }
  fft.inverse(spectrum);
  return {first, std::move(spectrum)};
}

/// Of the transform that gets sums in a window right.
std::size_t short_size(const Message& a, const Message& b, Window wanted) {
  const std::int64_t first = a.lo + b.lo;
  const std::int64_t end = a.window().hi + b.window().hi + 1;
  const auto part = static_cast<std::int64_t>(std::max(a.weight.size(), b.weight.size()));
  return static_cast<std::size_t>(std::max({wanted.hi + 1 - first, end - wanted.lo, part}));
}

}  // namespace

Convolution convolve(const Message& a, const Message& b, Window keep, Care care) {
  const Window sums{a.lo + b.lo, a.window().hi + b.window().hi};
  keep = intersect(keep, sums);
  Convolution out;
  out.message.lo = keep.lo;
  if (keep.empty() || a.weight.empty() || b.weight.empty()) return out;
  const std::int64_t first = keep.lo - sums.lo;
  const std::size_t count = keep.size();
  const double direct_cost =
      static_cast<double>(count) * static_cast<double>(std::min(a.weight.size(), b.weight.size()));
  const double allowance = care == Care::of_each ? 3 : 1;
  if (direct_cost <= allowance * transform_cost(short_size(a, b, keep))) {
    out.message.weight = convolve_directly(a.weight, b.weight, first, count);
    return out;
  }
  if (care == Care::of_each) {
    out.message.weight = convolve_carefully(a.weight, b.weight, first, count);
    return out;
  }
  out.error = transform_error(a.weight, b.weight);
  const Message all = multiply_phases(a, b, 1, keep);
  const auto begin = all.weight.begin() + first;
  out.message.weight.assign(begin, begin + static_cast<std::int64_t>(count));
  for (double& w : out.message.weight) w = std::max(w, 0.0);
  return out;
}

Convolution convolve_multiples(const Message& a, const Message& b, Window keep, std::int64_t pitch,
                               Care care) {
  if (pitch == 1) return convolve(a, b, keep, care);
  const std::int64_t least = a.lo + b.lo;
  const Window sums{least, a.window().hi + b.window().hi};
  const Window wanted = multiples_in(intersect(keep, sums), pitch);
  Convolution out;
  out.message = {wanted.lo, std::vector<double>(wanted.size(), 0.0)};
  if (wanted.empty()) return out;
  const double shorter = static_cast<double>(std::min(a.weight.size(), b.weight.size()));
  const bool few = static_cast<double>(wanted.size()) * shorter <= transform_cost(sums.size());
  if (!few && care == Care::of_largest) {
    out.error = transform_error(a.weight, b.weight);
    const Message all = multiply_phases(a, b, pitch, wanted);
    const double* from = all.weight.data() + (wanted.lo - all.lo);
    for (std::size_t i = 0; i < wanted.size(); ++i) out.message.weight[i] = std::max(from[i], 0.0);
    return out;
  }
  const Message each = few ? Message{} : convolve(a, b, keep, care).message;
  for (std::int64_t k = wanted.lo; k <= wanted.hi; ++k) {
    out.message.weight[static_cast<std::size_t>(k - wanted.lo)] =
        few ? convolve_directly(a.weight, b.weight, pitch * k - least, 1)[0] : each.at(pitch * k);
  }
  return out;
}

namespace {

/// The part that one cut leaves, as indices.
Window kept(std::span<const double> w, const Cut& cut) {
  std::vector<double> tilted(w.begin(), w.end());
  if (cut.tilt != 0) {
    double top = kMinusInfinity;
    for (std::size_t i = 0; i < w.size(); ++i) {
      tilted[i] = std::log(w[i]) + cut.tilt * static_cast<double>(i);
      top = std::max(top, tilted[i]);
    }
    for (double& x : tilted) x = std::exp(x - top);
  }
  const double allowed = cut.share * std::accumulate(tilted.begin(), tilted.end(), 0.0);
  const auto last = static_cast<std::int64_t>(w.size()) - 1;
  Window out{0, last};
  for (double dropped = 0; out.lo < last; ++out.lo) {
    dropped += tilted[static_cast<std::size_t>(out.lo)];
    if (dropped > allowed) break;
  }
  for (double dropped = 0; out.hi > out.lo; --out.hi) {
    dropped += tilted[static_cast<std::size_t>(out.hi)];
    if (dropped > allowed) break;
  }
  return out;
}

}  // namespace

void trim(Message& message, std::span<const Cut> cuts, double floor) {
  std::vector<double>& w = message.weight;
  if (w.empty()) return;
  Window keep{static_cast<std::int64_t>(w.size()) - 1, 0};
  for (const Cut& cut : cuts) {
    const Window one = kept(w, cut);
    keep = {std::min(keep.lo, one.lo), std::max(keep.hi, one.hi)};
  }
  while (keep.lo < keep.hi && w[static_cast<std::size_t>(keep.lo)] <= floor) ++keep.lo;
  while (keep.hi > keep.lo && w[static_cast<std::size_t>(keep.hi)] <= floor) --keep.hi;
  if (keep.empty()) return;
  w.erase(w.begin() + keep.hi + 1, w.end());
  w.erase(w.begin(), w.begin() + keep.lo);
  w.shrink_to_fit();
  message.lo += keep.lo;
}

}  // namespace postern::infer
