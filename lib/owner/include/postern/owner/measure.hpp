#pragma once

#include <vector>

#include "postern/core/int128.hpp"
#include "postern/model/measurement.hpp"
#include "postern/owner/coded_table.hpp"

namespace postern::owner {

/// The statistic of every block, exactly: what its definition (model::Tally) adds up to over the records. One
/// pass over the records counts all that can be told from counts.
[[nodiscard]] std::vector<std::vector<Int128>> measure(const Records& records, const model::Schema& schema,
                                                       const model::Measurement& measurement, int threads);

}  // namespace postern::owner
