#pragma once

#include <optional>
#include <string>

#include "postern/model/schema.hpp"
#include "postern/owner/arrow_abi.hpp"
#include "postern/owner/records_format.hpp"

#include "check/records_tally.hpp"

namespace postern::owner {

// Each hands every record over as the texts that a release would encode. Faults of the whole are those of
// CsvFile, ArrowFiles and ArrowStream.

void tally_csv(const std::string& path, char delimiter, const model::Schema& schema, RecordsTally& tally);
void tally_tables(const std::string& path, std::optional<TableFormat> format, const model::Schema& schema,
                  int threads, RecordsTally& tally);
void tally_stream(ArrowArrayStream* stream, const model::Schema& schema, RecordsTally& tally);

}  // namespace postern::owner
