#include "postern/owner/arrow_files.hpp"

#include <algorithm>
#include <utility>

#include "loader.hpp"
#include "reader.hpp"
#include "schema.hpp"
#include "table_files.hpp"

namespace postern::owner {

struct ArrowFiles::Source {
  Source(const model::Schema& schema, const std::vector<std::string>& wanted,
         const std::optional<ContributionBound>& bound, int threads_to_use)
      : columns(wanted), reader(schema, wanted, bound), threads(threads_to_use) {
    const bool own = bound && std::find(wanted.begin(), wanted.end(), bound->column) == wanted.end();
    if (own) columns.push_back(bound->column);
  }
  [[nodiscard]] OpenedTable open(const TableFile& file) const {
    return plugin.open(file.path, file.format, columns, threads);
  }

  const ArrowPlugin& plugin = ArrowPlugin::load();
  std::vector<std::string> columns;  // to ask for
  ArrowReader reader;
  int threads;
  std::int64_t rows = 0;  // of the files that tell
  bool empty = true;      // so all of them say
  std::vector<TableFile> files;
  OpenedTable first;  // stays open, so that a single file is the one that was checked
};

ArrowFiles::ArrowFiles(const std::string& path, std::optional<TableFormat> format,
                       const model::Schema& schema, const std::vector<std::string>& wanted_columns,
                       const std::optional<ContributionBound>& bound, int threads) {
  std::vector<TableFile> files = list_tables(path, format);
  source_ = std::make_unique<Source>(schema, wanted_columns, bound, threads);
  source_->files = std::move(files);
  for (const TableFile& file : source_->files) {
    OpenedTable table = source_->open(file);
    check_declared_columns(*table.schema, schema, bound ? std::optional(bound->column) : std::nullopt,
                           file.path);
    source_->reader.begin_table(*table.schema, file.path);
    if (!table.stream.filled()) refuse_broken_table(file.path);
    source_->empty = source_->empty && table.rows == 0;
    if (table.rows > 0 && table.rows < INT64_MAX - source_->rows) source_->rows += table.rows;
    if (&file == source_->files.data()) source_->first = std::move(table);
  }
}
ArrowFiles::ArrowFiles(ArrowFiles&&) noexcept = default;
ArrowFiles::~ArrowFiles() = default;

bool ArrowFiles::is_empty() const { return source_->empty; }

Records ArrowFiles::read() && {
  const std::unique_ptr<Source> source = std::move(source_);
  source->reader.expect_rows(source->rows);
  for (const TableFile& file : source->files) {
    OpenedTable table = &file == source->files.data() ? std::move(source->first) : source->open(file);
    ArrowHandle<ArrowSchema> schema;
    if (!table.stream.filled() || table.stream->get_schema(table.stream.get(), schema.get()) != 0)
      refuse_broken_table(file.path);
    source->reader.begin_table(*schema, file.path);
    source->reader.read_table(table.stream, source->threads);
  }
  return source->reader.finish(source->threads);
}

}  // namespace postern::owner
