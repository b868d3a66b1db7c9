#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace postern::owner {

/// Columns of one table, by their places in a list of columns.
using ColumnSet = std::vector<std::size_t>;

/// One table to count over the rows: a few columns on each side, fused into one code a side.
struct CountJob {
  ColumnSet left;
  ColumnSet right;  ///< may be empty
  std::uint64_t left_levels = 1;
  std::uint64_t right_levels = 1;
  [[nodiscard]] std::size_t cells() const { return left_levels * right_levels; }
  [[nodiscard]] ColumnSet columns() const;  ///< left, then right: the order of its table, row-major
};

/// Tables to count, and for each one that is wanted the job whose table holds it.
struct CountPlan {
  std::vector<CountJob> jobs;
  std::vector<std::size_t> job_of;
};

/// Small tables are counted as margins of larger ones that fit the nearest cache: where all pairs are wanted,
/// small columns are joined into groups and the table of two groups holds all pairs within them (36 tables
/// instead of 91 for Adult's 14 columns); other tables join the one that grows least by them.
[[nodiscard]] CountPlan plan_tables(std::span<const std::uint32_t> levels, std::span<const ColumnSet> wanted);

/// The table of some columns (row-major, in their order) out of a job's. @pre the job has the columns.
[[nodiscard]] std::vector<std::int64_t> marginal(const CountJob& job, std::span<const std::int64_t> table,
                                                 std::span<const std::uint32_t> levels,
                                                 const ColumnSet& columns);

}  // namespace postern::owner
