#include "number_column.hpp"

#include <algorithm>
#include <cstring>

#include <parquet/exception.h>

#include "stored_values.hpp"

namespace postern::arrow_plugin {

NumberColumn::NumberColumn(int leaf, std::shared_ptr<arrow::DataType> type, bool may_be_null)
    : type_(std::move(type)), pages_(leaf, may_be_null) {}

void NumberColumn::begin_group(parquet::RowGroupReader& group) {
  pages_.begin_group(group);
  dictionary_.clear();
}

arrow::Result<std::shared_ptr<arrow::Array>> NumberColumn::read(std::int64_t rows) {
  return type_->byte_width() == sizeof(std::int32_t) ? read_numbers<std::int32_t>(rows)
                                                     : read_numbers<std::int64_t>(rows);
}

template <class Number>
void NumberColumn::look_up(std::int64_t count, Number* values) {
  indices_.resize(static_cast<std::size_t>(count));
  pages_.take_indices(indices_.data(), count);
  // A negative index is past every dictionary.
  std::uint32_t most = 0;
  for (const std::int32_t index : indices_) most = std::max(most, static_cast<std::uint32_t>(index));
  if (count > 0 && most >= dictionary_.size() / sizeof(Number))
    throw parquet::ParquetException("an index past its dictionary");
  for (std::size_t i = 0; i < indices_.size(); ++i)
    std::memcpy(values + i, dictionary_.data() + static_cast<std::size_t>(indices_[i]) * sizeof(Number),
                sizeof(Number));
}

template <class Number>
arrow::Result<std::shared_ptr<arrow::Array>> NumberColumn::read_numbers(std::int64_t rows) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer,
                        arrow::AllocateBuffer(rows * static_cast<std::int64_t>(sizeof(Number))));
  auto* const values = reinterpret_cast<Number*>(buffer->mutable_data());
  present_.begin(rows);
  std::int64_t found = 0;
  for (std::int64_t done = 0; done < rows;) {
    pages_.seek([&](Bytes bytes, std::int64_t count) {
      const Bytes taken = bytes.first(size_of_values(bytes, count, *type_));
      dictionary_.assign(taken.begin(), taken.end());
    });
    const std::int64_t now = std::min(rows - done, pages_.rows_left());
    const std::int64_t here = pages_.take_rows(now, present_);
    if (pages_.indexed()) {
      look_up(here, values + found);
    } else {
      const std::size_t size = size_of_values(pages_.plain(), here, *type_);
      std::memcpy(values + found, pages_.plain().data(), size);
      pages_.take_plain(size);
    }
    found += here;
    done += now;
  }
  ARROW_ASSIGN_OR_RAISE(auto validity, present_.spread(values, found));
  return arrow::MakeArray(
      arrow::ArrayData::Make(type_, rows, {std::move(validity), std::move(buffer)}, rows - found));
}

}  // namespace postern::arrow_plugin
