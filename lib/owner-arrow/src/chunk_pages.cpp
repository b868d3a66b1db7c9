#include "chunk_pages.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <parquet/exception.h>

namespace postern::arrow_plugin {

using parquet::Encoding;
using parquet::PageType;
using parquet::ParquetException;

void PresentRows::add_whole(std::int64_t rows) {
  if (written_) std::fill_n(present_.begin() + known_, rows, std::uint8_t{1});
  known_ += rows;
}

std::uint8_t* PresentRows::add(std::int64_t rows) {
  if (!written_) {
    present_.resize(static_cast<std::size_t>(rows_));
    std::fill_n(present_.begin(), known_, std::uint8_t{1});
    written_ = true;
  }
  known_ += rows;
  return present_.data() + (known_ - rows);
}

template <class Value>
arrow::Result<std::shared_ptr<arrow::Buffer>> PresentRows::spread(Value* values, std::int64_t found) const {
  if (found == rows_) return nullptr;
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bitmap, arrow::AllocateEmptyBitmap(rows_));
  std::uint8_t* const bits = bitmap->mutable_data();
  for (std::int64_t row = rows_; row-- > 0;) {
    const std::uint8_t here = present_[static_cast<std::size_t>(row)];
    values[row] = here != 0 ? values[--found] : Value{};
    bits[row / 8] = static_cast<std::uint8_t>(bits[row / 8] | static_cast<unsigned>(here) << (row % 8));
  }
  return bitmap;
}
template arrow::Result<std::shared_ptr<arrow::Buffer>> PresentRows::spread(std::int32_t*, std::int64_t) const;
template arrow::Result<std::shared_ptr<arrow::Buffer>> PresentRows::spread(std::int64_t*, std::int64_t) const;

void ChunkPages::begin_group(parquet::RowGroupReader& group) {
  pages_ = group.GetColumnPageReader(leaf_);
  rows_left_ = 0;
}

const parquet::DictionaryPage* ChunkPages::next_page() {
  page_ = pages_->NextPage();
  if (!page_) throw ParquetException("cut short");
  switch (page_->type()) {
    case PageType::DICTIONARY_PAGE:
      return static_cast<const parquet::DictionaryPage*>(page_.get());
    case PageType::DATA_PAGE:
    case PageType::DATA_PAGE_V2:
      begin_page(static_cast<const parquet::DataPage&>(*page_));
      return nullptr;
    default:
      return nullptr;
  }
}

void ChunkPages::begin_page(const parquet::DataPage& page) {
  plain_ = take_levels(page);
  rows_left_ = std::max(0, page.num_values());
  const Encoding::type encoding = page.encoding();
  indexed_ = encoding == Encoding::RLE_DICTIONARY || encoding == Encoding::PLAIN_DICTIONARY;
  if (!indexed_ && encoding != Encoding::PLAIN) throw ParquetException("an unknown encoding");
  if (!indexed_) return;
  // A page of nothing but nulls need not say how wide its indices are.
  const int width = plain_.empty() ? 0 : plain_[0];
  if (width > 32) throw ParquetException("indices too wide");
  indices_ = RunReader(plain_.empty() ? plain_ : plain_.subspan(1), width);
}

/// Sets the levels of a page; what is left of it are the values.
Bytes ChunkPages::take_levels(const parquet::DataPage& page) {
  const Bytes bytes(page.data(), static_cast<std::size_t>(page.size()));
  std::size_t begin = 0;
  std::size_t size = 0;
  if (page.type() == PageType::DATA_PAGE_V2) {
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

std::int64_t ChunkPages::take_rows(std::int64_t rows, PresentRows& present) {
  rows_left_ -= rows;
  if (!may_be_null_ || levels_.skip_repeated(1, rows)) {
    present.add_whole(rows);
    return rows;
  }
  std::uint8_t* const levels = present.add(rows);
  if (!levels_.read(levels, rows)) throw ParquetException("cut short");
  return std::accumulate(levels, levels + rows, std::int64_t{0});
}

void ChunkPages::take_indices(std::int32_t* indices, std::int64_t count) {
  if (!indices_.read(indices, count)) throw ParquetException("cut short");
}

}  // namespace postern::arrow_plugin
