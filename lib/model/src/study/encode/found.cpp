#include "study/encode/found.hpp"

#include "study/encode/decimal.hpp"

namespace postern::model {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::uint32_t locate_word(std::string_view text) {
  const int side = parse_infinity(text);
  return side == 0 ? kMissing : (side < 0 ? kBelow : kAbove);
}

}  // namespace postern::model
