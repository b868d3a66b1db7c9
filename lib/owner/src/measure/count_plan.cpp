#include "count_plan.hpp"

#include <algorithm>
#include <numeric>

namespace postern::owner {
namespace {

// Two tables of 16-bit counters for two such groups fill the nearest cache of today's machines, and not more.
constexpr std::uint64_t kGroupLevels = 128;

struct Group {
  std::vector<std::size_t> columns;
  std::uint32_t levels = 1;
};

/// First fit, largest first.
std::vector<Group> make_groups(std::span<const std::uint32_t> levels) {
  std::vector<std::size_t> order(levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
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

}  // namespace

std::vector<CountJob> plan_pairs(std::span<const std::uint32_t> levels) {
  const std::vector<Group> groups = make_groups(levels);
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

std::vector<std::int64_t> marginal(const CountJob& job, std::span<const std::int64_t> table,
                                   std::span<const std::uint32_t> levels, std::size_t i, std::size_t j) {
  std::vector<std::size_t> columns = job.left;
  columns.insert(columns.end(), job.right.begin(), job.right.end());
  // How far apart two cells are that differ by one level of a column.
  std::size_t stride_i = 1;
  std::size_t stride_j = 1;
  for (std::size_t c = columns.size(), stride = 1; c-- > 0; stride *= levels[columns[c]]) {
    if (columns[c] == i) stride_i = stride;
    if (columns[c] == j) stride_j = stride;
  }
  std::vector<std::int64_t> counts(std::size_t{levels[i]} * levels[j]);
  for (std::size_t cell = 0; cell < table.size(); ++cell) {
    counts[cell / stride_i % levels[i] * levels[j] + cell / stride_j % levels[j]] += table[cell];
  }
  return counts;
}

}  // namespace postern::owner
