#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Counts of the table over the model's columns (row-major) as the engines take them.
[[nodiscard]] PublicCounts public_counts(std::vector<std::int64_t> table, const model::Study& study);

/// Fields of one column of public records, in order; an absent one is missing.
using PublicColumn = std::vector<std::optional<std::string>>;
/// Encodes public records as the study says and counts them by cell: columns[i] belongs to the model's i-th
/// column. Throws bad_option when they are not equally long or not as many.
[[nodiscard]] PublicCounts count_public_rows(const std::vector<PublicColumn>& columns,
                                             const model::Study& study);

}  // namespace postern::infer
