#include "count_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

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

}  // namespace

CountTree::CountTree(CountPlan plan, int threads) : plan_(std::move(plan)), threads_(threads) {
  plant();
  for (const auto& [first, last] : levels_) {
    parallel_for(last - first, threads_, [this, from = first](std::size_t i) {
      grow(nodes_[from + i], from + i + 1 == nodes_.size());
    });
  }
  weigh_totals();
}

/// Leaves, and the shape of what stands on them: neighbours are paired, an odd one out moves up a level.
void CountTree::plant() {
  const std::size_t cells = plan_.cells.size();
  nodes_.resize(cells);
  std::vector<double> log_mass(cells);
  parallel_for(cells, threads_, [&](std::size_t k) {
    Cell::Weights w = plan_.cells[k].weights(plan_.windows[k], plan_.tilts.tilt);
    Node& node = nodes_[k];
    node.message = {plan_.windows[k].lo, std::move(w.weight)};
    node.reach = plan_.windows[k];
    const Moments moments = moments_of(node.message);
    const double scale = 1 / moments.mass;
    for (double& x : node.message.weight) x *= scale;
    log_mass[k] = std::log(moments.mass) + w.log_scale;
    node.mean = moments.mean;
    node.variance = moments.variance;
  });
  log_leaf_mass_ = std::accumulate(log_mass.begin(), log_mass.end(), 0.0);
  std::vector<std::size_t> level(cells);
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

void CountTree::grow(Node& node, bool root) {
  const Node& left = nodes_[node.left];
  const Node& right = nodes_[node.right];
  const Window all = nodes_.back().reach;
  const Window totals = plan_.tilts.totals;
  const Window keep{totals.lo - (all.hi - node.reach.hi), totals.hi - (all.lo - node.reach.lo)};
  Convolution sum = convolve_multiples(left.message, right.message, keep, root ? pitch() : 1, plan_.care);
  node.message = std::move(sum.message);
  node.error = sum.error;
  if (root) return;
  trim(node.message, plan_.cuts, sum.error);
  const Moments moments = moments_of(node.message);
  node.mean = moments.mean;
  node.variance = moments.variance;
}

double CountTree::weight_of(const Node& node, std::int64_t sum) const {
  const bool in_multiples = &node == &nodes_.back() && cells() > 1;
  return node.message.at(in_multiples ? sum / pitch() : sum);
}

/// Where the cuts left nothing that adds up to a possible total, the evidence is 0.
void CountTree::weigh_totals() {
  log_evidence_ = kMinusInfinity;
  const Node& root = nodes_.back();
  const Window sums = root.message.window();
  const Window window =
      intersect(cells() > 1 ? sums : multiples_in(sums, pitch()), multiples_in(plan_.tilts.totals, pitch()));
  if (window.empty()) return;
  const std::int64_t anchor = plan_.tilts.anchor;
  const Window counts{pitch() * window.lo, pitch() * window.hi};
  total_weight_ = {window.lo, plan_.total.relative(counts, plan_.tilts.tilt, anchor, pitch())};
  totals_ = {window.lo, total_weight_.weight};
  double weight = 0;
  mass_ = 0;
  for (std::int64_t k = window.lo; k <= window.hi; ++k) {
    double& here = totals_.weight[static_cast<std::size_t>(k - window.lo)];
    weight += here;
    here *= weight_of(root, pitch() * k);
    mass_ += here;
  }
  if (!(mass_ > 0)) return;
  const double scale = 1 / mass_;
  for (double& p : totals_.weight) p *= scale;
  const auto a = static_cast<double>(anchor);
  log_evidence_ = log_leaf_mass_ + plan_.total.log_at(a) - plan_.tilts.tilt * a + std::log(mass_);
  // An error e in one value of a message moves at most e * sum_n total_weight(n) of the unnormalised
  // posterior, since what stands outside is a law.
  double errors = 0;
  for (const Node& node : nodes_) errors += node.error;
  transform_error_ = errors * weight / mass_;
  prepare_draws();
}

Message CountTree::outside_of(const Node& child, const Node& sibling, const Message& outside) const {
  const Window totals = plan_.tilts.totals;
  const Window mine = child.message.window();
  Convolution sum =
      convolve(outside, sibling.message, {totals.lo - mine.hi, totals.hi - mine.lo}, plan_.care);
  if (totals.lo != totals.hi) trim(sum.message, plan_.cuts, sum.error);
  return std::move(sum.message);
}

void CountTree::descend(std::size_t index, Message outside,
                        const std::function<void(std::size_t, const Message&)>& visit) const {
  if (index < cells()) {
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

void CountTree::visit_outside(const std::function<void(std::size_t, const Message&)>& visit) const {
  // The top of the tree here, the branches below it in parallel.
  std::vector<std::pair<std::size_t, Message>> branches{{nodes_.size() - 1, Message{0, {1.0}}}};
  while (branches.size() < 8) {
    std::vector<std::pair<std::size_t, Message>> below;
    for (auto& [index, outside] : branches) {
      if (index < cells()) {
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
