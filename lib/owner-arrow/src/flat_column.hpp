#pragma once

#include <cstdint>
#include <memory>

#include <arrow/array.h>
#include <arrow/result.h>
#include <arrow/type.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

namespace postern::arrow_plugin {

/// A column of a Parquet file that we decode ourselves.
class FlatColumn {
 public:
  FlatColumn() = default;
  FlatColumn(const FlatColumn&) = delete;
  FlatColumn& operator=(const FlatColumn&) = delete;
  virtual ~FlatColumn() = default;

  [[nodiscard]] virtual std::shared_ptr<arrow::DataType> type() const = 0;
  virtual void begin_group(parquet::RowGroupReader& group) = 0;
  /// The next rows of the row group. Throws parquet::ParquetException for a damaged file.
  [[nodiscard]] virtual arrow::Result<std::shared_ptr<arrow::Array>> read(std::int64_t rows) = 0;
};

/// The reader of a column, by what the file says of its type and encodings in every row group; nothing if
/// Arrow has to read it.
[[nodiscard]] std::unique_ptr<FlatColumn> make_flat_column(const parquet::FileMetaData& file, int leaf,
                                                           const arrow::DataType& type);

}  // namespace postern::arrow_plugin
