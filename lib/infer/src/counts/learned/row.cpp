#include "row.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

constexpr double kUnlikely = 1e-4;      ///< times what may be left out: a row's sum beside its likeliest
constexpr double kRowTolerance = 1e-4;  ///< of a parent's largest weight, at an end of a row's message

double most_in(const Message& message, Window window) {
  double most = 0;
  for (std::int64_t sum = window.lo; sum <= window.hi; ++sum) most = std::max(most, message.at(sum));
  return most;
}

}  // namespace

/// Without ends that are at or below a share of the largest weight.
Message LearnedRow::ends_dropped(const Message& from, double share) {
  if (from.weight.empty()) return from;
  const double floor = share * *std::max_element(from.weight.begin(), from.weight.end());
  std::size_t lo = 0;
  std::size_t hi = from.weight.size();
  while (lo + 1 < hi && from.weight[lo] <= floor) ++lo;
  while (hi > lo + 1 && from.weight[hi - 1] <= floor) --hi;
  return {from.lo + static_cast<std::int64_t>(lo),
          std::vector<double>(from.weight.begin() + static_cast<std::ptrdiff_t>(lo),
                              from.weight.begin() + static_cast<std::ptrdiff_t>(hi))};
}

LearnedRow::LearnedRow(const RowProblem& problem, LearnedRowPlan& plan) {
  const std::size_t grid = problem.grid.size();
  plan.panels.resize(grid);
  const double lowest = std::max(kLeastTarget, static_cast<double>(problem.sums.lo));
  const double target =
      std::clamp(plan.target, lowest, std::max(lowest, static_cast<double>(problem.sums.hi)));
  std::vector<std::size_t> places;
  for (std::size_t g = 0; g < grid; ++g) {
    if (plan.skipped.empty() || !plan.skipped[g]) places.push_back(g);
  }
  if (!DirectSum::takes(problem) || !add_directly(problem, places)) add_panels(problem, target, plan, places);
  mix(plan, problem, places);
  message_.cut_low = message_.message.lo > 0;
  message_.cut_high = problem.sums.hi < problem.most || message_.message.window().hi < problem.sums.hi;
  message_.tolerance = kRowTolerance;
}

bool LearnedRow::add_directly(const RowProblem& problem, std::span<const std::size_t> places) {
  for (const std::size_t g : places) {
    DirectSum direct(problem, problem.grid[g]);
    if (direct.message().weight.empty()) {
      entries_.clear();
      return false;
    }
    Entry& entry = entries_.emplace_back();
    entry.concentration = problem.grid[g];
    entry.message = std::move(direct.message());
    entry.largest = 1;
    entry.log_scale = direct.log_scale();
    entry.direct = std::move(direct);
  }
  return true;
}

void LearnedRow::add_panels(const RowProblem& problem, double target, LearnedRowPlan& plan,
                            std::span<const std::size_t> places) {
  for (const std::size_t g : places)
    entries_.push_back(
        join(problem, problem.grid[g], target, start(problem, problem.grid[g], target, plan.panels[g])));
  extend_all(problem, target);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    std::vector<PanelPlan>& panels = plan.panels[places[e]];
    panels.clear();
    for (const Panel& panel : entries_[e].panels) panels.push_back(panel.plan);
  }
}

/// Has it a share of the mean over the grid at this sum, and the sum one of all?
bool LearnedRow::matters(const Entry& entry, std::int64_t sum, double least) const {
  const double own = entry.message.at(sum);
  if (!(own > 0)) return false;
  double all = 0;
  double most = 0;
  for (const Entry& one : entries_) {
    const double scale = std::exp(std::min(one.log_scale - entry.log_scale, 700.0));
    all += scale * one.message.at(sum);
    most = std::max(most, scale * one.largest);
  }
  return own > least * all && all > kUnlikely * least * most;
}

void LearnedRow::extend_all(const RowProblem& problem, double target) {
  for (bool any = true; any;) {
    any = false;
    for (Entry& entry : entries_) {
      const bool below =
          open_below(problem, entry.panels) && matters(entry, entry.panels.front().right.lo, problem.least);
      const bool above =
          open_above(problem, entry.panels) && matters(entry, entry.panels.back().right.hi, problem.least);
      if (!below && !above) continue;
      any = true;
      std::vector<Panel> panels = std::move(entry.panels);
      if (below) extend(problem, entry.concentration, false, panels);
      if (above) extend(problem, entry.concentration, true, panels);
      entry = join(problem, entry.concentration, target, std::move(panels));
    }
  }
}

