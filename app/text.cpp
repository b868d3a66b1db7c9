#include "text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace postern::app {
namespace {

constexpr std::size_t kLineWidth = 96;

/// One code point and the bytes it takes; a stray byte stands for itself.
struct Glyph {
  char32_t code = 0;
  std::size_t size = 1;
};

Glyph glyph_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const std::size_t size = lead < 0x80         ? 1
                           : (lead >> 5) == 6  ? 2
                           : (lead >> 4) == 14 ? 3
                           : (lead >> 3) == 30 ? 4
                                               : 1;
  if (size == 1 || at + size > text.size()) return {lead, 1};
  char32_t code = lead & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) >> 6) != 2) return {lead, 1};
    code = (code << 6) | (byte(at + i) & 0x3F);
  }
  return {code, size};
}

/// Columns of a code point: combining marks take none, East Asian wide characters and emoji two.
std::size_t columns(char32_t code) {
  struct Range {
    char32_t first, last;
  };
  constexpr std::array<Range, 7> kNone{{{0x300, 0x36F},
                                        {0x200B, 0x200F},
                                        {0x20D0, 0x20FF},
                                        {0xFE00, 0xFE0F},
                                        {0xFE20, 0xFE2F},
                                        {0x1AB0, 0x1AFF},
                                        {0x1DC0, 0x1DFF}}};
  constexpr std::array<Range, 8> kTwo{{{0x1100, 0x115F},
                                       {0x2E80, 0xA4CF},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0x1F300, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};
  const auto in = [code](const Range& range) { return code >= range.first && code <= range.last; };
  if (std::any_of(kNone.begin(), kNone.end(), in)) return 0;
  return std::any_of(kTwo.begin(), kTwo.end(), in) ? 2 : 1;
}

/// Bytes of the longest beginning that takes at most `width` columns.
std::size_t bytes_of_columns(std::string_view utf8, std::size_t width) {
  std::size_t used = 0;
  std::size_t i = 0;
  while (i < utf8.size()) {
    const Glyph glyph = glyph_at(utf8, i);
    if (used + columns(glyph.code) > width) break;
    used += columns(glyph.code);
    i += glyph.size;
  }
  return i;
}

std::string formatted(const char* format, int digits, double value) {
  std::array<char, 64> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), format, digits, value);
  return {buffer.data(), static_cast<std::size_t>(std::clamp(size, 0, 63))};
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < utf8.size();) {
    const Glyph glyph = glyph_at(utf8, i);
    width += columns(glyph.code);
    i += glyph.size;
  }
  return width;
}

std::string cut_to_width(std::string_view utf8, std::size_t width) {
  if (display_width(utf8) <= width) return std::string(utf8);
  if (width == 0) return {};
  const std::size_t room = width - 1;
  const std::string_view head = utf8.substr(0, bytes_of_columns(utf8, room - room / 2));
  // What is left out comes off the front of the rest, so that a mark keeps the letter it belongs to.
  std::string_view tail = utf8.substr(head.size());
  while (display_width(tail) > room / 2 || (!tail.empty() && columns(glyph_at(tail, 0).code) == 0))
    tail.remove_prefix(glyph_at(tail, 0).size);
  return std::string(head) + "…" + std::string(tail);
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = text.find(' ', i);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view word = text.substr(i, end - i);
    const std::size_t size = display_width(word);
    if (column > indent && column + 1 + size > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += size;
    i = end + 1;
  }
  return out;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find('\n', i), text.size());
    lines.emplace_back(text.substr(i, end - i));
    i = end + 1;
  }
  return lines;
}

std::string number(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return "0";
  if (magnitude < 1e-5 || magnitude >= 1e12) return formatted("%.*e", 3, value);
  const int before = magnitude < 1 ? 0 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  if (magnitude >= 1) return formatted("%.*f", std::max(0, 4 - std::max(1, before)), value);
  const int zeros = static_cast<int>(-std::floor(std::log10(magnitude))) - 1;
  return formatted("%.*f", std::min(4 + zeros, 9), value);
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return formatted("%.*f ", bytes < 10 && unit > 0 ? 1 : 0, bytes) + kUnits[unit];
}

std::string seconds_text(double seconds) {
  if (seconds < 0.01) return "under 0.01 s";
  return "about " + formatted("%.*g", 2, seconds) + " s";
}

std::string grouped(long long value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (left % 3 == 0 && !text.empty() && text != "-") text += ',';
    text += digits[i];
  }
  return text;
}

std::string fact_lines(const Facts& facts) {
  std::size_t widest = 0;
  for (const auto& [name, value] : facts) widest = std::max(widest, display_width(name));
  std::string out;
  for (const auto& [name, value] : facts) {
    out += name + std::string(widest + 2 - display_width(name), ' ') + wrap(value, kLineWidth, widest + 2) +
           '\n';
  }
  return out;
}

}  // namespace postern::app
