#include "postern/core/public_text.hpp"

#include <cstdint>

#include "postern/core/printable.hpp"

namespace postern {
namespace {

constexpr std::uint32_t kNoCode = 0xffffffff;

struct Character {
  std::size_t bytes;
  std::uint32_t code;  ///< kNoCode for a byte that is not UTF-8
};

/// Bytes of a well-formed UTF-8 character by its first byte, or 0.
std::size_t bytes_by_first(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// Controls of both kinds, separators of lines, marks that turn the direction of writing, and what takes no
/// room and belongs to no letter. The joiners that some languages and emoji need are not among them.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c || code == 0x200b ||
         (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
         (code >= 0xe0000 && code <= 0xe007f);
}

/// The character at the front of the text. @pre text is not empty.
Character front_character(std::string_view text) {
  constexpr std::uint32_t kLeastCode[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = bytes_by_first(first);
  if (bytes == 0 || bytes > text.size()) return {1, kNoCode};
  std::uint32_t code = bytes == 1 ? first : first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {1, kNoCode};
    code = code << 6 | (byte & 0x3fU);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeastCode[bytes] || code > 0x10ffff || surrogate) return {1, kNoCode};
  return {bytes, code};
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  constexpr char kHex[] = "0123456789abcdef";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHex[(value >> shift) & 15];
}

/// A character as it may be shown.
void append_shown(std::string& out, std::string_view bytes, std::uint32_t code) {
  if (code == kNoCode) {
    out += "\\x";
    append_hex(out, static_cast<unsigned char>(bytes.front()), 2);
  } else if (!is_control(code)) {
    out += bytes;
  } else {
    if (code > 0xffff) {  // two halves, as JSON has it
      out += "\\u";
      append_hex(out, 0xd800 + ((code - 0x10000) >> 10), 4);
      code = 0xdc00 + (code & 0x3ff);
    }
    out += "\\u";
    append_hex(out, code, 4);
  }
}

}  // namespace

Quotation quote(std::string_view text, std::size_t limit) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const Character character = front_character(text.substr(at));
    if (at + character.bytes > limit) {
      out += "...";
      break;
    }
    append_shown(out, text.substr(at, character.bytes), character.code);
    at += character.bytes;
  }
  return Quotation(std::move(out));
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = front_character(text);
    append_shown(out, text.substr(0, character.bytes), character.code);
    text.remove_prefix(character.bytes);
  }
  return out;
}

}  // namespace postern
