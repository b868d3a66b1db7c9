#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace postern::arrow_plugin {

static_assert(std::endian::native == std::endian::little);

/// Writes groups of eight numbers of `width` bits, up to eight, a byte each. Reads the last group as a word
/// of eight bytes.
void spread_groups(unsigned width, const std::uint8_t* in, std::size_t groups, std::uint8_t* out);

/// Parquet's mixture of repeated and bit-packed numbers (RLE encoding), read in order. Never past its bytes.
class RunReader {
 public:
  RunReader() = default;
  /// @pre 0 <= width <= 32
  RunReader(std::span<const std::uint8_t> bytes, int width)
      : bytes_(bytes), width_(static_cast<unsigned>(width)) {}

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

  /// Passes over the next `count` numbers if they are `number` repeated; otherwise they are still to be read.
  [[nodiscard]] bool skip_repeated(std::uint32_t number, std::int64_t count) {
    if (left_ == 0 && !begin_run()) return false;
    if (packed_ || repeated_ != number || left_ < count) return false;
    left_ -= count;
    return true;
  }

 private:
  /// False, and no numbers any more, if the bytes hold no further run.
  [[nodiscard]] bool begin_run();
  [[nodiscard]] bool parse_run();
  static constexpr std::size_t kGroup = 8;
  /// One packed number that may lie near the end of the bytes.
  [[nodiscard]] std::uint32_t number_at(std::size_t bit) const;
  [[nodiscard]] std::uint64_t word_at(std::size_t byte) const {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes_.data() + byte, sizeof word);
    return word;
  }

  template <class Number>
  void unpack(Number* out, std::int64_t count) {
    std::int64_t i = 0;
    for (; i < count && bit_ % 8 != 0; ++i, bit_ += width_) out[i] = static_cast<Number>(number_at(bit_));
    // From here on numbers begin at a byte, and eight of them fill `width` bytes.
    if (width_ <= 8) i += unpack_bytes(out + i, count - i);
    if (width_ > 8 && width_ <= 16) i += unpack_halves(out + i, count - i);
    for (; i < count; ++i, bit_ += width_) out[i] = static_cast<Number>(number_at(bit_));
  }

  /// Eight numbers of up to eight bits at a time. How many were read.
  template <class Number>
  std::int64_t unpack_bytes(Number* out, std::int64_t count) {
    std::array<std::uint8_t, 512> bytes;
    std::int64_t done = 0;
    for (;;) {
      const std::size_t at = bit_ / 8;
      const std::size_t wanted = std::min(bytes.size() / 8, static_cast<std::size_t>(count - done) / kGroup);
      const std::size_t groups = std::min(wanted, whole_groups(at));
      if (groups == 0) return done;
      spread_groups(width_, bytes_.data() + at, groups, bytes.data());
      std::copy_n(bytes.data(), groups * kGroup, out + done);
      done += static_cast<std::int64_t>(groups * kGroup);
      bit_ += groups * kGroup * width_;
    }
  }
  /// How many groups of eight numbers can be read as words that end inside the bytes.
  [[nodiscard]] std::size_t whole_groups(std::size_t byte) const {
    if (byte + sizeof(std::uint64_t) > bytes_.size()) return 0;
    return width_ == 0 ? SIZE_MAX : (bytes_.size() - byte - sizeof(std::uint64_t)) / width_ + 1;
  }

  /// Eight numbers of nine to sixteen bits at a time, four from a word.
  template <class Number>
  std::int64_t unpack_halves(Number* out, std::int64_t count) {
    const std::uint64_t mask = (std::uint64_t{1} << width_) - 1;
    std::int64_t done = 0;
    for (; done + 8 <= count && bit_ / 8 + 2 * sizeof(std::uint64_t) <= bytes_.size();
         done += 8, bit_ += 8 * std::size_t{width_}) {
      const std::uint64_t first = word_at(bit_ / 8);
      const std::uint64_t second = word_at((bit_ + 4 * std::size_t{width_}) / 8) >> (4 * width_) % 8;
      for (unsigned k = 0; k < 4; ++k) {
        out[done + k] = static_cast<Number>(first >> k * width_ & mask);
        out[done + 4 + k] = static_cast<Number>(second >> k * width_ & mask);
      }
    }
    return done;
  }

  std::span<const std::uint8_t> bytes_;
  unsigned width_ = 0;
  std::size_t next_ = 0;   // byte behind the current run
  std::int64_t left_ = 0;  // of the current run
  bool packed_ = false;
  std::uint32_t repeated_ = 0;
  std::size_t bit_ = 0;  // where the next packed number begins
};

}  // namespace postern::arrow_plugin
