#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "postern/model/column.hpp"

namespace postern::model {

/// What a field turns out to be: a level, or one of these, which a policy then settles.
inline constexpr std::uint32_t kMissing = 0xFFFFFFFE;   ///< empty or unreadable
inline constexpr std::uint32_t kBelow = 0xFFFFFFFD;     ///< a number under the lower bound
inline constexpr std::uint32_t kAbove = 0xFFFFFFFC;     ///< a number over the upper bound
inline constexpr std::uint32_t kUnlisted = 0xFFFFFFFB;  ///< text that is no declared category
inline constexpr std::uint32_t kNoLevel = 0xFFFFFFF0;   ///< every level is smaller than this

[[nodiscard]] std::string_view trim(std::string_view text);

/// The first and last eight bytes of a field of any length; with the length they are the whole of a field of
/// <= 16.
struct FieldKey {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;

  static constexpr std::size_t kWord = 8;
  /// @pre eight bytes can be read before and behind the field.
  [[nodiscard]] static FieldKey of_padded(const char* text, std::size_t size) {
    FieldKey key;
    std::memcpy(&key.head, text, kWord);
    std::memcpy(&key.tail, text + size - kWord, kWord);
    const std::uint64_t short_mask = size < kWord ? mask(size) : ~std::uint64_t{0};
    key.head &= short_mask;
    key.tail = size < kWord ? 0 : key.tail;
    return key;
  }
  [[nodiscard]] static FieldKey of(std::string_view text) {
    FieldKey key;
    if (text.size() < kWord) {
      std::memcpy(&key.head, text.data(), text.size());
    } else {
      std::memcpy(&key.head, text.data(), kWord);
      std::memcpy(&key.tail, text.data() + text.size() - kWord, kWord);
    }
    return key;
  }

 private:
  static std::uint64_t mask(std::size_t size) {
    const std::uint64_t low = (std::uint64_t{1} << (8 * size)) - 1;
    return std::endian::native == std::endian::little ? low : ~(~std::uint64_t{0} >> (8 * size));
  }
};

/// Declared labels -> levels: open addressing on the key of the label.
class CategoryMap {
 public:
  explicit CategoryMap(const Categories& categories);
  [[nodiscard]] std::uint32_t locate(std::string_view text) const;
  [[nodiscard]] std::uint32_t locate_padded(const char* text, std::size_t size) const {
    const std::uint32_t level = find(FieldKey::of_padded(text, size), text, size);
    return level < kNoLevel ? level : locate({text, size});
  }

 private:
  struct Slot {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    std::uint32_t size = kEmpty;
    std::uint32_t level = kUnlisted;
  };
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;

  [[nodiscard]] std::size_t home(const FieldKey& key, std::size_t size) const {
    return ((key.head ^ size) * 0x9E3779B97F4A7C15u + key.tail * 0xC2B2AE3D27D4EB4Fu) >> shift_;
  }
  [[nodiscard]] std::uint32_t find(const FieldKey& key, const char* text, std::size_t size) const {
    for (std::size_t i = home(key, size);; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[i];
      if (slot.head == key.head && slot.tail == key.tail && slot.size == size &&
          (size <= 2 * FieldKey::kWord || std::memcmp(labels_[slot.level].data(), text, size) == 0)) {
        return slot.level;
      }
      if (slot.size == kEmpty) return kUnlisted;
    }
  }

  std::vector<std::string> labels_;
  std::vector<Slot> slots_;
  unsigned shift_ = 0;
};

/// Whole numbers -> levels.
class IntegerMap {
 public:
  explicit IntegerMap(const IntegerRange& range);
  [[nodiscard]] std::uint32_t locate(std::string_view text) const;
  [[nodiscard]] std::uint32_t locate_padded(const char* text, std::size_t size) const;

 private:
  [[nodiscard]] std::uint32_t level_of(std::int64_t value) const;

  std::int64_t lo_;
  std::int64_t hi_;
  std::vector<std::int64_t> cuts_;
  std::vector<std::uint32_t> table_;  // value - lo -> level, for short ranges with cuts
};

/// Real numbers -> levels: level l >= 1 begins at its first grid point less half a grid step, which is what
/// rounding half up means. A short number is compared in integers, any other as an exact decimal.
class RealMap {
 public:
  explicit RealMap(const RealRange& range);
  [[nodiscard]] std::uint32_t locate(std::string_view text) const;
  [[nodiscard]] std::uint32_t locate_padded(const char* text, std::size_t size) const;

 private:
  struct Units {      // the same numbers as multiples of 10^-places, where they fit
    int places = -1;  // -1: they do not
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    std::int64_t grid = 0;
    std::vector<std::int64_t> begins;  // of the levels 1, 2, ... when there are cuts
  };
  [[nodiscard]] Rational begin_of(std::uint32_t level) const;
  [[nodiscard]] std::uint32_t locate_short(std::int64_t digits, int places) const;
  void find_units();

  RealRange range_;
  std::uint32_t levels_;
  Units units_;
};

}  // namespace postern::model
