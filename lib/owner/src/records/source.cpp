#include "postern/owner/source.hpp"

#include <memory>
#include <utility>
#include <variant>

#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/sequences.hpp"
#include "postern/owner/arrow_files.hpp"
#include "postern/owner/arrow_stream.hpp"
#include "postern/owner/counts_table.hpp"
#include "postern/owner/csv.hpp"
#include "postern/owner/measure.hpp"

#include "records/arrow/schema.hpp"
#include "records/csv/header.hpp"

namespace postern::owner {
namespace {

/// Measures records that were read, and keeps them for as long as they may be measured again.
Measured measure_all(Records records, const model::Study& study, const model::Measurement& measurement,
                     int threads) {
  const auto kept = std::make_shared<const Records>(std::move(records));
  const auto counts = std::make_shared<KeptCounts>();
  auto again = [kept, counts, &study, threads](const model::Measurement& wanted) {
    return measure(*kept, study.schema, wanted, threads, *counts);
  };
  return {static_cast<std::int64_t>(kept->rows()), again(measurement), std::move(again)};
}

/// Where n is public, its being 0 may be told, and nobody wants to pay for it. Where n is private, no record
/// at all is released like any other number of them: whether there is one must not show.
void refuse_empty(bool empty, const model::Study& study, const std::string& path) {
  if (!empty || study.privacy.adjacency != model::Adjacency::replace_one) return;
  throw Error(
      ErrorCode::input_unreadable,
      {"'", from_option(path), "' has no records, so there is nothing to release; nothing was charged"});
}

/// The sets of columns whose counts a study's blocks are made from; all columns together where later rounds
/// may ask for any of them.
std::vector<std::vector<std::string>> counted_by(const model::Study& study) {
  const model::Request request{model::default_mechanism(study), {}};
  const model::Kind& kind = study.model.kind();
  if (kind.round_rule(study, request) != nullptr) return {model::columns_of(study.model)};
  std::vector<std::vector<std::string>> out;
  for (const model::Block& block : kind.design(study, request, 1))
    out.push_back(block.statistic.kind().columns(block.statistic));
  return out;
}

}  // namespace

Measure open_csv(const std::string& path, const model::Study& study, int threads) {
  return open_csv(path, study, threads, contribution_bound(study));
}

Measure open_csv(const std::string& path, const model::Study& study, int threads,
                 std::optional<ContributionBound> bound, char delimiter) {
  auto file = std::make_shared<CsvFile>(path, study.schema, model::columns_of(study.model), std::move(bound),
                                        delimiter);
  refuse_empty(file->is_empty(), study, path);
  return [file, &study, threads](const model::Measurement& measurement) {
    return measure_all(std::move(*file).read(threads), study, measurement, threads);
  };
}

Measure open_records(const std::string& path, const RecordsFormat& format, const model::Study& study,
                     int threads) {
  if (format.csv) return open_csv(path, study, threads, contribution_bound(study), format.delimiter);
  auto files = std::make_shared<ArrowFiles>(path, format.table, study.schema, model::columns_of(study.model),
                                            contribution_bound(study), threads);
  refuse_empty(files->is_empty(), study, path);
  return [files, &study, threads](const model::Measurement& measurement) {
    return measure_all(std::move(*files).read(), study, measurement, threads);
  };
}

Measure open_arrow_stream(ArrowArrayStream* stream, const model::Study& study, int threads) {
  auto table = std::make_shared<ArrowStream>(stream, study.schema, model::columns_of(study.model),
                                             contribution_bound(study));
  return [table, &study, threads](const model::Measurement& measurement) {
    return measure_all(std::move(*table).read(threads), study, measurement, threads);
  };
}

void check_columns(const std::vector<std::string>& names, const model::Study& study) {
  const std::string origin;  // a table in memory has no name
  for (const model::Column& column : study.schema.columns())
    (void)find_arrow_column(names, column.name, origin);
  const auto* person = std::get_if<model::PersonUnit>(&study.privacy.unit);
  if (person != nullptr) (void)find_arrow_column(names, person->column, origin);
  refuse_counts_as_records(names, study.schema,
                           person != nullptr ? std::optional(person->column) : std::nullopt);
}

Measure open_counts(const std::string& path, const model::Study& study, char delimiter) {
  if (model::ordered_by(study.model)) {
    throw Error(
        ErrorCode::bad_option,
        {"sequences of people cannot be had from a table of counts; give the records, one a person and "
         "time"});
  }
  auto table = std::make_shared<CountsTable>(path, study.schema, model::columns_of(study.model), delimiter);
  refuse_empty(table->is_empty(), study, path);
  table->read();
  for (const std::vector<std::string>& columns : counted_by(study)) table->check_counted(columns);
  const auto again = [table](const model::Measurement& measurement) {
    std::vector<std::vector<Int128>> out;
    out.reserve(measurement.blocks.size());
    for (const model::Block& block : measurement.blocks) out.push_back(table->measure(block.statistic));
    return out;
  };
  return [table, again](const model::Measurement& measurement) {
    return Measured{table->total(), again(measurement), again};
  };
}

}  // namespace postern::owner
