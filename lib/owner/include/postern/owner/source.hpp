#pragma once

#include <optional>
#include <string>
#include <vector>

#include "postern/model/study.hpp"
#include "postern/owner/arrow_abi.hpp"
#include "postern/owner/contribution.hpp"
#include "postern/owner/gate.hpp"
#include "postern/owner/records_format.hpp"

namespace postern::owner {

// Where records come from. Opening checks all that is public about them (the file, its header, its columns)
// against the study and throws; the records themselves are read when the gate calls the Measure, once, after
// the charge, and no record can make that fail. The study must outlive the Measure.

/// A CSV file with a header, or "-" for standard input. Throws what CsvFile throws. If the study's unit is a
/// person, at most so many records of each are kept, and which is decided afresh for every file opened.
[[nodiscard]] Measure open_csv(const std::string& path, const model::Study& study, int threads);
/// The same with a bound of the caller's, so that two files of made-up records can be bounded alike. @pre the
/// bound is that of the study's unit.
[[nodiscard]] Measure open_csv(const std::string& path, const model::Study& study, int threads,
                               std::optional<ContributionBound> bound, char delimiter = ',');
/// Records in a file or a folder. Throws what CsvFile and ArrowFiles throw.
[[nodiscard]] Measure open_records(const std::string& path, const RecordsFormat& format,
                                   const model::Study& study, int threads);
/// Tables handed over by the Arrow C stream interface, such as a frame's __arrow_c_stream__; the stream is
/// moved, and released when the Measure is gone. Throws what ArrowStream throws.
[[nodiscard]] Measure open_arrow_stream(ArrowArrayStream* stream, const model::Study& study, int threads);
/// Throws column_absent or column_repeated unless every column that the study declares, and that of its unit,
/// is there once, and bad_option for a table of counts: all that can be checked of a table that must not be
/// opened yet.
void check_columns(const std::vector<std::string>& names, const model::Study& study);
/// A table of counts: the one input that is read here, before the charge, and refused as a whole
/// (docs/decisions/counts-before-charge.md). Throws what CountsTable and its read throw.
[[nodiscard]] Measure open_counts(const std::string& path, const model::Study& study, char delimiter = ',');

}  // namespace postern::owner
