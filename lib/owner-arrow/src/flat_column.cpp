#include "flat_column.hpp"

#include <algorithm>

#include <parquet/schema.h>

#include "indexed_column.hpp"
#include "number_column.hpp"
#include "stored_values.hpp"

namespace postern::arrow_plugin {
namespace {

using parquet::Encoding;

bool is_index(Encoding::type encoding) {
  return encoding == Encoding::RLE_DICTIONARY || encoding == Encoding::PLAIN_DICTIONARY;
}

/// What is known of a column in all row groups without reading a page.
struct Shape {
  bool readable = true;    // no pages but indices and plain values
  bool dictionary = true;  // in every row group
  bool indices = true;     // short ones, and no plain values as far as the file tells
};

/// Whether a column chunk holds few different values, as far as can be told: its pages are indices, of so few
/// bits that a dictionary is shorter than a batch.
bool is_repetitive(const parquet::ColumnChunkMetaData& chunk) {
  constexpr std::int64_t kMostBits = 12;
  const auto is_plain_page = [](const parquet::PageEncodingStats& pages) {
    return pages.page_type != parquet::PageType::DICTIONARY_PAGE && !is_index(pages.encoding);
  };
  if (std::any_of(chunk.encoding_stats().begin(), chunk.encoding_stats().end(), is_plain_page)) return false;
  constexpr std::int64_t kSmall = 1 << 16;  // whatever a small chunk is, it costs little
  const std::int64_t bytes = chunk.total_uncompressed_size();
  return bytes < kSmall || bytes / kMostBits <= chunk.num_values() / 8;
}

void add(Shape& shape, const parquet::ColumnChunkMetaData& chunk) {
  const auto known = [](Encoding::type encoding) {
    return is_index(encoding) || encoding == Encoding::PLAIN || encoding == Encoding::RLE;
  };
  if (!std::all_of(chunk.encodings().begin(), chunk.encodings().end(), known)) shape.readable = false;
  if (!chunk.has_dictionary_page()) shape.dictionary = false;
  if (!shape.dictionary || !is_repetitive(chunk)) shape.indices = false;
}

}  // namespace

std::unique_ptr<FlatColumn> make_flat_column(const parquet::FileMetaData& file, int leaf,
                                             const arrow::DataType& type) {
  const parquet::ColumnDescriptor* const column = file.schema()->Column(leaf);
  const bool flat = column->max_repetition_level() == 0 && column->max_definition_level() <= 1;
  const auto values = stored_type(column->physical_type(), type);
  if (!flat || !values || file.num_row_groups() == 0) return nullptr;
  Shape shape;
  for (int group = 0; group < file.num_row_groups(); ++group)
    add(shape, *file.RowGroup(group)->ColumnChunk(leaf));
  if (!shape.readable) return nullptr;
  const bool may_be_null = column->max_definition_level() > 0;
  const bool numbers = column->physical_type() != parquet::Type::BYTE_ARRAY;
  if (numbers && !shape.indices) return std::make_unique<NumberColumn>(leaf, values, may_be_null);
  return shape.dictionary ? std::make_unique<IndexedColumn>(leaf, values, may_be_null) : nullptr;
}

}  // namespace postern::arrow_plugin
