#include "level_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace postern::infer {
namespace {

constexpr double kNegligible = 1e-40;  ///< mass that no tilt brings back
constexpr double kQuartic = 1e-6;      ///< fourth difference beside the mass of a block
constexpr std::size_t kTop = 256;      ///< blocks to begin with, at most

double between(const model::Tails& from, const model::Tails& to) {
  return std::max(to.below < 0.5 ? to.below - from.below : from.above - to.above, 0.0);
}

/// Two nodes with mass m and the first three moments of a law on [-1, 1] about the middle.
void add_pair(double middle, double half, const std::array<double, 4>& moment, RecordNodes& out) {
  const double m = moment[0];
  const double mean = moment[1] / m;
  const double variance = moment[2] / m - mean * mean;
  if (!(variance > 1e-12)) {
    out.add(middle + half * mean, m);
    return;
  }
  const double deviation = std::sqrt(variance);
  const double third = moment[3] / m - 3 * mean * moment[2] / m + 2 * mean * mean * mean;
  const double skew = std::clamp(third / (variance * deviation), -4.0, 4.0);
  const double root = std::sqrt(1 + 0.25 * skew * skew);
  const double low = mean + deviation * (0.5 * skew - root);
  const double high = mean + deviation * (0.5 * skew + root);
  out.add(middle + half * std::clamp(low, -1.0, 1.0), m * 0.5 * (1 + 0.5 * skew / root));
  out.add(middle + half * std::clamp(high, -1.0, 1.0), m * 0.5 * (1 - 0.5 * skew / root));
}

/// Coefficients of x, .., x^4 of the quartic through f at 0, 1/4, .., 1, less its value at 0.
std::array<double, 4> quartic(const std::array<double, 5>& f) {
  const double d1 = f[1] - f[0];
  const double d2 = f[2] - 2 * f[1] + f[0];
  const double d3 = f[3] - 3 * f[2] + 3 * f[1] - f[0];
  const double d4 = f[4] - 4 * f[3] + 6 * f[2] - 4 * f[1] + f[0];
  // Newton's formula in t = 4 x.
  const std::array<double, 4> t{d1 - d2 / 2 + d3 / 3 - d4 / 4, d2 / 2 - d3 / 2 + d4 * 11 / 24,
                                d3 / 6 - d4 / 4, d4 / 24};
  return {4 * t[0], 16 * t[1], 64 * t[2], 256 * t[3]};
}

}  // namespace

struct LevelBlocks::Kept {
  std::mutex mutex;
  std::map<std::pair<std::size_t, std::size_t>, Sums> sums;  ///< by first level and size
};

struct LevelBlocks::Pass {
  const model::Theta& theta;
  RecordNodes& out;
  double width;  ///< of a block, at most
};

LevelBlocks::LevelBlocks(const model::NumberLaw& law, const model::EncodedNumber& number,
                         const std::vector<double>& place, const SumLattice& lattice, double n)
    : law_(law),
      number_(number),
      place_(place),
      fineness_(std::clamp(std::sqrt(std::sqrt(n / 100)), 0.7, 4.0) / 24),
      scale_(1 / (number.values.unit * lattice.step)),
      kept_(std::make_unique<Kept>()) {
  for (std::size_t l = 1; l < place.size() && even_; ++l) even_ = place[l] == place[l - 1] + 1;
}
LevelBlocks::~LevelBlocks() = default;

model::Tails LevelBlocks::tails(const Pass& pass, std::size_t edge) const {
  return law_.tails(pass.theta, number_.edges[edge]);
}

const LevelBlocks::Sums& LevelBlocks::sums_of(std::size_t first, std::size_t size) const {
  const std::size_t key = even_ ? 0 : first;
  const std::scoped_lock lock(kept_->mutex);
  const auto [at, fresh] = kept_->sums.try_emplace({key, size});
  if (!fresh) return at->second;
  Sums& sums = at->second;
  const double middle = 0.5 * (place_[first] + place_[first + size - 1]);
  const double half = std::max(0.5 * (place_[first + size - 1] - place_[first]), 0.5);
  for (auto& row : sums) row.fill(0);
  for (std::size_t l = 0; l < size; ++l) {
    const double x0 = static_cast<double>(l) / static_cast<double>(size);
    const double x1 = static_cast<double>(l + 1) / static_cast<double>(size);
    const double q = (place_[first + l] - middle) / half;
    double p0 = 1;
    double p1 = 1;
    for (auto& row : sums) {
      p0 *= x0;
      p1 *= x1;
      double power = p1 - p0;
      for (double& sum : row) {
        sum += power;
        power *= q;
      }
    }
  }
  return sums;
}