/// The mean over the grid, and which concentrations have no share in it at any sum.
void LearnedRow::mix(LearnedRowPlan& plan, const RowProblem& problem, std::span<const std::size_t> places) {
  const std::size_t grid = problem.grid.size();
  double top = kMinusInfinity;
  for (const Entry& entry : entries_) {
    if (entry.message.weight.empty()) continue;
    const auto& w = entry.message.weight;
    top = std::max(top, entry.log_scale + std::log(*std::max_element(w.begin(), w.end())));
  }
  Window all{0, -1};
  for (Entry& entry : entries_) {
    const double scale = std::exp(entry.log_scale - top);
    for (double& x : entry.message.weight) x *= scale;
    if (!(scale > 0) || entry.message.weight.empty()) continue;
    const Window one = entry.message.window();
    all = all.empty() ? one : Window{std::min(all.lo, one.lo), std::max(all.hi, one.hi)};
  }
  if (all.empty()) {
    message_.log_scale = kMinusInfinity;
    for (std::size_t v = 0; v < problem.children.size(); ++v) {
      const SeenCount& child = *problem.children[v];
      if (child.cut_low || child.cut_high)
        cramped_.push_back({v, child.cut_low ? 1.0 : 0.0, child.cut_high ? 1.0 : 0.0, child.tolerance});
    }
    return;
  }
  std::vector<double> sum(all.size());
  for (const Entry& entry : entries_) {
    for (std::size_t i = 0; i < entry.message.weight.size(); ++i)
      sum[static_cast<std::size_t>(entry.message.lo - all.lo) + i] += entry.message.weight[i];
  }
  const double largest = *std::max_element(sum.begin(), sum.end());
  Message whole{all.lo, std::move(sum)};
  drop_idle(plan, problem, places, whole);
  find_cramped(largest);
  message_.message = ends_dropped(whole, problem.top ? 0 : kEnd);
  for (double& x : message_.message.weight) x /= largest;
  message_.log_scale = top + std::log(largest) - std::log(static_cast<double>(grid));
}

/// Which concentrations have no share at any sum that matters: the next row of this place skips them.
void LearnedRow::drop_idle(LearnedRowPlan& plan, const RowProblem& problem,
                           std::span<const std::size_t> places, const Message& sum) {
  plan.skipped.assign(problem.grid.size(), true);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    Entry& entry = entries_[e];
    const Window window = entry.message.window();
    for (std::int64_t s = window.lo; s <= window.hi && plan.skipped[places[e]]; ++s)
      plan.skipped[places[e]] = entry.message.at(s) <= problem.least * sum.at(s);
    if (!plan.skipped[places[e]]) continue;
    entry.dropped = true;
    entry.direct.reset();
    entry.panels.clear();
    entry.windows.clear();
  }
}

void LearnedRow::find_cramped(double largest) {
  // What is cut off of a panel counts as much as the panel does.
  const auto add = [&](CrampedChild one, double share) {
    one.low *= share;
    one.high *= share;
    if (std::max(one.low, one.high) > one.tolerance) cramped_.push_back(one);
  };
  for (const Entry& entry : entries_) {
    if (entry.direct) {
      for (const CrampedChild& one : entry.direct->cramped())
        add(one, most_in(entry.message, entry.message.window()) / largest);
    }
    for (std::size_t p = 0; p < entry.panels.size(); ++p) {
      for (const CrampedChild& one : entry.panels[p].cramped)
        add(one, most_in(entry.message, entry.windows[p]) / largest);
    }
  }
}

double LearnedRow::work() const {
  double out = 0;
  for (const Entry& entry : entries_) {
    if (entry.direct) out += entry.direct->work();
    for (const Panel& panel : entry.panels) out += panel.law->work();
  }
  return out;
}

double LearnedRow::log_message(std::int64_t sum) const {
  const double weight = message_.message.at(sum);
  return weight > 0 ? message_.log_scale + std::log(weight) : kMinusInfinity;
}

std::optional<double> LearnedRow::draw(std::int64_t sum, std::span<std::int64_t> counts, Rng& rng) const {
  double whole = 0;
  for (const Entry& entry : entries_) {
    if (!entry.dropped) whole += entry.message.at(sum);
  }
  if (!(whole > 0)) return std::nullopt;
  double left = rng.uniform() * whole;
  const Entry* chosen = nullptr;
  for (const Entry& entry : entries_) {
    const double share = entry.dropped ? 0 : entry.message.at(sum);
    if (!(share > 0)) continue;
    chosen = &entry;
    left -= share;
    if (left <= 0) break;
  }
  if (chosen->direct) chosen->direct->share_out(sum, counts, rng);
  for (std::size_t p = 0; p < chosen->panels.size(); ++p) {
    if (!chosen->windows[p].contains(sum)) continue;
    chosen->panels[p].law->share_out(sum, counts, rng);
    break;
  }
  return chosen->concentration;
}

}  // namespace postern::infer
