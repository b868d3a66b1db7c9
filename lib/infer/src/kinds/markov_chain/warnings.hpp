#pragma once

#include <cstdint>
#include <vector>

#include "postern/core/warning.hpp"
#include "postern/model/measurement.hpp"
#include "postern/model/study.hpp"
#include "postern/release/record_set.hpp"

namespace postern::infer {

/// noise-outweighs-counts where the noise of a cell has a standard deviation above the transitions in an
/// average cell: in a planned release of n records, and in one record set's releases.
[[nodiscard]] std::vector<Warning> planned_chain_warnings(const model::Study& study,
                                                          const model::Measurement& measurement,
                                                          std::int64_t n);
[[nodiscard]] std::vector<Warning> chain_warnings(const release::RecordSet& releases);

}  // namespace postern::infer
