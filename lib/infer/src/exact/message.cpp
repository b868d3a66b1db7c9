#include "exact/message.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "postern/core/fft.hpp"
#include "postern/core/special.hpp"

#include "exact/careful_convolution.hpp"

namespace postern::infer {
namespace {

double norm(std::span<const double> x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

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
  if (direct_cost <= allowance * transform_cost(sums.size())) {
    out.message.weight = convolve_directly(a.weight, b.weight, first, count);
    return out;
  }
  if (care == Care::of_each) {
    out.message.weight = convolve_carefully(a.weight, b.weight, first, count);
    return out;
  }
  out.error = transform_error(a.weight, b.weight);
  const std::vector<double> all = postern::convolve(a.weight, b.weight);
  const auto begin = all.begin() + first;
  out.message.weight.assign(begin, begin + static_cast<std::int64_t>(count));
  for (double& w : out.message.weight) w = std::max(w, 0.0);
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
