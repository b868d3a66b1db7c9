#include "tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "postern/core/draw.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

/// What noisy values say of a count by their variances alone.
struct RoughCount {
  RoughCount(const std::vector<NoisyValue>& values, double at_most) {
    double precision = 0;
    for (const NoisyValue& value : values) {
      const double one = 1 / release::variance(value.law);
      precision += one;
      mean += one * value.y;
    }
    mean = precision > 0 ? mean / precision : 0;
    variance = precision > 0 ? 1 / precision : at_most * at_most;
    for (const NoisyValue& value : values) {
      if (!value.band) continue;
      const double width = value.band->high - value.band->low;
      variance += std::isfinite(width) ? width * width : at_most;
    }
  }
  double mean = 0;
  double variance = 0;
};

/// The sums that may matter about a place.
Window range_about(double mean, double sd, std::int64_t at_most) {
  constexpr double kWide = 6;
  const double reach = kWide * sd + 12;
  const auto most = static_cast<double>(at_most);
  return {static_cast<std::int64_t>(std::clamp(mean - reach, 0.0, most)),
          static_cast<std::int64_t>(std::clamp(mean + reach, 0.0, most))};
}

/// What of a row's range is possible with so few records: never nothing.
Window possible_range(Window range, std::int64_t most) {
  if (range.lo <= most) return {range.lo, std::min(range.hi, most)};
  return {std::max<std::int64_t>(0, most - static_cast<std::int64_t>(range.size())), most};
}

}  // namespace

std::size_t TableFacts::rows(std::size_t level) const {
  return std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(level), std::size_t{1},
                         std::multiplies<>());
}

TableFacts::TableFacts(const LearnedTable& table, double nats, double share)
    : sizes(table.sizes), at_most(table.n.value_or(table.at_most)), least(share) {
  for (const std::vector<NoisyValue>& values : table.noisy_values) {
    const CellNoise noise(values, at_most);
    cells.push_back(seen_count(noise, at_most, nats));
    cells.back().tolerance = least;
    const RoughCount rough(values, static_cast<double>(at_most));
    guess.push_back(rough.mean);
    variance.push_back(rough.variance);
  }
  for (const std::uint32_t levels : sizes) grids.push_back(concentrations(levels, table.scale));
  known.resize(sizes.size());
  if (table.public_rows.empty()) return;
  known.back().assign(table.public_rows.begin(), table.public_rows.end());
  for (std::size_t level = sizes.size() - 1; level-- > 0;) {
    const std::uint32_t below = sizes[level + 1];
    known[level].assign(known[level + 1].size() / below, 0.0);
    for (std::size_t i = 0; i < known[level + 1].size(); ++i) known[level][i / below] += known[level + 1][i];
  }
}

Window rough_totals(const LearnedTable& table) {
  double mean = 0;
  double variance = 0;
  for (const std::vector<NoisyValue>& values : table.noisy_values) {
    const RoughCount rough(values, static_cast<double>(table.at_most));
    mean += rough.mean;
    variance += rough.variance;
  }
  return range_about(std::max(mean, 0.0), std::sqrt(variance), table.at_most);
}

TreePlan first_tree_plan(const TableFacts& facts) {
  TreePlan plan;
  plan.rows.resize(facts.sizes.size());
  for (std::size_t level = 0; level < facts.sizes.size(); ++level) {
    const std::size_t rows = facts.rows(level);
    const auto below = static_cast<std::ptrdiff_t>(facts.cells.size() / rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(r) * below;
      const auto sum_of = [&](const std::vector<double>& x) {
        return std::accumulate(x.begin() + first, x.begin() + first + below, 0.0);
      };
      const double sum = std::max(sum_of(facts.guess), 0.5);
      const double sd = std::sqrt(sum_of(facts.variance));
      LearnedRowPlan row;
      row.target = std::min(sum, static_cast<double>(facts.at_most));
      row.variance = sd * sd;
      row.range = range_about(row.target, sd, facts.at_most);
      plan.rows[level].push_back(std::move(row));
    }
  }
  return plan;
}

LearnedTree::LearnedTree(const TableFacts& facts, const Centres& centres, TreePlan& plan, Window totals,
                         int threads)
    : facts_(facts), centres_(centres), levels_(facts.sizes.size()) {
  for (std::size_t level = levels_.size(); level-- > 0;) {
    const std::size_t branches = facts.sizes[level];
    levels_[level].resize(facts.rows(level));
    const bool leaves = level + 1 == levels_.size();
    parallel_for(levels_[level].size(), threads, [&](std::size_t r) {
      RowProblem problem;
      for (std::size_t v = r * branches; v < (r + 1) * branches; ++v)
        problem.children.push_back(leaves ? &facts.cells[v] : &levels_[level + 1][v].message());
      problem.centre = centres[level];
      if (!facts.known[level].empty())
        problem.known = std::span(facts.known[level]).subspan(r * branches, branches);
      problem.grid = facts.grids[level];
      problem.most = totals.hi;
      problem.top = level == 0;
      problem.least = facts.least;
      problem.sums = level == 0 ? totals : possible_range(plan.rows[level][r].range, totals.hi);
      levels_[level][r] = LearnedRow(problem, plan.rows[level][r]);
    });
  }
}

bool LearnedTree::cramped_cells() const {
  const std::vector<LearnedRow>& last = levels_.back();
  return std::any_of(last.begin(), last.end(), [](const LearnedRow& row) { return !row.cramped().empty(); });
}

