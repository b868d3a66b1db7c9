#include "stored_values.hpp"

#include <cstring>
#include <string>

#include <arrow/array/builder_binary.h>
#include <arrow/buffer.h>
#include <parquet/exception.h>

namespace postern::arrow_plugin {
namespace {

bool is_text(const arrow::DataType& type) { return type.id() == arrow::Type::LARGE_BINARY; }

/// Takes one text off the front.
std::span<const std::uint8_t> take_text(std::span<const std::uint8_t>& bytes) {
  std::uint32_t size = 0;
  if (bytes.size() < sizeof size) throw parquet::ParquetException("cut short");
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes = bytes.subspan(sizeof size);
  if (bytes.size() < size) throw parquet::ParquetException("cut short");
  const auto text = bytes.first(size);
  bytes = bytes.subspan(size);
  return text;
}

std::shared_ptr<arrow::Array> read_texts(std::span<const std::uint8_t> bytes, std::int64_t count) {
  arrow::LargeBinaryBuilder builder;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto text = take_text(bytes);
    PARQUET_THROW_NOT_OK(builder.Append(text.data(), static_cast<std::int64_t>(text.size())));
  }
  std::shared_ptr<arrow::Array> array;
  PARQUET_THROW_NOT_OK(builder.Finish(&array));
  return array;
}

}  // namespace

std::shared_ptr<arrow::DataType> stored_type(parquet::Type::type stored, const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::INT8:
    case arrow::Type::INT16:
    case arrow::Type::INT32:
    case arrow::Type::UINT8:
    case arrow::Type::UINT16:
      return stored == parquet::Type::INT32 ? arrow::int32() : nullptr;
    case arrow::Type::UINT32:
      return stored == parquet::Type::INT32 ? arrow::uint32() : nullptr;
    case arrow::Type::INT64:
      return stored == parquet::Type::INT64 ? arrow::int64() : nullptr;
    case arrow::Type::UINT64:
      return stored == parquet::Type::INT64 ? arrow::uint64() : nullptr;
    case arrow::Type::FLOAT:
      return stored == parquet::Type::FLOAT ? arrow::float32() : nullptr;
    case arrow::Type::DOUBLE:
      return stored == parquet::Type::DOUBLE ? arrow::float64() : nullptr;
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::BINARY:
    case arrow::Type::LARGE_BINARY:
      return stored == parquet::Type::BYTE_ARRAY ? arrow::large_binary() : nullptr;
    default:
      return nullptr;
  }
}

std::size_t size_of_values(std::span<const std::uint8_t> bytes, std::int64_t count,
                           const arrow::DataType& type) {
  if (is_text(type)) {
    auto rest = bytes;
    for (std::int64_t i = 0; i < count; ++i) (void)take_text(rest);
    return bytes.size() - rest.size();
  }
  const auto width = static_cast<std::size_t>(type.byte_width());
  if (count < 0 || static_cast<std::size_t>(count) > bytes.size() / width)
    throw parquet::ParquetException("cut short");
  return static_cast<std::size_t>(count) * width;
}

std::shared_ptr<arrow::Array> read_values(std::span<const std::uint8_t> bytes, std::int64_t count,
                                          const std::shared_ptr<arrow::DataType>& type) {
  if (count < 0) throw parquet::ParquetException("a negative count");
  if (is_text(*type)) return read_texts(bytes, count);
  const std::size_t size = size_of_values(bytes, count, *type);
  auto values = arrow::Buffer::FromString(std::string(reinterpret_cast<const char*>(bytes.data()), size));
  return arrow::MakeArray(arrow::ArrayData::Make(type, count, {nullptr, std::move(values)}, 0));
}

}  // namespace postern::arrow_plugin
