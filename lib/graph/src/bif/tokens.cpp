#include "bif/tokens.hpp"

#include <algorithm>

namespace postern::graph::bif {
namespace {

constexpr std::string_view kMarks = "{}()[],|;";

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

std::string described(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the file";
  return "'" + std::string(token.text.substr(0, 60)) + "'";
}

}  // namespace

Tokens::Tokens(std::string_view text, std::string_view file) : text_(text), file_(file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  advance();
}

Token Tokens::take() {
  const Token token = next_;
  advance();
  return token;
}

bool Tokens::take_if(std::string_view mark_or_keyword) {
  if (!next_.is(mark_or_keyword)) return false;
  advance();
  return true;
}

void Tokens::expect(std::string_view mark_or_keyword) {
  if (!take_if(mark_or_keyword))
    fail(next_, "expected '" + std::string(mark_or_keyword) + "', found " + described(next_));
}

Error Tokens::error(ErrorCode code, const Token& at, std::string_view why) const {
  const std::string place = std::to_string(at.line) + ":" + std::to_string(at.column);
  return {code, {from_option(file_), ":", quote(place, 48), ": ", quote(why, 600)}};
}

void Tokens::fail(const Token& at, std::string_view why) const {
  throw error(ErrorCode::study_syntax, at, why);
}

void Tokens::step() {
  if (text_[at_++] == '\n') {
    ++line_;
    line_start_ = at_;
  }
}

bool Tokens::at_comment() const {
  return text_.substr(at_).starts_with("//") || text_.substr(at_).starts_with("/*");
}

void Tokens::skip_blanks() {
  while (at_ < text_.size()) {
    if (is_blank(text_[at_])) {
      step();
    } else if (text_.substr(at_).starts_with("//")) {
      while (at_ < text_.size() && text_[at_] != '\n') step();
    } else if (text_.substr(at_).starts_with("/*")) {
      const Token start{Token::Kind::mark, text_.substr(at_, 2), line_, at_ - line_start_ + 1};
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) fail(start, "this comment has no end; close it with '*/'");
      while (at_ < end + 2) step();
    } else {
      return;
    }
  }
}

void Tokens::advance() {
  skip_blanks();
  next_ = {Token::Kind::end, {}, line_, at_ - line_start_ + 1};
  if (at_ == text_.size()) return;
  const std::size_t start = at_;
  if (kMarks.find(text_[at_]) != std::string_view::npos) {
    next_.kind = Token::Kind::mark;
    step();
    next_.text = text_.substr(start, 1);
  } else if (text_[at_] == '"') {
    const std::size_t end = text_.find('"', start + 1);
    if (end == std::string_view::npos) fail(next_, "this quotation has no end; close it with '\"'");
    next_.kind = Token::Kind::quoted;
    next_.text = text_.substr(start + 1, end - start - 1);
    if (std::ranges::any_of(next_.text, [](char c) { return static_cast<unsigned char>(c) < ' '; }))
      fail(next_, "this quotation holds a tab, the end of a line or another control character");
    while (at_ <= end) step();
  } else {
    next_.kind = Token::Kind::word;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '"' &&
           kMarks.find(text_[at_]) == std::string_view::npos && !at_comment())
      step();
    next_.text = text_.substr(start, at_ - start);
  }
}

void Tokens::skip_property() {
  // The token ahead belongs to the property; its text is read again as raw bytes.
  const Token first = next_;
  if (first.kind != Token::Kind::end) {
    at_ = static_cast<std::size_t>(first.text.data() - text_.data()) -
          (first.kind == Token::Kind::quoted ? 1 : 0);
    line_ = first.line;
    line_start_ = at_ + 1 - first.column;
  }
  bool quoted = false;
  while (at_ < text_.size() && (quoted || text_[at_] != ';')) {
    if (text_[at_] == '"') quoted = !quoted;
    step();
  }
  if (at_ == text_.size()) fail(first, "this property has no end; close it with ';'");
  step();
  advance();
}

}  // namespace postern::graph::bif
