#include "public_rows.hpp"

#include <algorithm>
#include <functional>

#include "postern/core/error.hpp"
#include "postern/infer/kind.hpp"
#include "postern/infer/public_rows.hpp"
#include "postern/infer/public_tally.hpp"
#include "postern/model/schema.hpp"
#include "postern/model/study.hpp"
#include "postern/owner/arrow_files.hpp"
#include "postern/owner/count.hpp"
#include "postern/owner/source.hpp"

#include "csv_rows.hpp"

namespace postern::app {
namespace {

/// Are public rows of such a study counted in tables?
bool counts_rows(const model::Study& study) {
  return !infer::kind_of(study.model).public_tables(study).empty();
}

infer::PublicRows csv_rows(const std::string& path, const model::Study& study, char delimiter) {
  if (!counts_rows(study)) {
    std::vector<infer::PublicColumn> columns(model::columns_of(study.model).size());
    for_each_row(path, study, delimiter, owner::PublicColumns::all, [&](const auto& fields) {
      for (std::size_t c = 0; c < columns.size(); ++c) columns[c].emplace_back(fields[c]);
    });
    return infer::read_public_rows(columns, study);
  }
  infer::PublicTally tally(study);
  for_each_row(path, study, delimiter, owner::PublicColumns::all,
               [&](const auto& fields) { tally.add(fields); });
  return tally.counts();
}

/// Parquet and Arrow files are encoded as they are read, so that values which are not declared can be counted
/// but not named.
infer::PublicCounts table_rows(const std::string& path, const std::optional<owner::TableFormat>& format,
                               const model::Study& study, int threads) {
  const std::vector<std::string> columns = model::columns_of(study.model);
  const auto tables = infer::kind_of(study.model).public_tables(study);
  const auto count = [&](const std::function<model::Column(model::Column)>& changed) {
    std::vector<model::Column> used;  // the file needs no other column of the study
    for (const std::string& name : columns) used.push_back(changed(study.schema.at(name)));
    const model::Schema schema(std::move(used));
    const owner::Records records =
        owner::ArrowFiles(path, format, schema, columns, std::nullopt, threads).read();
    infer::PublicCounts out;
    out.rows = static_cast<std::int64_t>(records.rows());
    for (const std::vector<std::int64_t>& table : owner::count_tables(records, schema, tables, threads))
      out.counts.insert(out.counts.end(), table.begin(), table.end());
    return out;
  };
  infer::PublicCounts out = count([](model::Column column) { return column; });
  const std::int64_t rows = count(infer::keeping_all).rows;
  const std::int64_t fit = count(infer::keeping_declared).rows;
  if (rows > 0 && fit == 0) {
    throw Error(ErrorCode::bad_option, {"public rows: no row of '", from_option(path),
                                        "' holds declared values in all columns of the "
                                        "model; write them as the study does"});
  }
  if (fit < rows) {
    out.warnings.push_back(
        {"public-rows-undeclared",
         std::to_string(rows - fit) + " of " + std::to_string(rows) +
             " public rows have a field missing or hold what the study does not declare, and are treated as "
             "its `missing` and `outside` say; from a CSV file, or in Python, the values are named"});
  }
  return out;
}

}  // namespace

infer::PublicRows read_public_rows(const std::string& path, const std::optional<std::string>& delimiter,
                                   const model::Study& study, int threads) {
  infer::check_takes_public_rows(study);
  const owner::RecordsFormat format = owner::records_format(path, std::nullopt, delimiter);
  if (format.csv) return csv_rows(path, study, format.delimiter);
  if (!counts_rows(study)) {
    throw Error(ErrorCode::unsupported, {"public rows of a number or a regression are read from CSV; the "
                                         "Python package takes them from any frame"});
  }
  return table_rows(path, format.table, study, threads);
}

}  // namespace postern::app
