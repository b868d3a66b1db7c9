#include "indexed_column.hpp"

#include <algorithm>
#include <numeric>

#include <arrow/array/concatenate.h>
#include <parquet/exception.h>

#include "stored_values.hpp"

namespace postern::arrow_plugin {

IndexedColumn::IndexedColumn(int leaf, std::shared_ptr<arrow::DataType> value_type, bool may_be_null)
    : value_type_(std::move(value_type)),
      type_(arrow::dictionary(arrow::int32(), value_type_)),
      pages_(leaf, may_be_null) {}

void IndexedColumn::begin_group(parquet::RowGroupReader& group) {
  pages_.begin_group(group);
  shared_ = read_values({}, 0, value_type_);
}

void IndexedColumn::read_plain(std::int64_t count, std::int32_t* indices) {
  const Bytes values = pages_.plain();
  const std::size_t size = size_of_values(values, count, *value_type_);
  plain_.insert(plain_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size));
  pages_.take_plain(size);
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
  present_.begin(rows);
  plain_.clear();
  plain_count_ = 0;
  std::int64_t found = 0;
  for (std::int64_t done = 0; done < rows;) {
    pages_.seek([&](Bytes bytes, std::int64_t count) { shared_ = read_values(bytes, count, value_type_); });
    const std::int64_t now = std::min(rows - done, pages_.rows_left());
    const std::int64_t here = pages_.take_rows(now, present_);
    if (pages_.indexed()) {
      pages_.take_indices(indices + found, here);
    } else {
      read_plain(here, indices + found);
    }
    found += here;
    done += now;
  }
  ARROW_ASSIGN_OR_RAISE(auto validity, present_.spread(indices, found));
  auto data = arrow::ArrayData::Make(type_, rows, {std::move(validity), std::move(buffer)}, rows - found);
  data->dictionary = dictionary()->data();
  return arrow::MakeArray(data);
}

}  // namespace postern::arrow_plugin
