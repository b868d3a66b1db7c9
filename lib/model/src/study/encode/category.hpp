#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "postern/model/column.hpp"

#include "study/encode/found.hpp"
#include "study/encode/key.hpp"

namespace postern::model {

/// Declared labels -> levels: a hash table, made so that nearly every label is found where it is looked for
/// first.
class CategoryMap {
 public:
  explicit CategoryMap(const Categories& categories);
  [[nodiscard]] std::uint32_t locate(std::string_view text) const;

  /// The same map for padded fields, with what it needs at hand. Words: how much of a field must be compared.
  template <int Words>
  class Fast;
  template <class Use>
  void with_fast(Use use) const;

 private:
  struct Slot {
    FieldKey key{{0, 0}, {0, 0}, kEmpty};
    std::uint32_t level = kUnlisted;
  };
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};

  [[nodiscard]] std::uint32_t find(std::string_view text) const;
  [[nodiscard]] std::uint64_t hash(const FieldKey& key) const;
  [[nodiscard]] bool try_to_place(const std::vector<FieldKey>& keys, unsigned bits, bool perfectly);

  std::vector<std::string> labels_;
  std::vector<Slot> slots_;
  int words_ = 1;
  std::uint64_t factor_ = 0x9E3779B97F4A7C15u;
  unsigned shift_ = 0;
};

template <int Words>
class CategoryMap::Fast {
 public:
  explicit Fast(const CategoryMap& map)
      : map_(map), slots_(map.slots_.data()), factor_(map.factor_), shift_(map.shift_) {}
  [[nodiscard]] std::uint32_t locate(const char* text, std::size_t size) const {
    const auto key = FieldKey::of_padded<Words>(text, size);
    const Slot& slot = slots_[key.template hash<Words>(factor_) >> shift_];
    if (slot.key.template equals<Words>(key) && size <= 2 * FieldKey::kHalf) return slot.level;
    return map_.locate({text, size});
  }

 private:
  const CategoryMap& map_;
  const Slot* slots_;
  std::uint64_t factor_;
  unsigned shift_;
};

template <class Use>
void CategoryMap::with_fast(Use use) const {
  if (words_ == 1) return use(Fast<1>(*this));
  if (words_ == 2) return use(Fast<2>(*this));
  use(Fast<4>(*this));
}

}  // namespace postern::model
