#include "sum_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "postern/core/parallel.hpp"

namespace postern::infer {
namespace {

struct Moments {
  double mass = 0;
  double mean = 0;
  double variance = 0;
};

/// Around the middle of the window: near enough to the mean for what draws and forecasts need. In lanes: one
/// sum would wait for itself at every step.
Moments moments_of(const Message& message) {
  constexpr std::size_t kLanes = 4;
  const std::size_t size = message.weight.size();
  const double middle = 0.5 * static_cast<double>(size - 1);
  std::array<Moments, kLanes> lanes{};
  for (std::size_t i = 0; i < size; i += kLanes) {
    for (std::size_t j = 0; j < std::min(kLanes, size - i); ++j) {
      const double d = static_cast<double>(i + j) - middle;
      const double w = message.weight[i + j];
      lanes[j].mass += w;
      lanes[j].mean += d * w;
      lanes[j].variance += d * d * w;
    }
  }
  Moments sums;
  for (const Moments& lane : lanes) {
    sums.mass += lane.mass;
    sums.mean += lane.mean;
    sums.variance += lane.variance;
  }
  const double offset = sums.mean / sums.mass;
  return {sums.mass, static_cast<double>(message.lo) + middle + offset,
          std::max(0.0, sums.variance / sums.mass - offset * offset)};
}

std::vector<SumLeaf> leaves_of(std::span<const Cell> cells, const SumShape& shape, int threads) {
  std::vector<SumLeaf> leaves(cells.size());
  parallel_for(cells.size(), threads, [&](std::size_t k) {
    Cell::Weights w = cells[k].weights(shape.windows[k], shape.tilt);
    leaves[k] = {{shape.windows[k].lo, std::move(w.weight)}, w.log_scale};
  });
  return leaves;
}

}  // namespace

SumTree::SumTree(std::span<const Cell> cells, SumShape shape, int threads)
    : SumTree(leaves_of(cells, shape, threads), std::move(shape), threads) {}

SumTree::SumTree(std::vector<SumLeaf> leaves, SumShape&& shape, int threads)
    : cells_(leaves.size()), shape_(std::move(shape)), threads_(threads) {
  plant(std::move(leaves));
  for (const auto& [first, last] : levels_) {
    parallel_for(last - first, threads_, [this, from = first](std::size_t i) {
      grow(nodes_[from + i], from + i + 1 == nodes_.size());
    });
  }
  prepare_draws();
}

/// Leaves, and the shape of what stands on them: neighbours are paired, an odd one out moves up a level.
void SumTree::plant(std::vector<SumLeaf> leaves) {
  nodes_.resize(cells_);
  for (std::size_t k = 0; k < cells_; ++k) {
    Node& node = nodes_[k];
    node.message = std::move(leaves[k].message);
    node.reach = node.message.window();
    const Moments moments = moments_of(node.message);
    const double scale = 1 / moments.mass;
    for (double& x : node.message.weight) x *= scale;
    log_leaf_mass_ += std::log(moments.mass) + leaves[k].log_scale;
    node.mean = moments.mean;
    node.variance = moments.variance;
  }
  std::vector<std::size_t> level(cells_);
  std::iota(level.begin(), level.end(), std::size_t{0});
  while (level.size() > 1) {
    std::vector<std::size_t> above;
    const std::size_t first = nodes_.size();
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      Node node;
      node.left = level[i];
      node.right = level[i + 1];
      node.reach = {nodes_[node.left].reach.lo + nodes_[node.right].reach.lo,
                    nodes_[node.left].reach.hi + nodes_[node.right].reach.hi};
      above.push_back(nodes_.size());
      nodes_.push_back(std::move(node));
    }
    levels_.emplace_back(first, nodes_.size());
    if (level.size() % 2 == 1) above.push_back(level.back());
    level = std::move(above);
  }
}

void SumTree::grow(Node& node, bool root) {
  const Node& left = nodes_[node.left];
  const Node& right = nodes_[node.right];
  const Window all = nodes_.back().reach;
  const Window totals = shape_.totals;
  const Window keep{totals.lo - (all.hi - node.reach.hi), totals.hi - (all.lo - node.reach.lo)};
  Convolution sum =
      convolve_multiples(left.message, right.message, keep, root ? shape_.pitch : 1, shape_.care);
  node.message = std::move(sum.message);
  node.error = sum.error;
  if (root) return;
  trim(node.message, shape_.cuts, sum.error);
  const Moments moments = moments_of(node.message);
  node.mean = moments.mean;
  node.variance = moments.variance;
}

double SumTree::error() const {
  return std::accumulate(nodes_.begin(), nodes_.end(), 0.0,
                         [](double sum, const Node& node) { return sum + node.error; });
}

double SumTree::weight_of(const Node& node, std::int64_t sum) const {
  const bool in_multiples = &node == &nodes_.back() && cells_ > 1;
  return node.message.at(in_multiples ? sum / shape_.pitch : sum);
}

Message SumTree::outside_of(const Node& child, const Node& sibling, const Message& outside) const {
  const Window totals = shape_.totals;
  const Window mine = child.message.window();
  Convolution sum =
      convolve(outside, sibling.message, {totals.lo - mine.hi, totals.hi - mine.lo}, shape_.care);
  if (totals.lo != totals.hi) trim(sum.message, shape_.cuts, sum.error);
  return std::move(sum.message);
}

void SumTree::descend(std::size_t index, Message outside,
                      const std::function<void(std::size_t, const Message&)>& visit) const {
  if (index < cells_) {
    visit(index, outside);
    return;
  }
  const Node& node = nodes_[index];
  const Node& left = nodes_[node.left];
  const Node& right = nodes_[node.right];
  descend(node.left, outside_of(left, right, outside), visit);
  Message last = outside_of(right, left, outside);
  outside = {};  // the way down holds one message a level, not two
  descend(node.right, std::move(last), visit);
}

void SumTree::visit_outside(const std::function<void(std::size_t, const Message&)>& visit) const {
  // The top of the tree here, the branches below it in parallel.
  std::vector<std::pair<std::size_t, Message>> branches{{nodes_.size() - 1, Message{0, {1.0}}}};
  while (branches.size() < 8) {
    std::vector<std::pair<std::size_t, Message>> below;
    for (auto& [index, outside] : branches) {
      if (index < cells_) {
        below.emplace_back(index, std::move(outside));
        continue;
      }
      const Node& node = nodes_[index];
      below.emplace_back(node.left, outside_of(nodes_[node.left], nodes_[node.right], outside));
      below.emplace_back(node.right, outside_of(nodes_[node.right], nodes_[node.left], outside));
    }
    const bool grown = below.size() > branches.size();
    branches = std::move(below);
    if (!grown) break;
  }
  parallel_for(branches.size(), threads_,
               [&](std::size_t i) { descend(branches[i].first, std::move(branches[i].second), visit); });
}

}  // namespace postern::infer