void LevelBlocks::add_levels(Pass& pass, std::size_t first, std::size_t count) const {
  model::Tails here = tails(pass, first);
  for (std::size_t l = first; l < first + count; ++l) {
    const model::Tails next = tails(pass, l + 1);
    const double mass = between(here, next);
    if (mass > 0) pass.out.add(place_[l], mass);
    here = next;
  }
}

void LevelBlocks::add_block(Pass& pass, std::size_t first, std::size_t size, const Edges& edges) const {
  const double mass = between(edges[0], edges[kOrder]);
  if (mass < kNegligible && between(edges[0], edges[2]) < kNegligible) return;
  const bool lower = edges[2].below < 0.5;
  std::array<double, kOrder + 1> f{};
  for (std::size_t k = 0; k <= kOrder; ++k)
    f[k] = lower ? edges[k].below - edges[0].below : edges[0].above - edges[k].above;
  const double fourth = f[4] - 4 * f[3] + 6 * f[2] - 4 * f[1] + f[0];
  // What a block misplaces is its mass times the fourth power of its width.
  const double wide = place_[first + size - 1] - place_[first];
  const double most = pass.width * std::min(std::sqrt(std::sqrt(0.003 / mass)), 16.0);
  if (wide <= most && std::abs(fourth) <= kQuartic * mass + 1e-17) {
    const std::array<double, 4> c = quartic(f);
    const Sums& sums = sums_of(first, size);
    std::array<double, 4> moment{};
    for (std::size_t a = 0; a < kOrder; ++a) {
      for (std::size_t b = 0; b < kOrder; ++b) moment[b] += c[a] * sums[a][b];
    }
    const double half = std::max(0.5 * wide, 0.5);
    if (moment[0] > 0) add_pair(place_[first] + 0.5 * wide, half, moment, pass.out);
    if (mass > 1e-9) pass.out.pitch = std::max(pass.out.pitch, wide);
    return;
  }
  if (size < 16) return add_levels(pass, first, size);
  const std::size_t half = size / 2;
  const std::size_t eighth = size / 8;
  add_block(pass, first, half,
            {edges[0], tails(pass, first + eighth), edges[1], tails(pass, first + 3 * eighth), edges[2]});
  add_block(pass, first + half, half,
            {edges[2], tails(pass, first + 5 * eighth), edges[3], tails(pass, first + 7 * eighth), edges[4]});
}

model::Tails LevelBlocks::nodes(const model::Theta& theta, RecordNodes& out) const {
  out.whole = false;
  const std::size_t levels = place_.size();
  const double deviation = std::sqrt(law_.moments(theta).variance) * scale_;
  const double range = place_.back() - place_.front();
  Pass pass{theta, out, fineness_ * std::min(deviation, 0.3 * range)};
  std::size_t size = 16;
  while (size * kTop < levels) size *= 2;
  // The ends are half cells: one by one.
  add_levels(pass, 0, 1);
  std::size_t first = 1;
  for (; first + size < levels; first += size) {
    Edges edges;
    for (std::size_t k = 0; k <= kOrder; ++k) edges[k] = tails(pass, first + k * (size / kOrder));
    add_block(pass, first, size, edges);
  }
  while (first < levels) {
    std::size_t rest = 16;
    while (2 * rest < levels - first) rest *= 2;
    if (rest >= levels - first) {
      add_levels(pass, first, levels - first);
      break;
    }
    Edges edges;
    for (std::size_t k = 0; k <= kOrder; ++k) edges[k] = tails(pass, first + k * (rest / kOrder));
    add_block(pass, first, rest, edges);
    first += rest;
  }
  return {tails(pass, 0).below, tails(pass, levels).above};
}

}  // namespace postern::infer
