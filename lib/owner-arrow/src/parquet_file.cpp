#include <algorithm>
#include <utility>

#include <arrow/io/file.h>
#include <arrow/memory_pool.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include "tables.hpp"

namespace postern::arrow_plugin {
namespace {

constexpr std::int64_t kBatchRows = 1 << 16;

/// Keeps the file open as long as its batches are read.
class ParquetBatches : public arrow::RecordBatchReader {
 public:
  ParquetBatches(std::unique_ptr<parquet::arrow::FileReader> file,
                 std::shared_ptr<arrow::RecordBatchReader> batches)
      : file_(std::move(file)), batches_(std::move(batches)) {}
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return batches_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    return batches_->ReadNext(batch);
  }

 private:
  std::unique_ptr<parquet::arrow::FileReader> file_;
  std::shared_ptr<arrow::RecordBatchReader> batches_;
};

/// Whether every piece of a column begins with a dictionary.
bool has_dictionaries(const parquet::FileMetaData& file, int leaf) {
  for (int group = 0; group < file.num_row_groups(); ++group) {
    if (!file.RowGroup(group)->ColumnChunk(leaf)->has_dictionary_page()) return false;
  }
  return file.num_row_groups() > 0;
}

bool is_text(const arrow::DataType& type) {
  return type.id() == arrow::Type::STRING || type.id() == arrow::Type::LARGE_STRING ||
         type.id() == arrow::Type::BINARY || type.id() == arrow::Type::LARGE_BINARY;
}

arrow::Result<std::unique_ptr<parquet::arrow::FileReader>> open_with(
    const std::shared_ptr<arrow::io::RandomAccessFile>& file, const parquet::ArrowReaderProperties& how) {
  parquet::arrow::FileReaderBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Open(file));
  std::unique_ptr<parquet::arrow::FileReader> reader;
  ARROW_RETURN_NOT_OK(builder.memory_pool(arrow::default_memory_pool())->properties(how)->Build(&reader));
  return reader;
}

}  // namespace

arrow::Result<OpenTable> open_parquet(const std::string& path, const std::vector<std::string>& wanted,
                                      bool threads) {
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::ReadableFile::Open(path));
  parquet::ArrowReaderProperties how(threads);
  how.set_batch_size(kBatchRows);
  ARROW_ASSIGN_OR_RAISE(auto reader, open_with(file, how));
  OpenTable table;
  ARROW_RETURN_NOT_OK(reader->GetSchema(&table.schema));
  const std::vector<int> places = find_columns(*table.schema, wanted);
  if (places.size() != wanted.size()) return table;

  const auto metadata = reader->parquet_reader()->metadata();
  table.rows = metadata->num_rows();
  std::vector<int> leaves;
  for (const int place : places) {
    const auto& field = reader->manifest().schema_fields[static_cast<std::size_t>(place)];
    if (!field.is_leaf()) return table;  // a nested column is refused by its schema
    leaves.push_back(field.column_index);
    const bool look_up =
        is_text(*table.schema->field(place)->type()) && has_dictionaries(*metadata, leaves.back());
    how.set_read_dictionary(leaves.back(), look_up);
  }
  ARROW_ASSIGN_OR_RAISE(auto dictionary_reader, open_with(file, how));
  std::vector<int> groups(static_cast<std::size_t>(metadata->num_row_groups()));
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<int>(i);
  ARROW_ASSIGN_OR_RAISE(auto batches, dictionary_reader->GetRecordBatchReader(groups, leaves));
  table.reader = std::make_shared<ParquetBatches>(std::move(dictionary_reader), std::move(batches));
  return table;
}

}  // namespace postern::arrow_plugin
