#include "encode_maps.hpp"

namespace postern::model {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

CategoryMap::CategoryMap(const Categories& categories) : labels_(categories.labels) {
  unsigned bits = 4;
  while ((std::size_t{1} << bits) < 4 * labels_.size()) ++bits;
  slots_.resize(std::size_t{1} << bits);
  shift_ = 64 - bits;
  for (std::uint32_t level = 0; level < labels_.size(); ++level) {
    const std::string& label = labels_[level];
    const FieldKey key = FieldKey::of(label);
    std::size_t i = home(key, label.size());
    while (slots_[i].size != kEmpty) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {key.head, key.tail, static_cast<std::uint32_t>(label.size()), level};
  }
}

std::uint32_t CategoryMap::locate(std::string_view text) const {
  const std::uint32_t level = find(FieldKey::of(text), text.data(), text.size());
  if (level < kNoLevel) return level;
  const std::string_view core = trim(text);
  if (core.empty()) return kMissing;
  return find(FieldKey::of(core), core.data(), core.size());
}

}  // namespace postern::model
