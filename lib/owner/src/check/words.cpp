#include "check/words.hpp"

#include <variant>

#include "records/csv/line.hpp"

namespace postern::owner {
namespace {

std::string such_as(const std::optional<std::string>& example) {
  return example ? " such as " + shown(*example) : "";
}

/// The code point at the front of well-formed UTF-8, and how many bytes it takes.
std::pair<std::uint32_t, std::size_t> front_point(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead < 0x80 ? 1 : (lead < 0xE0 ? 2 : (lead < 0xF0 ? 3 : 4));
  std::uint32_t point = size == 1 ? lead : lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return {point, size};
}

/// Controls, blanks that look like a space or like nothing, and marks that turn the direction of writing.
bool is_hidden(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point <= 0xA0) || point == 0xAD || point == 0x61C ||
         (point >= 0x2000 && point <= 0x200F) || (point >= 0x2028 && point <= 0x202F) ||
         (point >= 0x205F && point <= 0x206F) || point == 0x3000 || point == 0xFEFF ||
         (point >= 0xE0000 && point <= 0xE007F);
}

std::string hexadecimal(std::uint32_t number) {
  std::string out;
  do out.insert(out.begin(), "0123456789abcdef"[number & 15]);
  while ((number >>= 4) != 0);
  return out;
}

}  // namespace

std::string shown(std::string_view text) {
  std::string out = "\"";
  const bool sound = is_utf8(text);
  while (!text.empty()) {
    const auto [point, size] =
        sound ? front_point(text)
              : std::pair(static_cast<std::uint32_t>(static_cast<unsigned char>(text[0])), std::size_t{1});
    if (is_hidden(point) || (!sound && point >= 0x80)) {
      out += (sound ? "\\u{" : "\\x{") + hexadecimal(point) + "}";
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out + '"';
}

CheckRemark slip_remark(Slip slip, std::int64_t fields, const std::optional<std::string>& example,
                        bool numbers) {
  switch (slip) {
    case Slip::wrong_case:
      return {"wrong-case", fields,
              "a declared value" + such_as(example) +
                  " in other capitals, and values are compared byte for byte; write it as the study does"};
    case Slip::odd_blank:
      return {"odd-blank", fields,
              "a blank around the value that is no space or tab (a no-break space, a carriage return, a "
              "byte-order mark); strip it"};
    case Slip::quotes:
      return {"stray-quotes", fields,
              "quotes that belong to the value, as they do behind a space; write a,\"b\" and not a, \"b\""};
    case Slip::other_spelling:
      return {"other-spelling", fields,
              "a declared number" + such_as(example) +
                  " in another spelling, as 1.0 is of 1, and categories are compared byte for byte; write it "
                  "as the study does, or declare the column as integer"};
    case Slip::missing_word:
      return {"missing-word", fields,
              numbers ? "a word for a missing value, such as NA; it counts as missing"
                      : "a word for a missing value, such as NA, that is no declared value; leave the field "
                        "empty, or declare a category for it"};
    case Slip::date:
      return {"date", fields,
              "a date, which is no number; make it what the study is about, such as a year or an age"};
    case Slip::comma:
      return {"decimal-comma", fields, "a number with a comma; write 3.5 for 3,5 and 1000 for 1,000"};
    case Slip::fraction:
      return {
          "fraction", fields,
          "a number that is not whole in a column declared as `integer`; round it, or declare `real` with "
          "a `grid`"};
    case Slip::unit:
      return {"unit", fields,
              "a number with something beside it, such as a unit, a percent sign or a currency; keep the "
              "number alone"};
    case Slip::not_text:
      return {"not-utf8", fields, "bytes that are no UTF-8 text, or a NUL; convert the column to UTF-8"};
    case Slip::none:
      break;
  }
  return {"other", fields, "nothing that is known here"};
}

CheckRemark spaced_remark(std::int64_t fields) {
  return {"space-around", fields,
          "a declared value with a space or tab around it, which does not count; nothing has to be done"};
}

CheckRemark line_remark(BrokenLine fault, std::int64_t lines) {
  switch (fault) {
    case BrokenLine::empty:
      return {"empty-line", lines, "nothing in it, though it counts as a record; delete it"};
    case BrokenLine::not_utf8:
      return {"not-utf8", lines,
              "bytes that are not UTF-8, such as Latin-1 letters; convert the file: iconv -f latin1 -t utf-8 "
              "old.csv > new.csv"};
    case BrokenLine::open_quote:
      return {"open-quote", lines,
              "a quote that is not closed, or something behind a closed one; a record is one line, so take "
              "line breaks out of free text"};
    case BrokenLine::semicolons:
      return {"semicolons", lines, "semicolons between the fields where the header has commas; write commas"};
    case BrokenLine::too_many:
      return {"too-many-fields", lines,
              "more fields than the header; write 3.5 for 3,5, and put text that holds a comma in quotes"};
    case BrokenLine::too_few:
      return {"too-few-fields", lines,
              "fewer fields than the header; write the commas of empty fields as well"};
    case BrokenLine::no_text:
      break;
  }
  return {"no-text", lines, "a NUL byte, or more than a MiB; is the file what it should be?"};
}

std::string policy_words(const model::Column& column, const model::Policy& policy) {
  if (std::holds_alternative<model::Clamp>(policy)) return "count as the nearest bound";
  if (const auto* map = std::get_if<model::MapTo>(&policy))
    return "count as " + shown(column.label(map->level));
  return "drop their records";
}

}  // namespace postern::owner
