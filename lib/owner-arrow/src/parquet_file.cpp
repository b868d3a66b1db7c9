#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include <arrow/io/file.h>
#include <arrow/memory_pool.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include "flat_column.hpp"
#include "tables.hpp"

namespace postern::arrow_plugin {
namespace {

constexpr std::int64_t kBatchRows = 1 << 16;

using FileReader = parquet::arrow::FileReader;

/// The wanted columns of a file, row group by row group: those that we can decode by our own readers, the
/// others by Arrow's.
class ParquetBatches : public arrow::RecordBatchReader {
 public:
  ParquetBatches(std::unique_ptr<FileReader> file, const std::vector<int>& places)
      : file_(std::move(file)), columns_(places.size()) {
    const auto metadata = file_->parquet_reader()->metadata();
    std::shared_ptr<arrow::Schema> whole;
    PARQUET_THROW_NOT_OK(file_->GetSchema(&whole));
    arrow::FieldVector fields;
    for (std::size_t c = 0; c < places.size(); ++c) {
      const auto& field = whole->field(places[c]);
      const int leaf = file_->manifest().schema_fields[static_cast<std::size_t>(places[c])].column_index;
      columns_[c] = make_flat_column(*metadata, leaf, *field->type());
      if (!columns_[c]) other_leaves_.push_back(leaf);
      fields.push_back(arrow::field(field->name(), columns_[c] ? columns_[c]->type() : field->type()));
    }
    schema_ = arrow::schema(std::move(fields));
  }
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    batch->reset();
    try {
      return read_batch(batch);
    } catch (const std::bad_alloc&) {
      return arrow::Status::OutOfMemory("no memory");
    } catch (const std::exception&) {
      return arrow::Status::Invalid("a damaged file");
    }
  }

 private:
  arrow::Status read_batch(std::shared_ptr<arrow::RecordBatch>* batch) {
    while (rows_left_ == 0) {
      if (group_ == file_->num_row_groups()) return arrow::Status::OK();
      ARROW_RETURN_NOT_OK(begin_group(group_++));
    }
    std::int64_t rows = std::min(kBatchRows, rows_left_);
    if (!other_leaves_.empty()) {
      ARROW_RETURN_NOT_OK(others_->ReadNext(&other_batch_));
      if (!other_batch_ || other_batch_->num_rows() == 0 || other_batch_->num_rows() > rows_left_)
        return arrow::Status::Invalid("columns of different lengths");
      rows = other_batch_->num_rows();
    }
    arrow::ArrayVector arrays;
    int other = 0;
    for (const std::unique_ptr<FlatColumn>& column : columns_) {
      if (!column) arrays.push_back(other_batch_->column(other++));
      if (!column) continue;
      ARROW_ASSIGN_OR_RAISE(auto array, column->read(rows));
      arrays.push_back(std::move(array));
    }
    other_batch_.reset();
    rows_left_ -= rows;
    *batch = arrow::RecordBatch::Make(schema_, rows, std::move(arrays));
    return arrow::Status::OK();
  }

  arrow::Status begin_group(int group) {
    const auto pages = file_->parquet_reader()->RowGroup(group);
    rows_left_ = pages->metadata()->num_rows();
    if (rows_left_ < 0) return arrow::Status::Invalid("a negative count");
    for (const auto& column : columns_) {
      if (column && rows_left_ > 0) column->begin_group(*pages);
    }
    if (other_leaves_.empty()) return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(others_, file_->GetRecordBatchReader({group}, other_leaves_));
    return arrow::Status::OK();
  }

  std::unique_ptr<FileReader> file_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::unique_ptr<FlatColumn>> columns_;  // nothing: one of the others
  std::vector<int> other_leaves_;
  std::shared_ptr<arrow::RecordBatchReader> others_;  // of the row group
  std::shared_ptr<arrow::RecordBatch> other_batch_;
  int group_ = 0;
  std::int64_t rows_left_ = 0;  // in the row group
};

}  // namespace

arrow::Result<OpenTable> open_parquet(const std::string& path, const std::vector<std::string>& wanted,
                                      bool threads) {
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::ReadableFile::Open(path));
  parquet::ArrowReaderProperties how(threads);
  how.set_batch_size(kBatchRows);
  parquet::arrow::FileReaderBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Open(file));
  std::unique_ptr<FileReader> reader;
  ARROW_RETURN_NOT_OK(builder.memory_pool(arrow::default_memory_pool())->properties(how)->Build(&reader));
  OpenTable table;
  ARROW_RETURN_NOT_OK(reader->GetSchema(&table.schema));
  const std::vector<int> places = find_columns(*table.schema, wanted);
  const auto is_leaf = [&](int place) {
    return reader->manifest().schema_fields[static_cast<std::size_t>(place)].is_leaf();
  };
  // A nested column is refused by its schema.
  if (places.size() != wanted.size() || !std::all_of(places.begin(), places.end(), is_leaf)) return table;
  table.rows = reader->parquet_reader()->metadata()->num_rows();
  table.reader = std::make_shared<ParquetBatches>(std::move(reader), places);
  return table;
}

}  // namespace postern::arrow_plugin
