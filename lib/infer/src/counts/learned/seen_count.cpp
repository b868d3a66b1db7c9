#include "seen_count.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

/// The mode of a noise, by bisection on its falling steps.
std::int64_t mode_of(const CellNoise& noise, std::int64_t most) {
  std::int64_t lo = 0;
  std::int64_t hi = most;
  while (lo < hi) {
    const std::int64_t middle = lo + (hi - lo) / 2;
    const auto at = static_cast<double>(middle);
    if (noise.log_ratio(at + 1, at) > 0) {
      lo = middle + 1;
    } else {
      hi = middle;
    }
  }
  return lo;
}

/// The last count from the mode towards `end` that has not fallen by `nats`.
std::int64_t reach(const CellNoise& noise, std::int64_t mode, std::int64_t end, double nats) {
  const auto m = static_cast<double>(mode);
  const auto fallen = [&](std::int64_t s) { return noise.log_ratio(static_cast<double>(s), m) < -nats; };
  if (!fallen(end)) return end;
  std::int64_t inside = mode;
  while (std::abs(end - inside) > 1) {
    const std::int64_t middle = inside + (end - inside) / 2;
    (fallen(middle) ? end : inside) = middle;
  }
  return inside;
}

/// log of Gamma(s + shape) / (Gamma(shape) s!).
double log_rising_term(double s, double shape) {
  return s + 1 >= shape ? log_rising(s + 1, shape - 1) - log_gamma(shape)
                        : log_rising(shape, s) - log_factorial(s);
}

constexpr double kFloor = 1e-12;  ///< below which a tail is not followed

/// The mode of the weights for shape >= 1; below, that of what is seen and the tilt alone, since the prior
/// falls from 0 on.
std::int64_t start_of(const SeenCount& seen, double shape, double growth) {
  const std::vector<double>& w = seen.message.weight;
  std::int64_t lo = 0;
  auto hi = static_cast<std::int64_t>(w.size()) - 1;
  while (lo < hi) {
    const std::int64_t middle = lo + (hi - lo) / 2;
    const auto s = static_cast<double>(seen.message.lo + middle);
    const auto i = static_cast<std::size_t>(middle);
    const double prior = shape > 1 ? (s + shape) / (s + 1) : 1;
    if (w[i + 1] * growth * prior > w[i] || w[i] == 0) {
      lo = middle + 1;
    } else {
      hi = middle;
    }
  }
  return lo;
}

struct Sums {
  double mass = 0, first = 0, second = 0, largest = 0;
  void add(double distance, double weight) {
    mass += weight;
    first += distance * weight;
    second += distance * distance * weight;
    largest = std::max(largest, weight);
  }
};

}  // namespace

SeenCount seen_count(const CellNoise& noise, std::int64_t most, double nats) {
  SeenCount out;
  if (!noise.seen()) {
    out.message = {0, std::vector<double>(static_cast<std::size_t>(most) + 1, 1.0)};
    return out;
  }
  const std::int64_t mode = mode_of(noise, most);
  const std::int64_t lo = reach(noise, mode, 0, nats);
  const std::int64_t hi = reach(noise, mode, most, nats);
  out.message.lo = lo;
  out.message.weight.resize(static_cast<std::size_t>(hi - lo) + 1);
  for (std::int64_t s = lo; s <= hi; ++s)
    out.message.weight[static_cast<std::size_t>(s - lo)] =
        std::exp(noise.log_ratio(static_cast<double>(s), static_cast<double>(mode)));
  out.log_scale = noise.log_anchor + noise.log_at(static_cast<double>(mode));
  out.cut_low = lo > 0;
  out.cut_high = hi < most;
  return out;
}

WeighedLeaf weigh_leaf(const SeenCount& seen, double shape, double tilt) {
  const std::vector<double>& w = seen.message.weight;
  const double growth = std::exp(tilt);
  const std::int64_t from = start_of(seen, shape, growth);
  const auto size = static_cast<std::int64_t>(w.size());
  const auto first = static_cast<double>(seen.message.lo);
  thread_local std::vector<double> kept;
  kept.resize(w.size());
  const double here = w[static_cast<std::size_t>(from)];
  const double scale = 1 / here;
  kept[static_cast<std::size_t>(from)] = 1;
  Sums sums;
  sums.add(0, 1);
  std::int64_t last = from;
  double product = scale;
  for (std::int64_t i = from + 1; i < size; ++i) {
    const double s = first + static_cast<double>(i);
    product *= (s - 1 + shape) / s * growth;
    const double weight = product * w[static_cast<std::size_t>(i)];
    kept[static_cast<std::size_t>(i)] = weight;
    sums.add(static_cast<double>(i - from), weight);
    last = i;
    if (weight < kFloor * sums.largest) break;
  }
  std::int64_t begin = from;
  product = scale;
  const double shrink = 1 / growth;
  for (std::int64_t i = from - 1; i >= 0; --i) {
    const double s = first + static_cast<double>(i) + 1;
    product *= s / (s - 1 + shape) * shrink;
    const double weight = product * w[static_cast<std::size_t>(i)];
    kept[static_cast<std::size_t>(i)] = weight;
    sums.add(static_cast<double>(i - from), weight);
    begin = i;
    if (shape >= 1 && weight < kFloor * sums.largest) break;  // below 1 there may be a spike at 0
  }
  WeighedLeaf out;
  out.leaf.message = {seen.message.lo + begin,
                      std::vector<double>(kept.begin() + begin, kept.begin() + last + 1)};
  const double s = first + static_cast<double>(from);
  out.leaf.log_scale = seen.log_scale + std::log(here) + log_rising_term(s, shape) + tilt * s;
  out.mean = s + sums.first / sums.mass;
  out.variance = std::max(0.0, sums.second / sums.mass - (out.mean - s) * (out.mean - s));
  if (begin == 0 && seen.cut_low) out.edge_low = kept.front() / sums.largest;
  if (last == size - 1 && seen.cut_high) out.edge_high = kept.back() / sums.largest;
  return out;
}

}  // namespace postern::infer
