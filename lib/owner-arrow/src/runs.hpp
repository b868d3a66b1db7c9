#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace postern::arrow_plugin {

static_assert(std::endian::native == std::endian::little);

/// Parquet's mixture of repeated and bit-packed numbers (RLE encoding), read in order. Never past its bytes.
class RunReader {
 public:
  RunReader() = default;
  /// @pre 0 <= width <= 32
  RunReader(std::span<const std::uint8_t> bytes, int width) : bytes_(bytes), width_(width) {}

  /// The next `count` numbers; false if there are fewer.
  template <class Number>
  [[nodiscard]] bool read(Number* out, std::int64_t count) {
    while (count > 0) {
      if (left_ == 0 && !begin_run()) return false;
      const std::int64_t now = std::min(count, left_);
      if (packed_) {
        unpack(out, now);
      } else {
        std::fill_n(out, now, static_cast<Number>(repeated_));
      }
      out += now;
      count -= now;
      left_ -= now;
    }
    return true;
  }

 private:
  [[nodiscard]] bool begin_run();
  /// One packed number that may lie near the end of the bytes.
  [[nodiscard]] std::uint32_t number_at(std::size_t bit) const;

  template <class Number>
  void unpack(Number* out, std::int64_t count) {
    const auto width = static_cast<std::size_t>(width_);
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    std::int64_t i = 0;
    for (; i < count && (bit_ % 8 != 0 || width > 8); ++i, bit_ += width)
      out[i] = static_cast<Number>(number_at(bit_));
    // From here on numbers begin at a byte, and eight of them fill `width` bytes.
    for (; i + 8 <= count && bit_ / 8 + sizeof(std::uint64_t) <= bytes_.size(); i += 8, bit_ += 8 * width) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes_.data() + bit_ / 8, sizeof word);
      for (std::size_t k = 0; k < 8; ++k)
        out[i + static_cast<std::int64_t>(k)] = static_cast<Number>(word >> (k * width) & mask);
    }
    for (; i < count; ++i, bit_ += width) out[i] = static_cast<Number>(number_at(bit_));
  }

  std::span<const std::uint8_t> bytes_;
  int width_ = 0;
  std::size_t next_ = 0;   // byte behind the current run
  std::int64_t left_ = 0;  // of the current run
  bool packed_ = false;
  std::uint32_t repeated_ = 0;
  std::size_t bit_ = 0;  // where the next packed number begins
};

}  // namespace postern::arrow_plugin
