#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/int128.hpp"

#include "arrow_support.hpp"

namespace postern::owner {

/// Texts; nothing is a null.
using Texts = std::vector<std::optional<std::string>>;

/// The rows [from, from + count) of some values as one array, with rubbish in front, behind and under nulls.
class ArrayMaker {
 public:
  explicit ArrayMaker(std::mt19937_64& random) : random_(random) {}

  template <class T>
  [[nodiscard]] HandArray numbers(const std::string& format, const std::vector<std::optional<T>>& values) {
    std::vector<T> padded;
    HandArray array = frame(format, values, [&](const std::optional<T>& value) {
      T rubbish;
      for (std::size_t i = 0; i < sizeof(T); ++i) reinterpret_cast<char*>(&rubbish)[i] = byte();
      padded.push_back(value.value_or(rubbish));
    });
    array.buffers.emplace_back(bytes_of(padded));
    return array;
  }

  [[nodiscard]] HandArray booleans(const std::vector<std::optional<bool>>& values) {
    std::vector<bool> padded;
    HandArray array = frame("b", values, [&](std::optional<bool> value) {
      padded.push_back(value.value_or(random_() % 2 == 0));
    });
    array.buffers.emplace_back(bits_of(padded));
    return array;
  }

  template <class Offset>
  [[nodiscard]] HandArray texts(const std::string& format, const Texts& values) {
    std::vector<Offset> offsets = {static_cast<Offset>(random_() % 3)};
    std::string text(static_cast<std::size_t>(offsets[0]), '#');
    HandArray array = frame(format, values, [&](const std::optional<std::string>& value) {
      text += value ? *value : std::string(random_() % 4, '?');
      offsets.push_back(static_cast<Offset>(text.size()));
    });
    array.buffers.emplace_back(bytes_of(offsets));
    array.buffers.emplace_back(std::vector<char>(text.begin(), text.end()));
    return array;
  }

  [[nodiscard]] HandArray views(const std::string& format, const Texts& values) {
    std::vector<std::string> parts = {"", "##"};
    std::string memory;
    HandArray array = frame(format, values, [&](const std::optional<std::string>& value) {
      char view[16];
      for (char& c : view) c = value ? '\0' : byte();
      if (value) {
        const auto size = static_cast<std::uint32_t>(value->size());
        std::memcpy(view, &size, 4);
        if (size <= 12) {
          std::memcpy(view + 4, value->data(), size);
        } else {
          const auto part = static_cast<std::uint32_t>(random_() % 2);
          const auto begin = static_cast<std::uint32_t>(parts[part].size());
          parts[part] += *value;
          std::memcpy(view + 4, value->data(), 4);
          std::memcpy(view + 8, &part, 4);
          std::memcpy(view + 12, &begin, 4);
        }
      }
      memory.append(view, sizeof view);
    });
    array.buffers.emplace_back(std::vector<char>(memory.begin(), memory.end()));
    std::vector<std::int64_t> sizes;
    for (const std::string& part : parts) {
      array.buffers.emplace_back(std::vector<char>(part.begin(), part.end()));
      sizes.push_back(static_cast<std::int64_t>(part.size()));
    }
    array.buffers.emplace_back(bytes_of(sizes));
    return array;
  }

 private:
  [[nodiscard]] char byte() { return static_cast<char>(random_()); }

  /// Adds every value, and rubbish around them; the array's validity and extent.
  template <class Value, class Add>
  [[nodiscard]] HandArray frame(const std::string& format, const std::vector<std::optional<Value>>& values,
                                Add add) {
    HandArray array;
    array.format = format;
    array.offset = static_cast<std::int64_t>(random_() % 11);
    array.length = static_cast<std::int64_t>(values.size());
    std::vector<bool> valid;
    bool nulls = false;
    const auto add_rubbish = [&](std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        add(std::nullopt);
        valid.push_back(random_() % 2 == 0);
      }
    };
    add_rubbish(static_cast<std::size_t>(array.offset));
    for (const auto& value : values) {
      add(value);
      valid.push_back(value.has_value());
      nulls = nulls || !value;
    }
    add_rubbish(random_() % 3);
    array.buffers.emplace_back();
    if (nulls || random_() % 2 == 0) array.buffers[0] = bits_of(valid);
    array.null_count = nulls ? -1 : (random_() % 2 == 0 ? 0 : -1);
    return array;
  }

  std::mt19937_64& random_;
};

}  // namespace postern::owner
