#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace postern::owner {

/// One table to count over the rows: a few columns on each side, fused into one code a side.
struct CountJob {
  std::vector<std::size_t> left;
  std::vector<std::size_t> right;  ///< may be empty: a one-way table
  std::uint64_t left_levels = 1;
  std::uint64_t right_levels = 1;
  [[nodiscard]] std::size_t cells() const { return left_levels * right_levels; }
};

/// Tables that between them hold every pair of columns. Small columns are joined into groups, and the table
/// of two groups holds the tables of all pairs within them: 36 tables instead of 91 for Adult's 14 columns.
[[nodiscard]] std::vector<CountJob> plan_pairs(std::span<const std::uint32_t> levels);

/// The table of columns i and j (row-major, i slower) out of a job's table. @pre the job has both columns.
[[nodiscard]] std::vector<std::int64_t> marginal(const CountJob& job, std::span<const std::int64_t> table,
                                                 std::span<const std::uint32_t> levels, std::size_t i,
                                                 std::size_t j);

}  // namespace postern::owner
