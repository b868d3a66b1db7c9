#include "ids.hpp"

#include <cstring>
#include <string_view>

namespace postern::owner {
namespace {

using Kind = ArrowType::Kind;

// Numbers of 256 bits with 128 places, and floats without an exponent, are shorter.
constexpr std::size_t kLongest = 352;

/// Whether the texts of such values lie in the array itself.
bool holds_texts(const ArrowFields& fields) {
  const Kind kind = (fields.dictionary ? *fields.dictionary : fields.rows).type.kind;
  return kind == Kind::text || kind == Kind::views;
}

}  // namespace

IdBlock::IdBlock() : ids_(kRows), spelled_(kRows * kLongest) {}

std::span<PersonId> IdBlock::collect(const ArrowFields& ids, std::size_t begin, std::size_t count) {
  const bool stays = holds_texts(ids);
  Speller speller;
  for (std::size_t i = 0; i < count; ++i) {
    const auto text = ids.text(begin + i, speller);
    ids_[i] = text && stays ? PersonId(*text) : PersonId();
    if (!text || stays) continue;
    char* const place = spelled_.data() + i * kLongest;
    std::memcpy(place, text->data(), text->size());
    ids_[i] = PersonId({place, text->size()});
  }
  return std::span(ids_).first(count);
}

}  // namespace postern::owner
