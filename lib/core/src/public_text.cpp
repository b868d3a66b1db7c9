#include "postern/core/public_text.hpp"

#include <cstdint>

namespace postern {
namespace {

struct Character {
  std::size_t bytes;
  bool plain;  ///< printable on any terminal: valid UTF-8, and no control character
};

/// Bytes of a well-formed UTF-8 character by its first byte, or 0.
std::size_t bytes_by_first(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// Controls of both kinds, separators of lines, and marks that turn the direction of writing.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/// The character at the front of the text. @pre text is not empty.
Character front_character(std::string_view text) {
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = bytes_by_first(first);
  if (bytes == 0 || bytes > text.size()) return {1, false};
  std::uint32_t code = bytes == 1 ? first : first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {1, false};
    code = code << 6 | (byte & 0x3fU);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kSmallest[bytes] || code > 0x10ffff || surrogate) return {1, false};
  return {bytes, !is_control(code)};
}

}  // namespace

Quotation quote(std::string_view text, std::size_t limit) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const Character character = front_character(text.substr(at));
    if (at + character.bytes > limit) {
      out += "...";
      break;
    }
    for (const char c : text.substr(at, character.bytes)) {
      const auto byte = static_cast<unsigned char>(c);
      if (character.plain) {
        out += c;
      } else {
        out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
      }
    }
    at += character.bytes;
  }
  return Quotation(std::move(out));
}

}  // namespace postern
