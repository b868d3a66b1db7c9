#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <arrow/array.h>
#include <arrow/result.h>
#include <arrow/type.h>
#include <parquet/column_page.h>
#include <parquet/column_reader.h>
#include <parquet/file_reader.h>

#include "runs.hpp"

namespace postern::arrow_plugin {

/// A flat Parquet column whose pages hold indices of a dictionary, read as such: repeated values are never
/// written out, so that the reader of the stream looks at each of them once. Pages of plain values, which a
/// writer makes once its dictionary is full, join the dictionary of the batch they are in.
class IndexedColumn {
 public:
  /// What type the dictionary has, if a column can be read so in every row group; otherwise nothing.
  [[nodiscard]] static std::shared_ptr<arrow::DataType> value_type(const parquet::FileMetaData& file,
                                                                   int leaf, const arrow::DataType& type);

  IndexedColumn(int leaf, std::shared_ptr<arrow::DataType> value_type, bool may_be_null);
  [[nodiscard]] std::shared_ptr<arrow::DataType> type() const { return type_; }
  void begin_group(parquet::RowGroupReader& group);
  /// The next rows of the row group. Throws parquet::ParquetException for a damaged file.
  [[nodiscard]] arrow::Result<std::shared_ptr<arrow::Array>> read(std::int64_t rows);

 private:
  using Bytes = std::span<const std::uint8_t>;

  void next_page();
  [[nodiscard]] Bytes take_levels(const parquet::DataPage& page);
  /// The next rows of the current page; how many of them are not null.
  [[nodiscard]] std::int64_t read_page(std::int64_t rows, std::uint8_t* valid, std::int32_t* indices);
  void read_plain(std::int64_t count, std::int32_t* indices);
  [[nodiscard]] std::shared_ptr<arrow::Array> dictionary() const;

  int leaf_;
  std::shared_ptr<arrow::DataType> value_type_;
  std::shared_ptr<arrow::DataType> type_;
  bool may_be_null_;

  std::unique_ptr<parquet::PageReader> pages_;  // of the row group
  std::shared_ptr<arrow::Array> shared_;        // the dictionary of the row group
  std::vector<std::uint8_t> plain_;             // values of the batch that are not in it, as pages hold them
  std::int32_t plain_count_ = 0;
  std::vector<std::uint8_t> valid_;  // whether each row of the batch is there

  std::shared_ptr<parquet::Page> page_;
  std::int64_t page_left_ = 0;  // rows
  bool page_indexed_ = false;
  RunReader levels_;
  RunReader indices_;
  Bytes plain_left_;
};

}  // namespace postern::arrow_plugin
