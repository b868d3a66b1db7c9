#include "study/encode/category.hpp"

#include <algorithm>

namespace postern::model {

CategoryMap::CategoryMap(const Categories& categories) : labels_(categories.labels) {
  std::vector<FieldKey> keys;
  std::size_t longest = 0;
  for (const std::string& label : labels_) {
    keys.push_back(FieldKey::of(label));
    longest = std::max(longest, label.size());
  }
  words_ = longest <= FieldKey::kWord ? 1 : (longest <= FieldKey::kHalf ? 2 : 4);
  unsigned bits = 4;
  while ((std::size_t{1} << bits) < 4 * labels_.size()) ++bits;
  constexpr std::size_t kFew = 512;
  constexpr unsigned kMoreBits = 3;
  constexpr int kTries = 64;
  for (unsigned more = 0; labels_.size() <= kFew && more <= kMoreBits; ++more) {
    for (int i = 0; i < kTries; ++i) {
      if (try_to_place(keys, bits + more, true)) return;
      factor_ = factor_ * 6364136223846793005u + 1442695040888963406u;  // stays odd
    }
  }
  (void)try_to_place(keys, bits, false);
}

bool CategoryMap::try_to_place(const std::vector<FieldKey>& keys, unsigned bits, bool perfectly) {
  slots_.assign(std::size_t{1} << bits, Slot{});
  shift_ = 64 - bits;
  for (std::uint32_t level = 0; level < keys.size(); ++level) {
    std::size_t i = hash(keys[level]) >> shift_;
    while (slots_[i].key.size != kEmpty) {
      if (perfectly) return false;
      i = (i + 1) % slots_.size();
    }
    slots_[i] = {keys[level], level};
  }
  return true;
}

std::uint64_t CategoryMap::hash(const FieldKey& key) const {
  return words_ == 1 ? key.hash<1>(factor_) : (words_ == 2 ? key.hash<2>(factor_) : key.hash<4>(factor_));
}

std::uint32_t CategoryMap::find(std::string_view text) const {
  const FieldKey key = FieldKey::of(text);
  std::size_t i = hash(key) >> shift_;
  while (slots_[i].key.size != kEmpty) {
    if (slots_[i].key.equals<4>(key) && labels_[slots_[i].level] == text) return slots_[i].level;
    i = (i + 1) % slots_.size();
  }
  return kUnlisted;
}

std::uint32_t CategoryMap::locate(std::string_view text) const {
  const std::uint32_t level = find(text);
  if (level < kNoLevel) return level;
  const std::string_view core = trim(text);
  return core.empty() ? kMissing : find(core);
}

}  // namespace postern::model
