#include "check/slip.hpp"

#include <algorithm>
#include <array>

namespace postern::owner {
namespace {

using model::FieldKind;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_in(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

/// Blanks that are no space or tab, in UTF-8.
constexpr std::array<std::string_view, 10> kOddBlanks{
    "\r",           "\n",           "\v",           "\f",           "\xC2\xA0",
    "\xE2\x80\x87", "\xE2\x80\x89", "\xE2\x80\x8B", "\xE2\x80\xAF", "\xEF\xBB\xBF"};

constexpr std::array<std::string_view, 14> kMissingWords{
    "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "null", "none", "nil", "missing", "unknown", "-", "?", "."};

/// A number that the encoder could read, apart from infinity.
bool is_number(std::string_view text) {
  std::size_t at = !text.empty() && is_in(text[0], "+-") ? 1 : 0;
  std::size_t digits = 0;
  bool point = false;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
    point = point || text[at] == '.';
    digits += is_digit(text[at]) ? 1 : 0;
  }
  if (digits == 0 || at == text.size()) return digits > 0;
  if (!is_in(text[at], "eE")) return false;
  at += at + 1 < text.size() && is_in(text[at + 1], "+-") ? 2 : 1;
  return at < text.size() &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_digit);
}

/// One spelling for 1, 01, +1, 1.0 and 1.; empty for what is no plain number.
std::string one_spelling(std::string_view text) {
  if (!is_number(text) || text.find_first_of("eE") != std::string_view::npos) return {};
  const bool negative = text[0] == '-';
  if (is_in(text[0], "+-")) text.remove_prefix(1);
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  std::string out(text);
  if (out.find('.') != std::string::npos) {
    out.erase(out.find_last_not_of('0') + 1);
    if (out.ends_with('.')) out.pop_back();
  }
  if (out.empty()) return "0";
  return negative ? "-" + out : out;
}

/// A number with something written beside it, such as 12 kg, 5% or $3.
bool has_unit(std::string_view text) {
  for (const std::string_view sign : {"$", "\xE2\x82\xAC", "\xC2\xA3", "<", ">", "~"}) {
    if (!text.starts_with(sign)) continue;
    text = without_blanks(text.substr(sign.size()));
    return !text.empty() && is_digit(text[0]);
  }
  if (!text.empty() && is_in(text[0], "+-")) text.remove_prefix(1);
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_in(c, "%$") ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  return !text.empty() && is_digit(text[0]) && std::any_of(text.begin(), text.end(), is_word);
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view without_odd_blanks(std::string_view text) {
  for (std::size_t before = text.size() + 1; text.size() < before;) {
    before = text.size();
    text = without_blanks(text);
    for (const std::string_view blank : kOddBlanks) {
      if (text.starts_with(blank)) text.remove_prefix(blank.size());
      if (text.ends_with(blank)) text.remove_suffix(blank.size());
    }
  }
  return text;
}

bool is_date(std::string_view text) {
  std::array<std::size_t, 3> sizes{};
  char between = 0;
  std::size_t at = 0;
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    while (at < text.size() && is_digit(text[at])) ++at, ++sizes[part];
    if (part == 2) break;
    if (at == text.size() || !is_in(text[at], "-/.") || (part == 1 && text[at] != between)) return false;
    between = text[at++];
  }
  const bool year_first = sizes[0] == 4 && sizes[2] >= 1 && sizes[2] <= 2;
  const bool year_last = sizes[0] >= 1 && sizes[0] <= 2 && (sizes[2] == 2 || sizes[2] == 4);
  const bool ends = at == text.size() || is_in(text[at], "T ");
  return (year_first || year_last) && sizes[1] >= 1 && sizes[1] <= 2 && ends;
}

bool has_number_comma(std::string_view text) {
  if (!text.empty() && is_in(text[0], "+-")) text.remove_prefix(1);
  const bool only =
      std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || is_in(c, ".,"); });
  return only && text.find(',') != std::string_view::npos && std::any_of(text.begin(), text.end(), is_digit);
}

SlipFinder::SlipFinder(const model::Column& column, const model::Encoder& encoder) : encoder_(encoder) {
  const auto* categories = std::get_if<model::Categories>(&column.values);
  categories_ = categories != nullptr;
  if (!categories_) return;
  for (std::uint32_t level = 0; level < categories->labels.size(); ++level) {
    lower_.emplace(lower_case(categories->labels[level]), level);
    const std::string number = one_spelling(categories->labels[level]);
    if (!number.empty()) numbers_.emplace(number, level);
  }
}

bool SlipFinder::fits(std::string_view text) const {
  const FieldKind kind = encoder_.diagnose(model::Field(text)).kind;
  return kind != FieldKind::undeclared && kind != FieldKind::unreadable;
}

FoundSlip SlipFinder::find(std::string_view field) const {
  const std::string_view core = without_blanks(field);
  const auto meant = [&](std::string_view text) {
    return categories_ && !without_blanks(text).empty()
               ? std::optional(encoder_.diagnose(model::Field(text)).level)
               : std::nullopt;
  };
  const std::string_view bare = without_odd_blanks(core);
  if (bare != core && fits(bare)) return {Slip::odd_blank, meant(bare)};
  if (core.size() >= 2 && core.front() == '"' && core.back() == '"') {
    const std::string_view inside = core.substr(1, core.size() - 2);
    if (fits(inside)) return {Slip::quotes, meant(inside)};
  }
  return categories_ ? find_category(core) : find_number(core);
}

FoundSlip SlipFinder::find_category(std::string_view core) const {
  const std::string small = lower_case(core);
  if (const auto label = lower_.find(small); label != lower_.end()) return {Slip::wrong_case, label->second};
  if (!numbers_.empty()) {
    const auto label = numbers_.find(one_spelling(core));
    if (label != numbers_.end()) return {Slip::other_spelling, label->second};
  }
  const bool missing = std::find(kMissingWords.begin(), kMissingWords.end(), small) != kMissingWords.end();
  return {missing ? Slip::missing_word : Slip::none, std::nullopt};
}

FoundSlip SlipFinder::find_number(std::string_view core) const {
  const std::string small = lower_case(core);
  if (std::find(kMissingWords.begin(), kMissingWords.end(), small) != kMissingWords.end())
    return {Slip::missing_word, std::nullopt};
  if (is_date(core)) return {Slip::date, std::nullopt};
  if (has_number_comma(core)) return {Slip::comma, std::nullopt};
  if (is_number(core)) return {Slip::fraction, std::nullopt};
  return {has_unit(core) ? Slip::unit : Slip::none, std::nullopt};
}

}  // namespace postern::owner
