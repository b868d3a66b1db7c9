#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "postern/owner/arrow_stream.hpp"

namespace postern::owner {

/// One array made by hand. Each buffer is a heap block of exactly its size, so that a sanitizer sees any read
/// past its end.
struct HandArray {
  std::string format;
  std::string name;
  std::optional<std::string> extension;  ///< its extension type
  std::int64_t length = 0;
  std::int64_t null_count = -1;
  std::int64_t offset = 0;
  std::vector<std::optional<std::vector<char>>> buffers;  ///< nothing: a null pointer
  std::vector<HandArray> children;
  std::shared_ptr<HandArray> dictionary;
};

template <class T>
std::vector<char> bytes_of(const std::vector<T>& values) {
  std::vector<char> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline std::vector<char> bits_of(const std::vector<bool>& values) {
  std::vector<char> bytes((values.size() + 7) / 8);
  for (std::size_t i = 0; i < values.size(); ++i)
    bytes[i / 8] = static_cast<char>(bytes[i / 8] | (values[i] ? 1 << (i % 8) : 0));
  return bytes;
}

/// Metadata as the interface has them: one key and its value, each behind its length.
inline std::vector<char> extension_metadata(const std::string& extension) {
  const std::string key = "ARROW:extension:name";
  std::vector<char> bytes = bytes_of<std::int32_t>({1, static_cast<std::int32_t>(key.size())});
  bytes.insert(bytes.end(), key.begin(), key.end());
  const std::vector<char> size = bytes_of<std::int32_t>({static_cast<std::int32_t>(extension.size())});
  bytes.insert(bytes.end(), size.begin(), size.end());
  bytes.insert(bytes.end(), extension.begin(), extension.end());
  return bytes;
}

/// What an exported struct keeps alive.
struct Exported {
  HandArray array;
  std::vector<char> metadata;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> arrays;
  std::vector<ArrowArray*> array_pointers;
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowSchema*> schema_pointers;
  ArrowArray dictionary{};
  ArrowSchema dictionary_schema{};
  int* released = nullptr;
};

void export_array(const HandArray& array, ArrowArray* out, int* released = nullptr);
void export_schema(const HandArray& array, ArrowSchema* out);

inline void release_array(ArrowArray* array) {
  auto* held = static_cast<Exported*>(array->private_data);
  for (ArrowArray& child : held->arrays) child.release(&child);
  if (held->dictionary.release != nullptr) held->dictionary.release(&held->dictionary);
  if (held->released != nullptr) ++*held->released;
  array->release = nullptr;
  delete held;
}

inline void export_array(const HandArray& array, ArrowArray* out, int* released) {
  auto* held = new Exported;
  held->array = array;
  held->released = released;
  for (const auto& buffer : held->array.buffers) held->buffers.push_back(buffer ? buffer->data() : nullptr);
  held->arrays.resize(array.children.size());
  for (std::size_t i = 0; i < array.children.size(); ++i) {
    export_array(held->array.children[i], &held->arrays[i]);
    held->array_pointers.push_back(&held->arrays[i]);
  }
  if (array.dictionary) export_array(*array.dictionary, &held->dictionary);
  *out = {array.length,
          array.null_count,
          array.offset,
          static_cast<std::int64_t>(held->buffers.size()),
          static_cast<std::int64_t>(held->arrays.size()),
          held->buffers.data(),
          held->array_pointers.data(),
          array.dictionary ? &held->dictionary : nullptr,
          release_array,
          held};
}

inline void release_schema(ArrowSchema* schema) {
  auto* held = static_cast<Exported*>(schema->private_data);
  for (ArrowSchema& child : held->schemas) child.release(&child);
  if (held->dictionary_schema.release != nullptr) held->dictionary_schema.release(&held->dictionary_schema);
  schema->release = nullptr;
  delete held;
}

inline void export_schema(const HandArray& array, ArrowSchema* out) {
  auto* held = new Exported;
  held->array = array;
  held->schemas.resize(array.children.size());
  for (std::size_t i = 0; i < array.children.size(); ++i) {
    export_schema(held->array.children[i], &held->schemas[i]);
    held->schema_pointers.push_back(&held->schemas[i]);
  }
  if (array.dictionary) export_schema(*array.dictionary, &held->dictionary_schema);
  if (array.extension) held->metadata = extension_metadata(*array.extension);
  *out = {held->array.format.c_str(),
          held->array.name.c_str(),
          array.extension ? held->metadata.data() : nullptr,
          2,
          static_cast<std::int64_t>(held->schemas.size()),
          held->schema_pointers.data(),
          array.dictionary ? &held->dictionary_schema : nullptr,
          release_schema,
          held};
}

/// A stream of batches made by hand.
struct HandStream {
  std::deque<HandArray> batches;
  HandArray schema;
  bool fails_at_end = false;
  int batches_released = 0;
  int released = 0;

  [[nodiscard]] ArrowArrayStream open() {
    ArrowArrayStream stream{};
    stream.private_data = this;
    stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      export_schema(static_cast<HandStream*>(self->private_data)->schema, out);
      return 0;
    };
    stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      auto& hand = *static_cast<HandStream*>(self->private_data);
      out->release = nullptr;
      if (hand.batches.empty()) return hand.fails_at_end ? 5 : 0;
      export_array(hand.batches.front(), out, &hand.batches_released);
      hand.batches.pop_front();
      return 0;
    };
    stream.get_last_error = [](ArrowArrayStream*) -> const char* { return "canary-7391"; };
    stream.release = [](ArrowArrayStream* self) {
      ++static_cast<HandStream*>(self->private_data)->released;
      self->release = nullptr;
    };
    return stream;
  }
};

/// A batch (or schema) of some columns.
inline HandArray batch_of(std::vector<HandArray> columns, std::int64_t length, std::int64_t offset = 0) {
  HandArray batch;
  batch.format = "+s";
  batch.length = length;
  batch.offset = offset;
  batch.null_count = 0;
  batch.buffers.resize(1);
  batch.children = std::move(columns);
  return batch;
}

}  // namespace postern::owner
