#include "postern/owner/check.hpp"

#include "postern/owner/records_format.hpp"

#include "check/readers.hpp"
#include "check/records_tally.hpp"

namespace postern::owner {

RecordsCheck check_records(const std::string& path, const std::optional<std::string>& format,
                           const model::Study& study, int threads) {
  const RecordsFormat known = records_format(path, format);
  RecordsTally tally(study);
  if (known.csv) {
    tally_csv(path, study.schema, tally);
  } else {
    tally_tables(path, known.table, study.schema, threads, tally);
  }
  return tally.finish();
}

RecordsCheck check_arrow_stream(ArrowArrayStream* stream, const model::Study& study) {
  RecordsTally tally(study);
  tally_stream(stream, study.schema, tally);
  return tally.finish();
}

}  // namespace postern::owner
