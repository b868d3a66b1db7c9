#include "count_plan.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace postern::owner {
namespace {

// Two tables of 16-bit counters for two such groups fill the nearest cache of today's machines, and not more.
constexpr std::uint64_t kGroupLevels = 128;

struct Group {
  std::vector<std::size_t> columns;
  std::uint32_t levels = 1;
};

/// First fit, largest first.
std::vector<Group> make_groups(std::span<const std::uint32_t> levels, ColumnSet order) {
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return levels[a] > levels[b]; });
  std::vector<Group> groups;
  for (const std::size_t column : order) {
    const auto fits = [&](const Group& group) {
      return std::uint64_t{group.levels} * levels[column] <= kGroupLevels;
    };
    auto group = std::find_if(groups.begin(), groups.end(), fits);
    if (group == groups.end()) group = groups.insert(groups.end(), Group{});
    group->columns.push_back(column);
    group->levels *= levels[column];
  }
  return groups;
}

/// Tables that between them hold every pair of the columns `used`.
std::vector<CountJob> plan_pairs(std::span<const std::uint32_t> levels, const ColumnSet& used) {
  if (used.empty()) return {};
  const std::vector<Group> groups = make_groups(levels, used);
  std::vector<CountJob> jobs;
  if (groups.size() == 1) jobs.push_back({groups[0].columns, {}, groups[0].levels, 1});
  for (std::size_t a = 0; a < groups.size(); ++a) {
    for (std::size_t b = a + 1; b < groups.size(); ++b) {
      if (groups[a].levels <= kGroupLevels && groups[b].levels <= kGroupLevels) {
        jobs.push_back({groups[a].columns, groups[b].columns, groups[a].levels, groups[b].levels});
        continue;
      }
      // A large column is counted with one other at a time: a joint table could be far larger than what is
      // asked for.
      for (const std::size_t i : groups[a].columns) {
        for (const std::size_t j : groups[b].columns) jobs.push_back({{i}, {j}, levels[i], levels[j]});
      }
    }
  }
  // A group met only by large columns has no table that holds its own pairs.
  for (const Group& group : groups) {
    const auto holds = [&](const CountJob& job) {
      return job.left == group.columns || job.right == group.columns;
    };
    if (group.columns.size() > 1 && std::none_of(jobs.begin(), jobs.end(), holds)) {
      jobs.push_back({group.columns, {}, group.levels, 1});
    }
  }
  return jobs;
}

bool holds(const ColumnSet& set, const ColumnSet& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](std::size_t c) { return std::find(set.begin(), set.end(), c) != set.end(); });
}

std::uint64_t cells_of(std::span<const std::uint32_t> levels, const ColumnSet& columns) {
  std::uint64_t cells = 1;
  for (const std::size_t c : columns) cells *= levels[c];
  return cells;
}

/// The first columns that fit a byte go to the left, the others to the right.
CountJob make_job(std::span<const std::uint32_t> levels, const ColumnSet& columns) {
  CountJob job;
  for (const std::size_t c : columns) {
    const bool left = job.right.empty() && job.left_levels * levels[c] <= 256;
    (left ? job.left : job.right).push_back(c);
    (left ? job.left_levels : job.right_levels) *= levels[c];
  }
  return job;
}

/// The columns of the pairs among `wanted`, if these are most of all pairs of them.
ColumnSet columns_in_pairs(std::span<const ColumnSet> wanted) {
  std::set<std::size_t> columns;
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const ColumnSet& one : wanted) {
    if (one.size() != 2) continue;
    columns.insert(one.begin(), one.end());
    pairs.insert(std::minmax(one[0], one[1]));
  }
  if (columns.size() < 3 || 4 * pairs.size() < columns.size() * (columns.size() - 1)) return {};
  return {columns.begin(), columns.end()};
}

/// Where a table is put that no job holds: its columns join those of a job, or are a job of their own.
void place(std::vector<ColumnSet>& sets, const ColumnSet& wanted, std::span<const std::uint32_t> levels) {
  ColumnSet* best = nullptr;
  ColumnSet grown;
  std::uint64_t least = kGroupLevels * kGroupLevels + 1;
  for (ColumnSet& set : sets) {
    if (cells_of(levels, set) > kGroupLevels * kGroupLevels) continue;
    ColumnSet all = set;
    for (const std::size_t c : wanted) {
      if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
    }
    const std::uint64_t cells = cells_of(levels, all);
    if (cells >= least) continue;
    least = cells;
    best = &set;
    grown = std::move(all);
  }
  if (best != nullptr) {
    *best = std::move(grown);
  } else {
    sets.push_back(wanted);
  }
}

}  // namespace

ColumnSet CountJob::columns() const {
  ColumnSet all = left;
  all.insert(all.end(), right.begin(), right.end());
  return all;
}

CountPlan plan_tables(std::span<const std::uint32_t> levels, std::span<const ColumnSet> wanted) {
  CountPlan plan;
  plan.jobs = plan_pairs(levels, columns_in_pairs(wanted));
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cells_of(levels, wanted[a]) > cells_of(levels, wanted[b]);
  });
  const auto job_holding = [&](const ColumnSet& one) {
    return static_cast<std::size_t>(
        std::find_if(plan.jobs.begin(), plan.jobs.end(),
                     [&](const CountJob& job) { return holds(job.columns(), one); }) -
        plan.jobs.begin());
  };
  std::vector<ColumnSet> sets;
  for (const std::size_t w : order) {
    const bool held =
        job_holding(wanted[w]) < plan.jobs.size() ||
        std::any_of(sets.begin(), sets.end(), [&](const ColumnSet& s) { return holds(s, wanted[w]); });
    if (!held) place(sets, wanted[w], levels);
  }
  for (const ColumnSet& set : sets) plan.jobs.push_back(make_job(levels, set));
  for (const ColumnSet& one : wanted) plan.job_of.push_back(job_holding(one));
  return plan;
}

std::vector<std::int64_t> marginal(const CountJob& job, std::span<const std::int64_t> table,
                                   std::span<const std::uint32_t> levels, const ColumnSet& columns) {
  const ColumnSet all = job.columns();
  if (all == columns) return {table.begin(), table.end()};
  std::vector<std::size_t> stride(all.size(), 0);  // in the margin, of a level of each of the job's columns
  std::size_t cells = 1;
  for (std::size_t i = columns.size(); i-- > 0; cells *= levels[columns[i]])
    stride[static_cast<std::size_t>(std::find(all.begin(), all.end(), columns[i]) - all.begin())] = cells;
  std::vector<std::int64_t> counts(cells);
  std::vector<std::uint32_t> at(all.size(), 0);
  std::size_t place = 0;
  for (const std::int64_t count : table) {
    counts[place] += count;
    for (std::size_t c = all.size(); c-- > 0;) {  // the next cell, last column fastest
      place += stride[c];
      if (++at[c] < levels[all[c]]) break;
      place -= stride[c] * levels[all[c]];
      at[c] = 0;
    }
  }
  return counts;
}

}  // namespace postern::owner
