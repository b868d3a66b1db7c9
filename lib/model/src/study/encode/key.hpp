#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace postern::model {

/// The bits of the first bytes of a word.
constexpr std::uint64_t first_bytes(std::size_t bytes) {
  if (bytes >= 8) return ~std::uint64_t{0};
  return std::endian::native == std::endian::little ? (std::uint64_t{1} << (8 * bytes)) - 1
                                                    : ~(~std::uint64_t{0} >> (8 * bytes));
}

/// What belongs to a field in its first sixteen bytes, for each length up to 16 and for a greater one.
struct KeyMask {
  std::uint64_t head[2] = {0, 0};
  std::uint64_t tail = 0;  // all bits if there is a tail
};
inline constexpr std::array<KeyMask, 18> kKeyMasks = [] {
  std::array<KeyMask, 18> masks{};
  for (std::size_t size = 0; size < masks.size(); ++size) {
    masks[size] = {{first_bytes(size), first_bytes(size > 8 ? size - 8 : 0)},
                   size > 16 ? ~std::uint64_t{0} : 0};
  }
  return masks;
}();

/// A field as numbers that can be compared: its length, its first eight or sixteen bytes (Words = 1, 2), and
/// for Words = 4 the last sixteen as well if it is longer. That is all of a field of up to 8, 16, 32 bytes.
struct FieldKey {
  static constexpr std::size_t kWord = 8;
  static constexpr std::size_t kHalf = 16;

  std::uint64_t head[2] = {0, 0};
  std::uint64_t tail[2] = {0, 0};
  std::uint64_t size = 0;

  /// @pre sixteen bytes can be read before and behind the field.
  template <int Words>
  [[nodiscard]] static FieldKey of_padded(const char* text, std::size_t size) {
    const KeyMask& keep = kKeyMasks.data()[size < kHalf + 1 ? size : kHalf + 1];
    FieldKey key;
    key.size = size;
    std::memcpy(key.head, text, Words == 1 ? kWord : kHalf);
    key.head[0] &= keep.head[0];
    if constexpr (Words >= 2) key.head[1] &= keep.head[1];
    if constexpr (Words == 4) {
      std::memcpy(key.tail, text + size - kHalf, kHalf);
      key.tail[0] &= keep.tail;
      key.tail[1] &= keep.tail;
    }
    return key;
  }
  [[nodiscard]] static FieldKey of(std::string_view text) {
    FieldKey key;
    if (text.empty()) return key;  // it may have no data to copy from
    key.size = text.size();
    std::memcpy(key.head, text.data(), text.size() < kHalf ? text.size() : kHalf);
    if (text.size() > kHalf) std::memcpy(key.tail, text.data() + text.size() - kHalf, kHalf);
    return key;
  }
  template <int Words>
  [[nodiscard]] bool equals(const FieldKey& other) const {
    std::uint64_t difference = (head[0] ^ other.head[0]) | (size ^ other.size);
    if constexpr (Words >= 2) difference |= head[1] ^ other.head[1];
    if constexpr (Words == 4) difference |= (tail[0] ^ other.tail[0]) | (tail[1] ^ other.tail[1]);
    return difference == 0;
  }
  template <int Words>
  [[nodiscard]] std::uint64_t hash(std::uint64_t factor) const {
    std::uint64_t sum = head[0] + size;
    if constexpr (Words >= 2) sum += std::rotl(head[1], 23);
    if constexpr (Words == 4) sum += std::rotl(tail[1], 41);
    return sum * factor;
  }
};

}  // namespace postern::model
