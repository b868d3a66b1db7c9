#pragma once

#include <string>
#include <vector>

#include "postern/model/study_draft.hpp"
#include "postern/owner/arrow_abi.hpp"
#include "postern/owner/source.hpp"

namespace postern::owner {

// What a study can be drafted from: the names and the types of columns, which are public as a CSV header is.
// No record is read, and no dictionary, category or statistic either, since those come from records.

/// Of a file, or of the first table in a folder. The header of a CSV file tells no types. Throws what
/// read_csv_header and ArrowFiles throw.
[[nodiscard]] std::vector<model::DraftColumn> read_columns(const std::string& path,
                                                           const RecordsFormat& format);
/// Of tables handed over by the Arrow C stream interface, which is moved. Throws input_unreadable.
[[nodiscard]] std::vector<model::DraftColumn> read_columns(ArrowArrayStream* stream);

}  // namespace postern::owner
