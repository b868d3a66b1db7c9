#include "total_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "postern/core/error.hpp"

namespace postern::infer {
namespace {

constexpr double kBlockNats = 42;
constexpr double kRounding = 4e-15;  ///< of a sum of records, for each of them
constexpr std::size_t kMostValues = 5000;
constexpr int kNodes = 9;
constexpr std::int64_t kList = 12;  ///< numbers that are evaluated one by one

}  // namespace

double TotalBlocks::value(std::int64_t n) {
  if (known_.size() > kMostValues)
    throw Error(ErrorCode::engine_limit,
                {"the exact posterior does not settle for the number of records; take --engine augment"});
  const auto [at, fresh] = known_.try_emplace(n, 0.0);
  if (fresh) {
    at->second = log_value_(n);
    top_ = std::max(top_, at->second + log_weight_(static_cast<double>(n)));
  }
  return at->second;
}

double TotalBlocks::look(const std::vector<std::int64_t>& numbers) {
  for (const std::int64_t n : numbers) value(n);
  return top_;
}

double TotalBlocks::Block::log_at(double n) const {
  double above = 0;
  double below = 0;
  for (std::size_t j = 0; j < node.size(); ++j) {
    const double gap = n - node[j];
    if (gap == 0) return value[j];
    above += weight[j] / gap * value[j];
    below += weight[j] / gap;
  }
  return above / below;
}

/// Interpolation at the Chebyshev points of the block, rounded to whole numbers.
TotalBlocks::Block TotalBlocks::fit(std::int64_t lo, std::int64_t hi) {
  Block block{lo, hi, {}, {}, {}};
  const auto width = static_cast<double>(hi - lo);
  const bool all = hi - lo < kList;
  const int count = all ? static_cast<int>(hi - lo) + 1 : kNodes;
  for (int k = 0; k < count; ++k) {
    const double part = 0.5 * (1 - std::cos(std::numbers::pi * k / (kNodes - 1)));
    const std::int64_t n = all ? lo + k : lo + std::llround(width * part);
    block.node.push_back(static_cast<double>(n));
    block.value.push_back(value(n));
  }
  const double scale = 4 / std::max(width, 4.0);
  for (const double x : block.node) {
    double product = 1;
    for (const double other : block.node) {
      if (other != x) product *= (x - other) * scale;
    }
    block.weight.push_back(1 / product);
  }
  return block;
}

/// Do two numbers between nodes have the value they should?
bool TotalBlocks::agrees(const Block& block, double highest) {
  const double allowed = tolerance_ * std::exp(std::min(0.6 * (top_ - highest), 16.0));
  for (const std::size_t j : {std::size_t{2}, std::size_t{6}}) {
    const std::int64_t n = std::llround(0.5 * (block.node[j - 1] + block.node[j]));
    const double here = value(n);
    const double rounding = 1e-15 * std::abs(here) + kRounding * static_cast<double>(n);
    if (!(std::abs(block.log_at(static_cast<double>(n)) - here) <= allowed + rounding)) return false;
  }
  return true;
}

void TotalBlocks::add(std::int64_t lo, std::int64_t hi) {
  if (lo > hi) return;
  Block block = fit(lo, hi);
  std::vector<double> height;
  for (std::size_t j = 0; j < block.node.size(); ++j)
    height.push_back(block.value[j] + log_weight_(block.node[j]));
  const auto most = static_cast<std::size_t>(std::max_element(height.begin(), height.end()) - height.begin());
  double hidden = 0;
  if (most > 0 && most + 1 < height.size())
    hidden = std::max(height[most] - height[most - 1], height[most] - height[most + 1]);
  if (height[most] + hidden < top_ - kBlockNats) return;
  if (hi - lo < kList || agrees(block, height[most])) {
    blocks_.push_back(std::move(block));
    return;
  }
  // Where one end does not count, cut just past the last node that does.
  std::int64_t cut = lo + (hi - lo) / 2;
  const auto counts = [&](std::size_t j) { return height[j] > top_ - kBlockNats - 8; };
  const std::size_t last = height.size() - 1;
  if (counts(0) != counts(last)) {
    for (std::size_t k = 1; k < last; ++k) {
      const std::size_t j = counts(0) ? k : last - k;
      if (counts(j)) continue;
      cut = static_cast<std::int64_t>(block.node[j]) - (counts(0) ? 0 : 1);
      break;
    }
  }
  cut = std::clamp(cut, lo, hi - 1);
  add(lo, cut);
  add(cut + 1, hi);
}

void TotalBlocks::build(std::vector<std::int64_t> breaks, std::int64_t lo, std::int64_t hi) {
  std::erase_if(breaks, [&](std::int64_t n) { return n < lo || n >= hi; });
  if (lo == 0) breaks.push_back(0);  // no records is a case of its own
  breaks.push_back(hi);
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  std::int64_t from = lo;
  for (const std::int64_t end : breaks) {
    add(from, end);
    from = end + 1;
  }
}

}  // namespace postern::infer
