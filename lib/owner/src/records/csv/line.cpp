#include "line.hpp"

#include <cstdint>
#include <cstring>

namespace postern::owner {
namespace {

char* find(char* begin, char* end, char wanted) {
  void* const found = std::memchr(begin, wanted, static_cast<std::size_t>(end - begin));
  return found == nullptr ? end : static_cast<char*>(found);
}

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// Reads the quoted field whose first byte is at `at`; leaves `at` behind its closing quote, or returns
/// false.
bool take_quoted(char*& at, char* end, std::string_view& field) {
  char* const first = at + 1;
  char* write = first;
  for (char* read = first;;) {
    char* const quote = find(read, end, '"');
    if (quote == end) return false;
    const bool doubled = quote + 1 < end && quote[1] == '"';
    const auto length = static_cast<std::size_t>(quote - read) + (doubled ? 1 : 0);
    if (write != read) std::memmove(write, read, length);
    write += length;
    if (!doubled) {
      field = between(first, write);
      at = quote + 1;
      return true;
    }
    read = quote + 2;
  }
}

/// The least code point that needs this many continuation bytes: anything less is an overlong form.
constexpr std::uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) continue;
    const unsigned more = lead >= 0xF0 ? 3 : (lead >= 0xE0 ? 2 : 1);
    if (lead < 0xC2 || lead > 0xF4 || text.size() - i < more) return false;
    std::uint32_t point = lead & (0x3Fu >> more);
    for (unsigned k = 0; k < more; ++k) {
      const auto next = static_cast<unsigned char>(text[i++]);
      if ((next & 0xC0u) != 0x80u) return false;
      point = point << 6 | (next & 0x3Fu);
    }
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    if (point < kLeast[more] || point > 0x10FFFF || surrogate) return false;
  }
  return true;
}

bool split_line(char* begin, char* end, char delimiter, std::vector<std::string_view>& fields) {
  fields.clear();
  for (char* at = begin;;) {
    std::string_view field;
    if (at != end && *at == '"') {
      if (!take_quoted(at, end, field)) return false;
      if (at != end && *at != delimiter) return false;
    } else {
      char* const stop = find(at, end, delimiter);
      field = between(at, stop);
      at = stop;
    }
    fields.push_back(field);
    if (at == end) return true;
    ++at;
  }
}

}  // namespace postern::owner
