#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "postern/core/int128.hpp"
#include "postern/model/measurement.hpp"
#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// Exact counts of the table over one to three columns, row-major. The same for any number of threads.
[[nodiscard]] std::vector<std::int64_t> count_table(const Records& records, const model::Schema& schema,
                                                    std::span<const std::string> columns, int threads);
/// All two-way tables of the named columns, in lexicographic order of pairs, in one pass over the rows.
[[nodiscard]] std::vector<std::vector<std::int64_t>> count_pairs(const Records& records,
                                                                 const model::Schema& schema,
                                                                 std::span<const std::string> columns,
                                                                 int threads);
/// Sum over the levels of count x term.
[[nodiscard]] Int128 sum_levels(std::span<const std::int64_t> counts, std::span<const std::int64_t> terms);
/// The statistic of a block, exactly.
[[nodiscard]] std::vector<Int128> measure(const Records& records, const model::Schema& schema,
                                          const model::Statistic& statistic, int threads);

}  // namespace postern::owner
