#include "text.hpp"

#include "records/csv/line.hpp"

namespace postern::owner {

TextCodes::TextCodes(const model::Column& column, const model::Encoder& encoder) : encoder_(encoder) {
  const auto* categories = std::get_if<model::Categories>(&column.values);
  categories_ = categories != nullptr;
  if (categories_) labels_ = categories->labels;
  unsigned bits = 4;
  while ((std::size_t{1} << bits) < 4 * labels_.size()) ++bits;
  shift_ = 64 - bits;
  slots_.resize(std::size_t{1} << bits);
  for (std::uint32_t level = 0; level < labels_.size(); ++level) {
    const TextKey key = TextKey::of(labels_[level]);
    std::size_t i = hash(key) >> shift_;
    while (slots_[i].code != kFree) i = (i + 1) % slots_.size();
    slots_[i] = {key, level};
  }
}

std::uint32_t TextCodes::code_of_other(std::string_view text) const {
  if (categories_ && (text.find('\0') != std::string_view::npos || !is_utf8(text))) return encoder_.missing();
  return encoder_.encode(model::Field(text));
}

}  // namespace postern::owner
