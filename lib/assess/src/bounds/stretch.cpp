#include "stretch.hpp"

#include <algorithm>
#include <cmath>

namespace postern::assess {
namespace {

constexpr double kNegligible = 60;  // nats

struct Window {
  std::int64_t lo;
  std::int64_t hi;
};
Window window_of(const ClippedCount& cell) {
  const double radius = std::ceil(kNegligible / cell.rate());
  if (radius >= static_cast<double>(cell.records())) return {0, cell.records()};
  const auto whole = static_cast<std::int64_t>(radius);
  return {std::max<std::int64_t>(0, cell.count() - whole), std::min(cell.records(), cell.count() + whole)};
}

/// Integers `first`, `first` + step, ... with weights that fall by e^-rate a step.
struct Run {
  std::int64_t first;
  std::int64_t length;
  int step;  ///< 1 or -1
  double weight;
  double fall;  ///< e^-rate
};

/// out(s) += sum over the run of weight(z) q(s - z), by following the run's own direction.
void add_run(const Stretch& q, const Run& run, Stretch& out) {
  if (run.length <= 0) return;
  const double left = std::pow(run.fall, static_cast<double>(run.length));
  const std::int64_t beyond = run.first + run.step * run.length;
  double sum = 0;
  const bool upwards = run.step > 0;
  for (std::int64_t s = upwards ? out.from : out.to(); upwards ? s <= out.to() : s >= out.from;
       s += run.step) {
    sum = run.fall * sum + q.at(s - run.first) - left * q.at(s - beyond);
    out.weight[static_cast<std::size_t>(s - out.from)] += run.weight * sum;
  }
}

void add_atom(const Stretch& q, std::int64_t place, double weight, Stretch& out) {
  for (std::int64_t s = q.from; s <= q.to(); ++s)
    out.weight[static_cast<std::size_t>(s + place - out.from)] += weight * q.at(s);
}

}  // namespace

Stretch pmf_stretch(const ClippedCount& cell) {
  const auto [lo, hi] = window_of(cell);
  Stretch out{lo, {}};
  for (std::int64_t z = lo; z <= hi; ++z) out.weight.push_back(cell.pmf(z));
  return out;
}

Stretch add_clipped_count(const Stretch& weights, const ClippedCount& cell) {
  const auto [lo, hi] = window_of(cell);
  Stretch out{weights.from + lo,
              std::vector<double>(weights.weight.size() + static_cast<std::size_t>(hi - lo))};
  if (lo == 0) add_atom(weights, 0, cell.pmf(0), out);
  if (hi == cell.records()) add_atom(weights, hi, cell.pmf(hi), out);
  const std::int64_t least = std::max<std::int64_t>(lo, 1);
  const std::int64_t most = std::min(hi, cell.records() - 1);
  const double fall = std::exp(-cell.rate());
  const std::int64_t up = std::max(cell.count(), least);
  const std::int64_t down = std::min(cell.count() - 1, most);
  add_run(weights, {up, most - up + 1, 1, cell.pmf(up), fall}, out);
  add_run(weights, {down, down - least + 1, -1, cell.pmf(down), fall}, out);
  return out;
}

}  // namespace postern::assess
