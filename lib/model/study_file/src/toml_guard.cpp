#include "toml_guard.hpp"

#include <algorithm>
#include <string>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

// The deepest key of a study, columns.<name>.outside.map-to, has 4.
constexpr int kMaxParts = 32;
constexpr std::size_t kMaxDepth = 16;  // of a study's values: 3

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

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

/// Where keys, values and brackets stand, as far as the parser must see texts where the guard sees them.
class Place {
 public:
  /// Whether the character may stand here. Blanks, comments and what is in quotes are not asked about.
  [[nodiscard]] bool admits(char c) const {
    if (before_ == '"' && !is_one_of(c, "\n=]},.#")) return false;
    if (is_one_of(before_, "]}") && !is_one_of(c, "\n]},#")) return false;
    if (c == '=') return !value_;
    if (c == '{') return value_ && is_one_of(before_, "=[,\n");
    if (c == '[') return value_ ? is_one_of(before_, "=[,\n") : is_one_of(before_, "[\n");
    // In a value, a dot belongs to a number.
    if (is_quote(c)) return value_ ? is_one_of(before_, "=[,\n") : is_one_of(before_, "\n{[,.");
    return true;
  }
  void pass(char c) {
    if (c == '.') ++parts_;
    if (is_one_of(c, "\n=,")) parts_ = 1;
    if (value_ && is_one_of(c, "[{")) open_ += c;
    if (!open_.empty() && is_one_of(c, "]}")) {
      open_.pop_back();
      value_ = true;
    }
    if (c == '=') value_ = true;
    if (c == '{' || (c == ',' && open_.ends_with('{')) || (c == '\n' && open_.empty())) value_ = false;
    before_ = is_quote(c) ? '"' : c;
  }
  [[nodiscard]] int parts() const { return parts_; }
  [[nodiscard]] std::size_t depth() const { return open_.size(); }
  static bool is_quote(char c) { return c == '"' || c == '\''; }

 private:
  char before_ = '\n';  // a quote stands for the text it ends
  bool value_ = false;  // behind an =
  std::string open_;    // brackets of the value
  int parts_ = 1;       // of the key or number around here
};

}  // namespace

void check_toml_form(std::string_view text, std::string_view file_name) {
  std::size_t i = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  Place place;
  while (i < text.size()) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80)
      refuse(text, i, file_name, {"a character that is not ASCII must stand in quotes"});
    if (!is_one_of(c, " \t\r")) {
      if (!place.admits(c))
        refuse(text, i, file_name, {"there is '", quote({&c, 1}, 1), "' where it cannot stand"});
      place.pass(c);
      if (place.parts() > kMaxParts) refuse(text, i, file_name, {"a key has more than 32 parts"});
      if (place.depth() > kMaxDepth)
        refuse(text, i, file_name, {"brackets are nested deeper than 16 levels"});
    }
    if (Place::is_quote(c)) {
      i = past_string(text, i);
    } else {
      i = c == '#' ? std::min(text.find('\n', i), text.size()) : i + 1;
    }
  }
}

}  // namespace postern::model
