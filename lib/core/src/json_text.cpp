#include "postern/core/json_text.hpp"

namespace postern {

std::string json_quoted(std::string_view text) {
  constexpr std::string_view kNamed = "\"\\\b\t\n\f\r";
  constexpr std::string_view kNames = "\"\\btnfr";
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const std::size_t named = kNamed.find(c);
    if (named != std::string_view::npos) {
      out += {'\\', kNames[named]};
    } else if (byte < 0x20) {
      out += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out += c;
    }
  }
  out += '"';
  return out;
}

}  // namespace postern
