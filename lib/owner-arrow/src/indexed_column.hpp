#pragma once

#include <vector>

#include "chunk_pages.hpp"
#include "flat_column.hpp"

namespace postern::arrow_plugin {

/// A column whose pages hold indices of a dictionary, read as such: repeated values are never written out, so
/// that the reader of the stream looks at each of them once. Pages of plain values, which a writer makes once
/// its dictionary is full, join the dictionary of the batch they are in.
class IndexedColumn : public FlatColumn {
 public:
  IndexedColumn(int leaf, std::shared_ptr<arrow::DataType> value_type, bool may_be_null);
  [[nodiscard]] std::shared_ptr<arrow::DataType> type() const override { return type_; }
  void begin_group(parquet::RowGroupReader& group) override;
  [[nodiscard]] arrow::Result<std::shared_ptr<arrow::Array>> read(std::int64_t rows) override;

 private:
  void read_plain(std::int64_t count, std::int32_t* indices);
  [[nodiscard]] std::shared_ptr<arrow::Array> dictionary() const;

  std::shared_ptr<arrow::DataType> value_type_;
  std::shared_ptr<arrow::DataType> type_;
  ChunkPages pages_;
  std::shared_ptr<arrow::Array> shared_;  // the dictionary of the row group
  PresentRows present_;
  std::vector<std::uint8_t> plain_;  // values of the batch that are not in it, as pages hold them
  std::int32_t plain_count_ = 0;
};

}  // namespace postern::arrow_plugin
