#include "seen_count.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "postern/core/special.hpp"

namespace postern::infer {

double log_rising_term(double s, double shape) {
  return s + 1 >= shape ? log_rising(s + 1, shape - 1) - log_gamma(shape)
                        : log_rising(shape, s) - log_factorial(s);
}

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
  double mass = 0, first = 0, second = 0;
};

/// Moments of weights at 0, 1, …, about a place. In lanes: one sum would wait for itself at every step.
Sums sums_of(std::span<const double> weight, double about) {
  constexpr std::size_t kLanes = 4;
  std::array<Sums, kLanes> lanes{};
  const auto add = [&](std::size_t i, Sums& to) {
    const double d = static_cast<double>(i) - about;
    const double w = weight[i];
    to.mass += w;
    to.first += d * w;
    to.second += d * d * w;
  };
  std::size_t i = 0;
  for (; i + kLanes <= weight.size(); i += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) add(i + j, lanes[j]);
  }
  for (; i < weight.size(); ++i) add(i, lanes[0]);
  for (std::size_t j = 1; j < kLanes; ++j) {
    lanes[0].mass += lanes[j].mass;
    lanes[0].first += lanes[j].first;
    lanes[0].second += lanes[j].second;
  }
  return lanes[0];
}

constexpr std::int64_t kGrowth = 16;  ///< weights between looks at how far a tail has fallen

/// 1 / s, from a table where that is long enough.
class Reciprocals {
 public:
  Reciprocals() {
    for (std::size_t s = 1; s < table_.size(); ++s) table_[s] = 1 / static_cast<double>(s);
  }
  /// 1 / (s + i), i = 0 … kGrowth - 1. @pre s >= 1
  void take(std::int64_t s, std::array<double, kGrowth>& out) const {
    if (s + kGrowth <= static_cast<std::int64_t>(table_.size())) {
      std::copy_n(table_.begin() + s, kGrowth, out.begin());
      return;
    }
    for (std::int64_t i = 0; i < kGrowth; ++i)
      out[static_cast<std::size_t>(i)] = 1 / static_cast<double>(s + i);
  }

 private:
  std::vector<double> table_ = std::vector<double>(1 << 15);
};

/// The weights around the one at `from`, which is 1, and their ends.
struct Grown {
  const SeenCount& seen;
  double shape;
  double growth;
  double floor;
  std::int64_t from;
  std::vector<double>& kept;
  std::int64_t begin = from;
  std::int64_t last = from;
  double largest = 1;

  void up(double scale);
  void down(double scale);
  /// log of the lowest count's weight, for shapes below 1: weights may rise again towards 0, and then that is
  /// the largest of those.
  [[nodiscard]] double log_lowest(double scale) const {
    const auto lo = static_cast<double>(seen.message.lo);
    const auto fall = static_cast<double>(from);
    return std::log(seen.message.weight.front() * scale) - fall * std::log(growth) +
           log_rising_term(lo, shape) - log_rising_term(lo + fall, shape);
  }
};

void Grown::up(double scale) {
  static const Reciprocals reciprocals;
  const std::vector<double>& w = seen.message.weight;
  const auto size = static_cast<std::int64_t>(w.size());
  std::array<double, kGrowth> part{};
  double product = scale;
  while (last + 1 < size) {
    const std::int64_t first = last + 1;
    const std::int64_t end = std::min(first + kGrowth, size);
    // From count s - 1 to s the prior grows by (s - 1 + shape) / s = 1 + (shape - 1) / s.
    reciprocals.take(seen.message.lo + first, part);
    for (double& x : part) x = growth + growth * (shape - 1) * x;
    double top = 0;
    for (std::int64_t i = first; i < end; ++i) {
      product *= part[static_cast<std::size_t>(i - first)];
      top = std::max(top, kept[static_cast<std::size_t>(i)] = product * w[static_cast<std::size_t>(i)]);
    }
    last = end - 1;
    largest = std::max(largest, top);
    if (top < floor * largest) break;
  }
}

void Grown::down(double scale) {
  const std::vector<double>& w = seen.message.weight;
  const double shrink = 1 / growth;
  const double lowest = shape < 1 ? log_lowest(scale) : 0;
  double product = scale;
  while (begin > 0) {
    const std::int64_t first = std::max<std::int64_t>(0, begin - kGrowth);
    double top = 0;
    for (std::int64_t i = begin; i-- > first;) {
      const auto s = static_cast<double>(seen.message.lo + i + 1);
      product *= s / (s - 1 + shape) * shrink;
      top = std::max(top, kept[static_cast<std::size_t>(i)] = product * w[static_cast<std::size_t>(i)]);
    }
    begin = first;
    largest = std::max(largest, top);
    if (top < floor * largest && (shape >= 1 || lowest < std::log(floor * largest))) break;
  }
}

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

WeighedLeaf weigh_leaf(const SeenCount& seen, double shape, double tilt, double floor) {
  const std::vector<double>& w = seen.message.weight;
  const double growth = std::exp(tilt);
  const std::int64_t from = start_of(seen, shape, growth);
  thread_local std::vector<double> kept;
  kept.resize(w.size());
  kept[static_cast<std::size_t>(from)] = 1;
  Grown grown{seen, shape, growth, floor, from, kept};
  grown.up(1 / w[static_cast<std::size_t>(from)]);
  grown.down(1 / w[static_cast<std::size_t>(from)]);
  const std::span<const double> weight = std::span(kept).subspan(
      static_cast<std::size_t>(grown.begin), static_cast<std::size_t>(grown.last - grown.begin) + 1);
  const auto about = static_cast<double>(from - grown.begin);
  const Sums sums = sums_of(weight, about);
  WeighedLeaf out;
  out.leaf.message = {seen.message.lo + grown.begin, std::vector<double>(weight.size())};
  std::transform(weight.begin(), weight.end(), out.leaf.message.weight.begin(),
                 [by = 1 / sums.mass](double x) { return x * by; });
  const auto s = static_cast<double>(seen.message.lo + from);
  out.leaf.log_scale = seen.log_scale + std::log(w[static_cast<std::size_t>(from)] * sums.mass) +
                       log_rising_term(s, shape) + tilt * s;
  const double offset = sums.first / sums.mass;
  out.mean = s + offset;
  out.variance = std::max(0.0, sums.second / sums.mass - offset * offset);
  const auto size = static_cast<std::int64_t>(w.size());
  if (grown.begin == 0 && seen.cut_low) out.edge_low = weight.front() / grown.largest;
  if (grown.last == size - 1 && seen.cut_high) out.edge_high = weight.back() / grown.largest;
  return out;
}

}  // namespace postern::infer
