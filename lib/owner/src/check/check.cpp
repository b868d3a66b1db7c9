#include "postern/owner/check.hpp"

#include "check/readers.hpp"
#include "check/records_tally.hpp"

namespace postern::owner {

RecordsCheck check_records(const std::string& path, const RecordsFormat& format, const model::Study& study,
                           int threads) {
  RecordsTally tally(study);
  if (format.csv) {
    tally_csv(path, format.delimiter, study.schema, tally);
  } else {
    tally_tables(path, format.table, study.schema, threads, tally);
  }
  return tally.finish();
}

RecordsCheck check_arrow_stream(ArrowArrayStream* stream, const model::Study& study) {
  RecordsTally tally(study);
  tally_stream(stream, study.schema, tally);
  return tally.finish();
}

}  // namespace postern::owner
