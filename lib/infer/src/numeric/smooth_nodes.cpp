#include "smooth_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace postern::infer {
namespace {

constexpr double kHalfWidth = 1.5;  ///< of a block, in scales

/// Nodes for a block whose half-width is `ratio` scales. The m-th derivative of a normal distribution
/// function is at most 0.4 sqrt((m-1)!) (Cramer's bound), so interpolation at m Chebyshev nodes errs by at
/// most that times ratio^m / (2^(m-1) m!).
std::size_t node_count(double ratio, double most) {
  double error = 0.4 * ratio;  // m = 1
  std::size_t m = 1;
  while (error > most && m < 64) {
    ++m;
    error *= ratio * std::sqrt(static_cast<double>(m - 1)) / (2.0 * static_cast<double>(m));
  }
  return std::max<std::size_t>(m, 3);
}

}  // namespace

SmoothNodes::SmoothNodes(Window window, const std::function<double(double)>& scale, double error) {
  for (std::int64_t lo = window.lo; lo <= window.hi;) {
    const auto room = static_cast<double>(window.hi - lo);
    double here = std::max(scale(static_cast<double>(lo)), 1.0);
    const double end = static_cast<double>(lo) + std::min(room, 2 * kHalfWidth * here);
    here = std::min(here, std::max(scale(end), 1.0));
    const double width = std::floor(std::min(room, 2 * kHalfWidth * here));
    // Two blocks that would leave a sliver become halves.
    const bool halves = room - width > 0 && room - width < 0.5 * width;
    const std::int64_t hi = lo + static_cast<std::int64_t>(halves ? std::floor(room / 2) : width);
    add_block({lo, hi}, here, error);
    lo = hi + 1;
  }
}

void SmoothNodes::add_block(Window points, double scale, double error) {
  const auto half = 0.5 * static_cast<double>(points.hi - points.lo);
  const std::size_t count = node_count(half / scale, error);
  Block block{points, nodes_.size(), count, points.size() <= count};
  if (block.exact) block.count = points.size();
  const double middle = static_cast<double>(points.lo) + half;
  for (std::size_t j = 0; j < block.count; ++j) {
    // Chebyshev points of the first kind and their barycentric weights (Berrut & Trefethen 2004).
    const double angle =
        std::numbers::pi * (2.0 * static_cast<double>(j) + 1) / (2.0 * static_cast<double>(count));
    nodes_.push_back(block.exact ? static_cast<double>(points.lo) + static_cast<double>(j)
                                 : middle - half * std::cos(angle));
    barycentric_.push_back((j % 2 == 0 ? 1 : -1) * std::sin(angle));
  }
  blocks_.push_back(block);
}

SmoothNodes::Basis SmoothNodes::basis(std::int64_t x) {
  if (!blocks_[last_].points.contains(x)) {
    const auto after =
        std::upper_bound(blocks_.begin(), blocks_.end(), x,
                         [](std::int64_t value, const Block& b) { return value < b.points.lo; });
    last_ = static_cast<std::size_t>(after - blocks_.begin()) - 1;
  }
  const Block& block = blocks_[last_];
  values_.assign(block.count, 0.0);
  if (block.exact) {
    values_[static_cast<std::size_t>(x - block.points.lo)] = 1;
    return {block.first, values_};
  }
  double sum = 0;
  for (std::size_t j = 0; j < block.count; ++j) {
    const double gap = static_cast<double>(x) - nodes_[block.first + j];
    if (gap == 0) {
      values_.assign(block.count, 0.0);
      values_[j] = 1;
      return {block.first, values_};
    }
    values_[j] = barycentric_[block.first + j] / gap;
    sum += values_[j];
  }
  for (double& v : values_) v /= sum;
  return {block.first, values_};
}

void SmoothNodes::deposit(std::int64_t x, double w, std::span<double> out) {
  const Basis at = basis(x);
  for (std::size_t j = 0; j < at.values.size(); ++j) out[at.first + j] += w * at.values[j];
}

}  // namespace postern::infer
