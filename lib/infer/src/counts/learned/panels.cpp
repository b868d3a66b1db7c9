#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "postern/core/special.hpp"

#include "row.hpp"

namespace postern::infer {
namespace {

constexpr double kBelow = 6;  ///< standard deviations from its mean within which a panel keeps its digits
constexpr double kAbove = 6.5;
constexpr double kThin = 1e-10;  ///< share of the largest weight, below which a panel loses digits
constexpr double kStride = 0.7;  ///< of that, from one panel's end to the next panel's target

struct Leaves {
  std::vector<SumLeaf> leaves;
  double mean = 0;
  double variance = 0;
};

Leaves weigh(const RowProblem& problem, double concentration, double tilt,
             std::vector<LearnedRow::Cramped>* cramped = nullptr) {
  if (cramped != nullptr) cramped->clear();
  Leaves out;
  out.leaves.reserve(problem.children.size());
  for (std::size_t v = 0; v < problem.children.size(); ++v) {
    const double own = concentration * problem.centre[v];
    const double known = problem.known.empty() ? 0 : problem.known[v];
    WeighedLeaf leaf = weigh_leaf(*problem.children[v], own + known, tilt, 0.01 * problem.least);
    if (known > 0) leaf.leaf.log_scale += log_rising(own, known);
    out.mean += leaf.mean;
    out.variance += leaf.variance;
    const double tolerance = problem.children[v]->tolerance;
    if (cramped != nullptr && std::max(leaf.edge_low, leaf.edge_high) > tolerance)
      cramped->push_back({v, leaf.edge_low, leaf.edge_high, tolerance});
    out.leaves.push_back(std::move(leaf.leaf));
  }
  return out;
}

/// Leaves under a tilt at which their sum is near the target. A tilt that was given stays unless it is far
/// off.
Leaves weigh_near(const RowProblem& problem, double concentration, PanelPlan& plan, bool given,
                  std::vector<LearnedRow::Cramped>& cramped) {
  const double known = std::accumulate(problem.known.begin(), problem.known.end(), 0.0);
  if (!given) plan.tilt = std::log(plan.target / (plan.target + concentration + known));
  Leaves out = weigh(problem, concentration, plan.tilt, &cramped);
  double low = kMinusInfinity;
  double high = -kMinusInfinity;
  for (int step = 0; step < 60; ++step) {
    const double miss = plan.target - out.mean;
    if (std::abs(miss) <= (given && step == 0 ? 2.0 : 0.3) * std::sqrt(out.variance) + 0.05) break;
    (miss > 0 ? low : high) = plan.tilt;
    double next = plan.tilt + miss / std::max(out.variance, 1e-12);
    const bool bracketed = std::isfinite(low) && std::isfinite(high);
    if (bracketed && !(next > low && next < high)) next = 0.5 * (low + high);
    next = std::clamp(next, plan.tilt - 2, plan.tilt + 2);
    if (std::abs(next - plan.tilt) < 1e-14 * (1 + std::abs(plan.tilt))) break;
    plan.tilt = next;
    out = weigh(problem, concentration, plan.tilt, &cramped);
  }
  return out;
}

}  // namespace

LearnedRow::Panel LearnedRow::build_panel(const RowProblem& problem, double concentration, PanelPlan plan,
                                          bool tilted) {
  Panel out;
  Leaves leaves = weigh_near(problem, concentration, plan, tilted, out.cramped);
  out.plan = plan;
  out.law.emplace(std::move(leaves.leaves), leaves.mean, leaves.variance, plan.tilt, problem.sums);
  const double sd = std::sqrt(leaves.variance);
  out.right = {static_cast<std::int64_t>(std::ceil(leaves.mean - kBelow * sd)),
               static_cast<std::int64_t>(std::floor(leaves.mean + kAbove * sd + 1))};
  // Laws far from normal end earlier than their spread suggests.
  const Message& root = out.law->root();
  const Window seen = ends_dropped(root, kThin).window();
  if (!intersect(out.right, seen).empty()) out.right = intersect(out.right, seen);
  if (problem.children.size() == 1) out.right = problem.sums;  // nothing is convolved
  return out;
}

/// Panels of a plan, or one about the target; and what is between them.
std::vector<LearnedRow::Panel> LearnedRow::start(const RowProblem& problem, double concentration,
                                                 double target, const std::vector<PanelPlan>& plans) {
  std::vector<Panel> out;
  for (const PanelPlan& plan : plans) out.push_back(build_panel(problem, concentration, plan, true));
  if (out.empty()) out.push_back(build_panel(problem, concentration, {target, 0}, false));
  close_gaps(problem, concentration, out);
  return out;
}

void LearnedRow::close_gaps(const RowProblem& problem, double concentration, std::vector<Panel>& panels) {
  while (panels.size() < kMostPanels) {
    const auto gap = std::adjacent_find(panels.begin(), panels.end(), [](const Panel& a, const Panel& b) {
      return a.right.hi + 1 < b.right.lo && b.plan.target > a.plan.target + 1;
    });
    if (gap == panels.end()) return;
    const double middle = 0.5 * static_cast<double>(gap->right.hi + std::next(gap)->right.lo);
    panels.insert(std::next(gap),
                  build_panel(problem, concentration, {std::max(middle, kLeastTarget), 0}, false));
  }
}

bool LearnedRow::open_below(const RowProblem& problem, const std::vector<Panel>& panels) {
  const Panel& first = panels.front();
  return panels.size() < kMostPanels && first.right.lo > std::max<std::int64_t>(problem.sums.lo, 0) &&
         first.plan.target > std::max(kLeastTarget, static_cast<double>(problem.sums.lo));
}

bool LearnedRow::open_above(const RowProblem& problem, const std::vector<Panel>& panels) {
  const Panel& last = panels.back();
  return panels.size() < kMostPanels && last.right.hi < problem.sums.hi &&
         last.plan.target < static_cast<double>(problem.sums.hi);
}

void LearnedRow::extend(const RowProblem& problem, double concentration, bool above,
                        std::vector<Panel>& panels) {
  const Panel& end = above ? panels.back() : panels.front();
  const auto edge = static_cast<double>(above ? end.right.hi : end.right.lo);
  const double to = std::clamp(edge + kStride * (edge - end.plan.target),
                               static_cast<double>(problem.sums.lo), static_cast<double>(problem.sums.hi));
  panels.insert(above ? panels.end() : panels.begin(),
                build_panel(problem, concentration, {std::max(to, kLeastTarget), 0}, false));
  close_gaps(problem, concentration, panels);
}

namespace {

/// Weights of a tilted law divided by Gamma(N + A) / (Gamma(A) N!) e^{tilt N}, relative to those of one sum.
void undo(const Message& law, Window window, std::int64_t top, double total, double tilt, double floor,
          std::int64_t first, std::span<double> out) {
  const double fall = std::exp(-tilt);
  const auto put = [&](std::int64_t sum, double factor) {
    const double weight = law.at(sum);
    out[static_cast<std::size_t>(sum - first)] = weight > floor ? weight * factor : 0;
  };
  put(top, 1);
  double factor = 1;
  for (std::int64_t sum = top + 1; sum <= window.hi; ++sum) {
    factor *= static_cast<double>(sum) / (static_cast<double>(sum) - 1 + total) * fall;
    put(sum, factor);
  }
  factor = 1;
  for (std::int64_t sum = top; sum-- > window.lo;) {
    factor *= (static_cast<double>(sum) + total) / (static_cast<double>(sum) + 1) / fall;
    put(sum, factor);
  }
}

}  // namespace

/// m_A from the panels, each for its own sums.
LearnedRow::Entry LearnedRow::join(const RowProblem& problem, double concentration, double target,
                                   std::vector<Panel> panels) {
  const double known = std::accumulate(problem.known.begin(), problem.known.end(), 0.0);
  const double total = concentration + known;
  Entry out;
  out.concentration = concentration;
  out.panels = std::move(panels);
  out.message = {problem.sums.lo, std::vector<double>(problem.sums.size())};
  out.log_scale = kMinusInfinity;
  std::vector<double> log_scales;
  std::size_t middle = 0;
  for (std::size_t p = 1; p < out.panels.size(); ++p) {
    if (std::abs(out.panels[p].plan.target - target) < std::abs(out.panels[middle].plan.target - target))
      middle = p;
  }
  // Beyond an open end this concentration has next to no share: nothing is taken for more than it is.
  std::int64_t from = open_below(problem, out.panels) ? out.panels.front().right.lo : problem.sums.lo;
  const std::int64_t end = open_above(problem, out.panels) ? out.panels.back().right.hi : problem.sums.hi;
  for (std::size_t p = 0; p < out.panels.size(); ++p) {
    const Panel& panel = out.panels[p];
    // Inner panels take what they can: outer ones are for tails.
    std::int64_t to = end;
    if (p + 1 < out.panels.size()) to = p < middle ? out.panels[p + 1].right.lo - 1 : panel.right.hi;
    to = std::clamp(to, from - 1, std::max(end, from - 1));
    const Window mine = intersect({from, to}, panel.law->root().window());
    from = to + 1;
    out.windows.push_back(mine);
    log_scales.push_back(kMinusInfinity);
    if (mine.empty()) continue;
    const Message& root = panel.law->root();
    const double floor =
        std::max(kEnd * *std::max_element(root.weight.begin(), root.weight.end()), 4 * panel.law->error());
    // Divide by Gamma(N + A) / (Gamma(A) N!) e^{tilt N}, relative to the likeliest sum.
    std::int64_t top = mine.lo;
    for (std::int64_t sum = mine.lo; sum <= mine.hi; ++sum) {
      if (root.at(sum) > root.at(top)) top = sum;
    }
    if (!(root.at(top) > floor)) continue;
    const auto at = static_cast<double>(top);
    log_scales.back() = panel.law->log_leaf_mass() - panel.plan.tilt * at + log_factorial(at) -
                        log_rising(total, at) - (known > 0 ? log_rising(concentration, known) : 0);
    undo(root, mine, top, total, panel.plan.tilt, floor, problem.sums.lo, out.message.weight);
    out.log_scale = std::max(out.log_scale, log_scales.back());
  }
  for (std::size_t p = 0; p < out.panels.size(); ++p) {
    const double scale = std::exp(log_scales[p] - out.log_scale);
    if (out.windows[p].empty() || scale == 1) continue;
    for (std::int64_t sum = out.windows[p].lo; sum <= out.windows[p].hi; ++sum)
      out.message.weight[static_cast<std::size_t>(sum - problem.sums.lo)] *= scale;
  }
  const std::vector<double>& w = out.message.weight;
  out.largest = w.empty() ? 0 : *std::max_element(w.begin(), w.end());
  return out;
}

}  // namespace postern::infer