bool LearnedTree::widen(TreePlan& plan) const {
  bool any = false;
  for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
    for (std::size_t r = 0; r < levels_[level].size(); ++r) {
      for (const LearnedRow::Cramped& one : levels_[level][r].cramped()) {
        Window& range = plan.rows[level + 1][r * facts_.sizes[level] + one.child].range;
        const Window before = range;
        const auto more = static_cast<std::int64_t>(range.size() / 2 + 4);
        if (one.low > one.tolerance) range.lo = std::max<std::int64_t>(0, before.lo - more);
        if (one.high > one.tolerance) range.hi = std::min(facts_.at_most, before.hi + more);
        any = any || range != before;
      }
    }
  }
  return any;
}

double LearnedTree::work() const {
  double out = 0;
  for (const std::vector<LearnedRow>& rows : levels_) {
    for (const LearnedRow& row : rows) out += row.work();
  }
  return out;
}

bool LearnedTree::draw(LearnedDraw& out, Rng& rng) const {
  thread_local std::vector<std::int64_t> sums;
  thread_local std::vector<double> shares;
  thread_local std::vector<std::int64_t> counts;
  thread_local std::vector<double> theta;
  sums.assign(1, out.n);
  shares.assign(1, 1.0);
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const std::size_t branches = facts_.sizes[level];
    counts.assign(sums.size() * branches, 0);
    theta.assign(counts.size(), 0);
    for (std::size_t r = 0; r < sums.size(); ++r) {
      const std::span<std::int64_t> mine = std::span(counts).subspan(r * branches, branches);
      const std::span<double> part = std::span(theta).subspan(r * branches, branches);
      const std::optional<double> drawn = levels_[level][r].draw(sums[r], mine, rng);
      if (!drawn) return false;
      for (std::size_t v = 0; v < branches; ++v) {
        const double exact = facts_.known[level].empty() ? 0 : facts_.known[level][r * branches + v];
        part[v] = *drawn * centres_[level][v] + exact + static_cast<double>(mine[v]);
      }
      draw_dirichlet(part, part, rng);
      for (double& x : part) x *= shares[r];
    }
    std::swap(sums, counts);
    std::swap(shares, theta);
  }
  out.counts.assign(sums.begin(), sums.end());
  out.theta.assign(shares.begin(), shares.end());
  return true;
}

namespace {

constexpr int kDraws = 64;     ///< of a tree, to plan the next
constexpr int kMostTrees = 8;  ///< until plans are where the posterior is
constexpr double kNear = 1.5;  ///< standard deviations of a row's sum from its target

/// Draws n from the top row where several have weight.
std::int64_t draw_top(const LearnedTree& tree, Rng& rng) {
  const Message& message = tree.top().message().message;
  double whole = 0;
  for (const double w : message.weight) whole += w;
  double left = rng.uniform() * whole;
  for (std::size_t i = 0; i < message.weight.size(); ++i) {
    left -= message.weight[i];
    if (left <= 0) return message.lo + static_cast<std::int64_t>(i);
  }
  return message.window().hi;
}

/// Moves targets to the means of draws; returns how far the farthest moved, in standard deviations of it.
double move_targets(const TableFacts& facts, const LearnedTree& tree, TreePlan& plan, Rng& rng) {
  std::vector<std::vector<double>> mean(plan.rows.size());
  std::vector<std::vector<double>> square(plan.rows.size());
  for (std::size_t level = 0; level < mean.size(); ++level) {
    mean[level].assign(plan.rows[level].size(), 0.0);
    square[level] = mean[level];
  }
  LearnedDraw draw;
  for (int i = 0; i < kDraws; ++i) {
    draw.n = draw_top(tree, rng);
    if (!tree.draw(draw, rng)) return -kMinusInfinity;
    for (std::size_t level = 0; level < mean.size(); ++level) {
      const std::size_t below = facts.cells.size() / mean[level].size();
      for (std::size_t r = 0; r < mean[level].size(); ++r) {
        const auto first = draw.counts.begin() + static_cast<std::ptrdiff_t>(r * below);
        const auto sum = static_cast<double>(
            std::accumulate(first, first + static_cast<std::ptrdiff_t>(below), std::int64_t{0}));
        mean[level][r] += sum / kDraws;
        square[level][r] += sum * sum / kDraws;
      }
    }
  }
  double farthest = 0;
  for (std::size_t level = 0; level < mean.size(); ++level) {
    for (std::size_t r = 0; r < mean[level].size(); ++r) {
      LearnedRowPlan& row = plan.rows[level][r];
      const double to = std::max(mean[level][r], 0.3);
      const double sd =
          1 + 1.2 * std::sqrt(std::max(0.0, square[level][r] - mean[level][r] * mean[level][r]));
      farthest = std::max(farthest, std::abs(to - row.target) / sd);
      row.target = to;
      row.variance = sd * sd;
      row.range = range_about(to, sd, facts.at_most);
      row.panels.clear();
      row.skipped.clear();
    }
  }
  return farthest;
}

}  // namespace

LearnedTree settled_tree(const TableFacts& facts, const Centres& centres, TreePlan& plan, Window totals,
                         int threads, Rng& rng) {
  for (int attempt = 0;; ++attempt) {
    LearnedTree tree(facts, centres, plan, totals, threads);
    if (attempt == kMostTrees) return tree;
    const bool possible = tree.top().message().log_scale > kMinusInfinity;
    TreePlan next = plan;
    const bool moved = possible && move_targets(facts, tree, next, rng) >= kNear;
    if (!moved) next = plan;
    const bool widened = tree.widen(next);
    if (!moved && !widened) return tree;
    for (std::vector<LearnedRowPlan>& rows : next.rows) {
      for (LearnedRowPlan& row : rows) {
        row.panels.clear();
        row.skipped.clear();
      }
    }
    plan = std::move(next);
  }
}

}  // namespace postern::infer
