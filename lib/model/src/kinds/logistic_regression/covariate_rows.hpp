#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "postern/model/kinds/covariates.hpp"
#include "postern/model/node.hpp"

namespace postern::model {

/// Levels of the public records in the CSV file that a study names at `covariates_from`, encoded as the study
/// encodes its own; records that it would drop are left out.
[[nodiscard]] std::vector<std::uint32_t> read_row_file(Node& node, const std::vector<std::string>& features,
                                                       const Schema& schema);
/// As a document has them.
[[nodiscard]] std::vector<std::uint32_t> read_document_rows(Node& node);
/// Refuses levels that there are not, rows that are cut short, too many and too few.
void check_rows(const Covariates& covariates, const std::vector<std::string>& features, const Schema& schema);

}  // namespace postern::model
