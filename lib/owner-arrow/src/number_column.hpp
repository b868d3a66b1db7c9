#pragma once

#include <vector>

#include "chunk_pages.hpp"
#include "flat_column.hpp"

namespace postern::arrow_plugin {

/// A column of numbers of 32 or 64 bits, read as values: pages of plain values are copied as they are, and
/// those of indices, which a writer makes until its dictionary is full, are looked up.
class NumberColumn : public FlatColumn {
 public:
  NumberColumn(int leaf, std::shared_ptr<arrow::DataType> type, bool may_be_null);
  [[nodiscard]] std::shared_ptr<arrow::DataType> type() const override { return type_; }
  void begin_group(parquet::RowGroupReader& group) override;
  [[nodiscard]] arrow::Result<std::shared_ptr<arrow::Array>> read(std::int64_t rows) override;

 private:
  template <class Number>
  [[nodiscard]] arrow::Result<std::shared_ptr<arrow::Array>> read_numbers(std::int64_t rows);
  template <class Number>
  void look_up(std::int64_t count, Number* values);

  std::shared_ptr<arrow::DataType> type_;
  ChunkPages pages_;
  PresentRows present_;
  std::vector<std::uint8_t> dictionary_;  // of the row group
  std::vector<std::int32_t> indices_;
};

}  // namespace postern::arrow_plugin
