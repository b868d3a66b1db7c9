#include "star_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "postern/core/parallel.hpp"

#include "class_outline.hpp"
#include "counts/cell_windows.hpp"
#include "counts/total_weight.hpp"
#include "profile.hpp"

namespace postern::infer {
namespace {

/// Up to here all totals are summed, and nothing needs to be looked for.
constexpr std::int64_t kFewRecords = 512;

/// Nats between the largest and the least weight of a cell.
double range_of(const Cell& cell, std::int64_t most) {
  const double at_ends[] = {cell.log_weight(0), cell.log_weight(most)};
  const double top =
      std::max({at_ends[0], at_ends[1], cell.log_weight(static_cast<std::int64_t>(cell.noise().anchor))});
  return top - std::min(at_ends[0], at_ends[1]);
}

/// Whether the weights of every row fit a double without a tilt.
bool needs_no_tilt(const StarView& star) {
  const std::int64_t most = star.most();
  if (most > kFewRecords) return false;
  for (std::size_t leaf = 0; leaf < star.leaves.size(); ++leaf) {
    for (std::size_t c = 0; c < star.classes(); ++c) {
      double sum = 0;
      for (const Cell& cell : cells_of(star.row(leaf, c), most)) sum += range_of(cell, most);
      if (!(sum < 600)) return false;
    }
  }
  return true;
}

/// Of all windows of a row's cells together.
double width_of(const CptRow& row, Window totals, double tilt, double nats) {
  if (nats == std::numeric_limits<double>::infinity())
    return static_cast<double>(row.alpha.size()) * static_cast<double>(totals.hi + 1);
  double width = 0;
  for (const Window& window : cell_windows(cells_of(row, totals.hi), totals, tilt, nats))
    width += static_cast<double>(window.size());
  return width;
}

ClassPlan plan_class(ClassOutline& outline, const TotalsPlan& totals) {
  const Profile profile = outline.profile();
  ClassPlan plan;
  plan.window = profile.window(totals, kStarDepth);
  // The middle of what has nearly all of the posterior: the best count may be its very end.
  constexpr double kBulk = 20;
  const Window bulk = profile.window(totals, kBulk);
  plan.anchor = bulk.lo + (bulk.hi - bulk.lo) / 2;
  plan.rows = outline.rows_at(static_cast<double>(plan.anchor));
  return plan;
}

}  // namespace

StarPlan whole_plan(const StarView& star) {
  StarPlan plan;
  plan.nats = std::numeric_limits<double>::infinity();
  plan.care = Care::of_each;
  const ClassPlan one{{0, star.most()}, star.most() / 2, std::vector<RowPlan>(star.leaves.size())};
  plan.classes.assign(star.classes(), one);
  return plan;
}

StarPlan window_plan(const StarView& star, int threads) {
  const std::size_t classes = star.classes();
  std::vector<std::optional<ClassOutline>> outlines(classes);
  parallel_for(classes, threads, [&](std::size_t c) { outlines[c].emplace(star, c); });
  const NetworkFamily& root = star.root_family();
  const TotalWeight total(sum_of_alpha({root.alpha, root.noisy_values}), star.problem->total);
  TotalsPlan totals;
  for (int round = 0; round < 40; ++round) {
    std::vector<Profile> profiles;
    for (const auto& outline : outlines) profiles.push_back(outline->profile());
    totals = plan_totals(profiles, total, kStarDepth);
    std::vector<char> added(classes);
    parallel_for(classes, threads,
                 [&](std::size_t c) { added[c] = outlines[c]->refine(totals, kStarDepth); });
    if (std::find(added.begin(), added.end(), 1) == added.end()) break;
  }
  StarPlan plan;
  plan.nats = 42;
  plan.classes.resize(classes);
  parallel_for(classes, threads, [&](std::size_t c) { plan.classes[c] = plan_class(*outlines[c], totals); });
  return plan;
}

StarPlan plan_star(const StarView& star, int threads) {
  return needs_no_tilt(star) ? whole_plan(star) : window_plan(star, threads);
}

CountForecast StarPlan::forecast(const StarView& star) const {
  CountForecast out;
  double doubles = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const ClassPlan& one = classes[c];
    const auto totals = static_cast<double>(one.window.size());
    doubles += 8 * totals;
    for (std::size_t leaf = 0; leaf < star.leaves.size(); ++leaf) {
      const CptRow row = star.row(leaf, c);
      if (!is_seen(row)) continue;
      const double width = width_of(row, one.window, one.rows[leaf].tilt, nats);
      // The levels of the tree hold no more than its leaves each, and few as much.
      const double levels = std::log2(static_cast<double>(row.alpha.size()) + 1);
      const double tabulated = std::min(SumTree::kMostTabulated, totals * width);
      doubles +=
          (1 + 0.5 * levels) * width + 2 * totals + tabulated * static_cast<double>(row.alpha.size() - 1);
      out.operations += 40 * levels * width * std::log2(width + 2);
    }
  }
  if (care == Care::of_each) out.operations *= 6;
  out.bytes = 8 * doubles;
  return out;
}

}  // namespace postern::infer
