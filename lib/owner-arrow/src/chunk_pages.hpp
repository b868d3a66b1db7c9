#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <arrow/buffer.h>
#include <arrow/result.h>
#include <parquet/column_page.h>
#include <parquet/column_reader.h>
#include <parquet/file_reader.h>

#include "runs.hpp"

namespace postern::arrow_plugin {

using Bytes = std::span<const std::uint8_t>;

/// Which rows of a batch hold a value. Nothing is written down until a page with nulls turns up.
class PresentRows {
 public:
  void begin(std::int64_t rows) {
    rows_ = rows;
    known_ = 0;
    written_ = false;
  }
  /// The next rows are all there.
  void add_whole(std::int64_t rows);
  /// Where to write, for each of the next rows, 1 or 0.
  [[nodiscard]] std::uint8_t* add(std::int64_t rows);
  /// Moves values that stand side by side to the rows they belong to; the bitmap of rows, if one is absent.
  template <class Value>
  [[nodiscard]] arrow::Result<std::shared_ptr<arrow::Buffer>> spread(Value* values, std::int64_t found) const;

 private:
  std::int64_t rows_ = 0;
  std::int64_t known_ = 0;
  bool written_ = false;
  std::vector<std::uint8_t> present_;
};

/// The pages of one flat column, row group by row group. Throws parquet::ParquetException for a damaged file.
class ChunkPages {
 public:
  ChunkPages(int leaf, bool may_be_null) : leaf_(leaf), may_be_null_(may_be_null) {}
  void begin_group(parquet::RowGroupReader& group);

  /// Goes on to the next page, unless rows of this one are left; calls take(bytes, count) for a dictionary.
  template <class Take>
  void seek(Take take) {
    while (rows_left_ == 0) {
      const parquet::DictionaryPage* const dictionary = next_page();
      if (dictionary != nullptr)
        take(Bytes(dictionary->data(), static_cast<std::size_t>(dictionary->size())),
             dictionary->num_values());
    }
  }
  [[nodiscard]] std::int64_t rows_left() const { return rows_left_; }
  /// Passes over some rows of the page; how many of them hold a value, which must then be taken.
  [[nodiscard]] std::int64_t take_rows(std::int64_t rows, PresentRows& present);
  /// Whether the page holds indices of the dictionary, not values.
  [[nodiscard]] bool indexed() const { return indexed_; }
  void take_indices(std::int32_t* indices, std::int64_t count);
  /// Values of the page that have not been taken.
  [[nodiscard]] Bytes plain() const { return plain_; }
  /// @pre size <= plain().size()
  void take_plain(std::size_t size) { plain_ = plain_.subspan(size); }

 private:
  /// The page, if it is a dictionary.
  [[nodiscard]] const parquet::DictionaryPage* next_page();
  void begin_page(const parquet::DataPage& page);
  [[nodiscard]] Bytes take_levels(const parquet::DataPage& page);

  int leaf_;
  bool may_be_null_;
  std::unique_ptr<parquet::PageReader> pages_;
  std::shared_ptr<parquet::Page> page_;
  std::int64_t rows_left_ = 0;
  bool indexed_ = false;
  RunReader levels_;
  RunReader indices_;
  Bytes plain_;
};

}  // namespace postern::arrow_plugin
