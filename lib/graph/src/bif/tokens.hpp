#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "postern/core/error.hpp"

namespace postern::graph::bif {

/// A word (bare or quoted), a mark of punctuation, or the end of the text.
struct Token {
  enum class Kind { word, quoted, mark, end };
  Kind kind = Kind::end;
  std::string_view text;  ///< of a quoted word, what is between the quotation marks
  std::size_t line = 1;
  std::size_t column = 1;  ///< in bytes, from 1
  [[nodiscard]] bool is(std::string_view mark_or_keyword) const {
    return (kind == Kind::mark || kind == Kind::word) && text == mark_or_keyword;
  }
  [[nodiscard]] bool is_word() const { return kind == Kind::word || kind == Kind::quoted; }
};

/// The words and marks of a text, one ahead, comments skipped. Words are runs of bytes other than blanks and
/// { } ( ) [ ] , | ; and quotation marks.
class Tokens {
 public:
  /// The text must outlive the tokens. `file` is for errors.
  Tokens(std::string_view text, std::string_view file);
  [[nodiscard]] const Token& peek() const { return next_; }
  Token take();
  bool take_if(std::string_view mark_or_keyword);
  void expect(std::string_view mark_or_keyword);
  /// What follows `property`, up to its semicolon: any text, with semicolons only between quotation marks.
  void skip_property();
  /// Fails with study_syntax at the token.
  [[noreturn]] void fail(const Token& at, std::string_view why) const;
  /// The same words, for what is well formed and wrong.
  [[nodiscard]] Error error(ErrorCode code, const Token& at, std::string_view why) const;

 private:
  void advance();
  void skip_blanks();
  void step();
  [[nodiscard]] bool at_comment() const;

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  Token next_;
};

}  // namespace postern::graph::bif
