#include "indexed_column.hpp"

#include <algorithm>
#include <numeric>

#include <arrow/array/concatenate.h>
#include <arrow/buffer.h>
#include <parquet/exception.h>
#include <parquet/metadata.h>
#include <parquet/schema.h>

#include "stored_values.hpp"

namespace postern::arrow_plugin {
namespace {

using parquet::Encoding;
using parquet::ParquetException;

bool is_index(Encoding::type encoding) {
  return encoding == Encoding::RLE_DICTIONARY || encoding == Encoding::PLAIN_DICTIONARY;
}

/// Whether a column chunk has a dictionary, and no pages but indices and plain values.
bool is_indexed(const parquet::ColumnChunkMetaData& chunk) {
  const auto known = [](Encoding::type encoding) {
    return is_index(encoding) || encoding == Encoding::PLAIN || encoding == Encoding::RLE;
  };
  return chunk.has_dictionary_page() &&
         std::all_of(chunk.encodings().begin(), chunk.encodings().end(), known);
}

/// Moves indices that stand side by side to the rows they belong to, and notes which rows are there.
void spread(std::int32_t* indices, std::int64_t found, const std::vector<std::uint8_t>& valid,
            std::uint8_t* bitmap) {
  for (std::size_t row = valid.size(); row-- > 0;) {
    indices[row] = valid[row] != 0 ? indices[--found] : 0;
    bitmap[row / 8] = static_cast<std::uint8_t>(bitmap[row / 8] | (valid[row] != 0 ? 1u : 0u) << (row % 8));
  }
}

}  // namespace

std::shared_ptr<arrow::DataType> IndexedColumn::value_type(const parquet::FileMetaData& file, int leaf,
                                                           const arrow::DataType& type) {
  const parquet::ColumnDescriptor* const column = file.schema()->Column(leaf);
  if (column->max_repetition_level() != 0 || column->max_definition_level() > 1) return nullptr;
  for (int group = 0; group < file.num_row_groups(); ++group) {
    if (!is_indexed(*file.RowGroup(group)->ColumnChunk(leaf))) return nullptr;
  }
  return file.num_row_groups() == 0 ? nullptr : stored_type(column->physical_type(), type);
}

IndexedColumn::IndexedColumn(int leaf, std::shared_ptr<arrow::DataType> value_type, bool may_be_null)
    : leaf_(leaf),
      value_type_(std::move(value_type)),
      type_(arrow::dictionary(arrow::int32(), value_type_)),
      may_be_null_(may_be_null) {}

void IndexedColumn::begin_group(parquet::RowGroupReader& group) {
  pages_ = group.GetColumnPageReader(leaf_);
  shared_ = read_values({}, 0, value_type_);
  page_left_ = 0;
}

void IndexedColumn::next_page() {
  page_ = pages_->NextPage();
  if (!page_) throw ParquetException("cut short");
  const Bytes bytes(page_->data(), static_cast<std::size_t>(page_->size()));
  if (page_->type() == parquet::PageType::DICTIONARY_PAGE) {
    const auto& dictionary = static_cast<const parquet::DictionaryPage&>(*page_);
    shared_ = read_values(bytes, dictionary.num_values(), value_type_);
    return;
  }
  const auto& data = static_cast<const parquet::DataPage&>(*page_);
  const bool known =
      page_->type() == parquet::PageType::DATA_PAGE || page_->type() == parquet::PageType::DATA_PAGE_V2;
  if (!known) return;
  Bytes values = take_levels(data);
  page_left_ = std::max(0, data.num_values());
  page_indexed_ = is_index(data.encoding());
  if (!page_indexed_ && data.encoding() != Encoding::PLAIN) throw ParquetException("an unknown encoding");
  plain_left_ = values;
  if (!page_indexed_) return;
  // A page of nothing but nulls need not say how wide its indices are.
  const int width = values.empty() ? 0 : values[0];
  if (width > 32) throw ParquetException("indices too wide");
  indices_ = RunReader(values.empty() ? values : values.subspan(1), width);
}

/// Sets the levels of a page; what is left of it are the values.
IndexedColumn::Bytes IndexedColumn::take_levels(const parquet::DataPage& page) {
  const Bytes bytes(page.data(), static_cast<std::size_t>(page.size()));
  std::size_t begin = 0;
  std::size_t size = 0;
  if (page.type() == parquet::PageType::DATA_PAGE_V2) {
    const auto& second = static_cast<const parquet::DataPageV2&>(page);
    begin = static_cast<std::size_t>(std::max(0, second.repetition_levels_byte_length()));
    size = static_cast<std::size_t>(std::max(0, second.definition_levels_byte_length()));
  } else if (may_be_null_) {
    std::uint32_t length = 0;
    if (bytes.size() < sizeof length) throw ParquetException("cut short");
    std::memcpy(&length, bytes.data(), sizeof length);
    begin = sizeof length;
    size = length;
    if (static_cast<const parquet::DataPageV1&>(page).definition_level_encoding() != Encoding::RLE)
      throw ParquetException("an unknown encoding");
  }
  if (begin > bytes.size() || size > bytes.size() - begin) throw ParquetException("cut short");
  levels_ = RunReader(bytes.subspan(begin, size), 1);
  return bytes.subspan(begin + size);
}

std::int64_t IndexedColumn::read_page(std::int64_t rows, std::uint8_t* valid, std::int32_t* indices) {
  std::int64_t found = rows;
  if (may_be_null_) {
    if (!levels_.read(valid, rows)) throw ParquetException("cut short");
    found = std::accumulate(valid, valid + rows, std::int64_t{0});
  }
  if (!page_indexed_) {
    read_plain(found, indices);
  } else if (!indices_.read(indices, found)) {
    throw ParquetException("cut short");
  }
  return found;
}

void IndexedColumn::read_plain(std::int64_t count, std::int32_t* indices) {
  const std::size_t size = size_of_values(plain_left_, count, *value_type_);
  plain_.insert(plain_.end(), plain_left_.begin(), plain_left_.begin() + static_cast<std::ptrdiff_t>(size));
  plain_left_ = plain_left_.subspan(size);
  std::iota(indices, indices + count, static_cast<std::int32_t>(shared_->length()) + plain_count_);
  plain_count_ += static_cast<std::int32_t>(count);
}

std::shared_ptr<arrow::Array> IndexedColumn::dictionary() const {
  if (plain_count_ == 0) return shared_;
  const auto more = read_values(plain_, plain_count_, value_type_);
  auto joined = arrow::Concatenate({shared_, more});
  PARQUET_THROW_NOT_OK(joined.status());
  return *joined;
}

arrow::Result<std::shared_ptr<arrow::Array>> IndexedColumn::read(std::int64_t rows) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                        arrow::AllocateBuffer(rows * static_cast<std::int64_t>(sizeof(std::int32_t))));
  auto* const indices = reinterpret_cast<std::int32_t*>(buffer->mutable_data());
  valid_.resize(static_cast<std::size_t>(rows));
  plain_.clear();
  plain_count_ = 0;
  std::int64_t found = 0;
  for (std::int64_t done = 0; done < rows;) {
    while (page_left_ == 0) next_page();
    const std::int64_t now = std::min(rows - done, page_left_);
    found += read_page(now, valid_.data() + done, indices + found);
    done += now;
    page_left_ -= now;
  }
  std::shared_ptr<arrow::Buffer> validity;
  if (found < rows) {
    ARROW_ASSIGN_OR_RAISE(validity, arrow::AllocateEmptyBitmap(rows));
    spread(indices, found, valid_, validity->mutable_data());
  }
  auto data = arrow::ArrayData::Make(type_, rows, {validity, buffer}, rows - found);
  data->dictionary = dictionary()->data();
  return arrow::MakeArray(data);
}

}  // namespace postern::arrow_plugin
