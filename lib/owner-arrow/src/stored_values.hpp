#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <arrow/array.h>
#include <arrow/type.h>
#include <parquet/types.h>

namespace postern::arrow_plugin {

/// The type of a column's values as Parquet stores them, if we read them ourselves: small integers are stored
/// in 32 bits, texts with their lengths. Otherwise nothing.
[[nodiscard]] std::shared_ptr<arrow::DataType> stored_type(parquet::Type::type stored,
                                                           const arrow::DataType& type);

/// How many bytes the first `count` values take. Throws parquet::ParquetException if there are fewer.
[[nodiscard]] std::size_t size_of_values(std::span<const std::uint8_t> bytes, std::int64_t count,
                                         const arrow::DataType& type);

/// `count` values in plain encoding as an array. Throws parquet::ParquetException if there are fewer.
[[nodiscard]] std::shared_ptr<arrow::Array> read_values(std::span<const std::uint8_t> bytes,
                                                        std::int64_t count,
                                                        const std::shared_ptr<arrow::DataType>& type);

}  // namespace postern::arrow_plugin
