#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "postern/model/schema.hpp"
#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// Exact counts of the tables over some columns each, row-major, in one pass over the records. The same for
/// any number of threads.
[[nodiscard]] std::vector<std::vector<std::int64_t>> count_tables(
    const Records& records, const model::Schema& schema, std::span<const std::vector<std::string>> tables,
    int threads);
[[nodiscard]] std::vector<std::int64_t> count_table(const Records& records, const model::Schema& schema,
                                                    std::span<const std::string> columns, int threads);

}  // namespace postern::owner
