#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "postern/model/column.hpp"
#include "postern/model/encode.hpp"

namespace postern::owner {

/// The first bytes of a text as numbers, and its length: all of a text of up to sixteen bytes.
struct TextKey {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;  ///< of a longer text, its last eight bytes
  std::uint64_t size = 0;

  static constexpr std::size_t kWord = 8;
  static constexpr std::size_t kWhole = 16;
  friend bool operator==(const TextKey&, const TextKey&) = default;
  [[nodiscard]] static TextKey of(std::string_view text) {
    TextKey key;
    key.size = text.size();
    std::memcpy(&key.head, text.data(), text.size() < kWord ? text.size() : kWord);
    if (text.size() > kWhole) {
      std::memcpy(&key.tail, text.data() + text.size() - kWord, kWord);
    } else if (text.size() > kWord) {
      std::memcpy(&key.tail, text.data() + kWord, text.size() - kWord);
    }
    return key;
  }
  /// The same for a text behind whose first byte sixteen can be read.
  [[nodiscard]] static TextKey of_roomy(std::string_view text) {
    TextKey key;
    key.size = text.size();
    std::memcpy(&key.head, text.data(), kWord);
    const char* const tail = key.size > kWhole ? text.data() + key.size - kWord : text.data() + kWord;
    std::memcpy(&key.tail, tail, kWord);
    key.cut();
    return key;
  }
  /// Clears what lies behind the text.
  void cut();
};

/// What belongs to a text in its head and tail, for each length up to sixteen and for a greater one. A table,
/// since lengths cannot be foretold.
struct TextMask {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
};
inline constexpr std::array<TextMask, TextKey::kWhole + 2> kTextMasks = [] {
  std::array<TextMask, TextKey::kWhole + 2> masks{};
  const auto first = [](std::size_t bytes) {
    return bytes >= TextKey::kWord ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
  };
  for (std::size_t size = 0; size < masks.size(); ++size)
    masks[size] = {first(size), first(size > TextKey::kWord ? size - TextKey::kWord : 0)};
  masks.back() = {first(TextKey::kWord), first(TextKey::kWord)};
  return masks;
}();
inline void TextKey::cut() {
  const TextMask& mask = kTextMasks.data()[size < kWhole + 1 ? size : kWhole + 1];
  head &= mask.head;
  tail &= mask.tail;
}
static_assert(std::endian::native == std::endian::little, "Arrow's buffers are in the machine's byte order");

/// Texts -> codes of one column. Labels are found in a hash table; any other text goes to the encoder. What
/// no CSV line may hold (a NUL, bytes that are not UTF-8) is missing.
class TextCodes {
 public:
  /// The encoder must outlive this.
  TextCodes(const model::Column& column, const model::Encoder& encoder);
  [[nodiscard]] std::uint32_t code(std::string_view text) const {
    return code(text.size() >= TextKey::kWhole ? TextKey::of_roomy(text) : TextKey::of(text), text);
  }
  /// @pre key belongs to the text.
  [[nodiscard]] std::uint32_t code(const TextKey& key, std::string_view text) const {
    for (std::size_t i = hash(key) >> shift_;; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_.data()[i];
      if (slot.key == key && (key.size <= TextKey::kWhole || labels_[slot.code] == text)) return slot.code;
      if (slot.code == kFree) return code_of_other(text);
    }
  }
  [[nodiscard]] std::uint32_t missing() const { return encoder_.missing(); }

 private:
  struct Slot {
    TextKey key{0, 0, ~std::uint64_t{0}};
    std::uint32_t code = kFree;
  };
  static constexpr std::uint32_t kFree = model::kDropped;
  [[nodiscard]] static std::uint64_t hash(const TextKey& key) {
    return (key.head + std::rotl(key.tail, 29) * 0x9E3779B97F4A7C15u + key.size) * 0xD1342543DE82EF95u;
  }
  [[nodiscard]] std::uint32_t code_of_other(std::string_view text) const;

  const model::Encoder& encoder_;
  bool categories_;
  std::vector<std::string> labels_;
  std::vector<Slot> slots_;
  unsigned shift_;
};

}  // namespace postern::owner
