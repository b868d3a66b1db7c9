#include "postern/owner/arrow_files.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "postern/core/error.hpp"

#include "arrow_loader.hpp"
#include "arrow_reader.hpp"
#include "arrow_schema.hpp"

namespace postern::owner {
namespace {

namespace fs = std::filesystem;

struct TableFile {
  std::string path;
  TableFormat format;
};

[[noreturn]] void refuse_strange_file(const fs::path& path) {
  throw Error(ErrorCode::input_unreadable,
              {"'", from_option(path.string()),
               "' lies among the records, but its suffix tells no format (.parquet, .arrow); move it away, "
               "or name the format with --format"});
}

/// Hidden files, and the notes that Spark and others leave beside their tables.
bool is_passed_over(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(".") || name.starts_with("_");
}

std::vector<TableFile> files_in(const std::string& folder, std::optional<TableFormat> format) {
  std::vector<TableFile> files;
  std::error_code failure;
  fs::recursive_directory_iterator place(folder, failure);
  for (; !failure && place != fs::recursive_directory_iterator(); place.increment(failure)) {
    const fs::path& path = place->path();
    std::error_code unknown;
    if (is_passed_over(path)) {
      if (place->is_directory(unknown)) place.disable_recursion_pending();
    } else if (!place->is_directory(unknown)) {
      const auto known = format ? format : table_format(path.string());
      if (!known) refuse_strange_file(path);
      files.push_back({path.string(), *known});
    }
  }
  if (failure)
    throw Error(ErrorCode::input_unreadable, {"the folder '", from_option(folder), "' cannot be read"});
  if (files.empty()) {
    throw Error(ErrorCode::input_unreadable,
                {"the folder '", from_option(folder), "' holds no Parquet or Arrow files"});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::vector<TableFile> list_files(const std::string& path, std::optional<TableFormat> format) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) {
    throw Error(ErrorCode::input_missing,
                {"there is no file '", from_option(path), "'; check the path of the records"});
  }
  if (status.type() == fs::file_type::directory) return files_in(path, format);
  const auto known = format ? format : table_format(path);
  if (!known) refuse_strange_file(path);
  return {{path, *known}};
}

}  // namespace

std::optional<TableFormat> table_format(const std::string& path) {
  std::string suffix = fs::path(path).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (suffix == ".parquet" || suffix == ".pq") return TableFormat::parquet;
  if (suffix == ".arrow" || suffix == ".arrows" || suffix == ".feather" || suffix == ".ipc")
    return TableFormat::ipc;
  return std::nullopt;
}

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
  std::vector<TableFile> files;
  OpenedTable first;  // stays open, so that a single file is the one that was checked
};

ArrowFiles::ArrowFiles(const std::string& path, std::optional<TableFormat> format,
                       const model::Schema& schema, const std::vector<std::string>& wanted_columns,
                       const std::optional<ContributionBound>& bound, int threads) {
  std::vector<TableFile> files = list_files(path, format);
  source_ = std::make_unique<Source>(schema, wanted_columns, bound, threads);
  source_->files = std::move(files);
  for (const TableFile& file : source_->files) {
    OpenedTable table = source_->open(file);
    check_declared_columns(*table.schema, schema, file.path);
    source_->reader.begin_table(*table.schema, file.path);
    if (!table.stream.filled()) refuse_broken_table(file.path);
    if (table.rows > 0 && table.rows < INT64_MAX - source_->rows) source_->rows += table.rows;
    if (&file == source_->files.data()) source_->first = std::move(table);
  }
}
ArrowFiles::ArrowFiles(ArrowFiles&&) noexcept = default;
ArrowFiles::~ArrowFiles() = default;

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
