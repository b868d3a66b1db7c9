#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "postern/infer/infer.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Throws unsupported for models that take no public rows: a multivariate normal, quantiles.
void check_takes_public_rows(const model::Study& study);

/// Fields of one column of public records, in order; an absent one is missing.
using PublicColumn = std::vector<std::optional<std::string>>;
/// Public records, columns[i] the model's i-th column. Those of a table are encoded as the study says and
/// counted; those of a number are summed as they are, whatever the column does with what lies outside its
/// range, and a field that is no number is left out. Throws unsupported as above, and bad_option when columns
/// are not equally long or not as many, hold what the model's law cannot give, or nothing that it can.
[[nodiscard]] PublicRows read_public_rows(const std::vector<PublicColumn>& columns,
                                          const model::Study& study);

/// public-rows-undeclared, public-rows-left-out: what was found in them that the study does not know.
[[nodiscard]] std::vector<Warning> public_row_warnings(const PublicRows& rows);

/// How many rows were taken.
[[nodiscard]] std::int64_t rows_taken(const PublicRows& rows);

}  // namespace postern::infer
