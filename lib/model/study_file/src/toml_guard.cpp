#include "toml_guard.hpp"

#include <algorithm>
#include <string>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

// The deepest key of a study, columns.<name>.outside.map-to, has 4.
constexpr int kMaxParts = 32;

[[noreturn]] void refuse(std::string_view text, std::size_t at, std::string_view file_name,
                         const PublicText& why) {
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  throw Error(ErrorCode::study_syntax, {from_option(file_name), ":", public_number(line),
                                        ": not valid TOML: ", quote(why.str(), 200)});
}

/// Offset just past the TOML string that starts at `at`; a one-line string ends with its line.
std::size_t past_string(std::string_view text, std::size_t at) {
  const std::string triple(3, text[at]);
  const bool multiline = text.substr(at, 3) == triple;
  std::size_t i = at + (multiline ? 3 : 1);
  for (; i < text.size(); ++i) {
    if (text[at] == '"' && text[i] == '\\') {
      ++i;
    } else if (multiline ? text.substr(i, 3) == triple : text[i] == text[at] || text[i] == '\n') {
      i += multiline ? 3 : 1;
      // Up to two more quotes belong to a multi-line string.
      for (int more = 0; multiline && more < 2 && i < text.size() && text[i] == text[at]; ++more) ++i;
      return i;
    }
  }
  return text.size();
}

/// What the guard knows of the text before a character, blanks, texts and comments aside.
struct Place {
  char before = '\n';  // a quote stands for the text it ends
  int parts = 1;       // of the key or number around here
  bool value = false;  // behind the = of a line, or of lines while brackets are open
  int open = 0;        // brackets of that value

  [[nodiscard]] bool may_begin_text() const {
    // A dot in a value belongs to a number.
    return before == '.' ? !value : std::string_view("\n=[{,").find(before) != std::string_view::npos;
  }
  [[nodiscard]] bool may_follow(char c) const {
    if (c == '=') return before != '=';
    return before != '"' || std::string_view("\n]},.#").find(c) != std::string_view::npos;
  }
  void pass(char c) {
    if (c == '.') ++parts;
    if (c == '\n' || c == '=' || c == ',') parts = 1;
    if (value && (c == '[' || c == '{')) ++open;
    if (open > 0 && (c == ']' || c == '}')) --open;
    if (c == '=') value = true;
    if (c == '\n' && open == 0) value = false;
    before = c == '\'' ? '"' : c;
  }
};

}  // namespace

void check_toml_form(std::string_view text, std::string_view file_name) {
  std::size_t i = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  Place place;
  while (i < text.size()) {
    const char c = text[i];
    const bool quotes = c == '"' || c == '\'';
    if (static_cast<unsigned char>(c) >= 0x80)
      refuse(text, i, file_name, {"a character that is not ASCII must stand in quotes"});
    if (c == ' ' || c == '\t' || c == '\r') {
      ++i;
      continue;
    }
    if (quotes ? !place.may_begin_text() : !place.may_follow(c))
      refuse(text, i, file_name, {"there is a quote inside a word, or a word behind a text in quotes"});
    place.pass(c);
    if (place.parts > kMaxParts) refuse(text, i, file_name, {"a key has more than 32 parts"});
    i = quotes ? past_string(text, i) : c == '#' ? std::min(text.find('\n', i), text.size()) : i + 1;
  }
}

}  // namespace postern::model
