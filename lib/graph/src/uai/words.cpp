#include "uai/words.hpp"

#include <charconv>

namespace postern::graph::uai {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

void Words::skip() {
  for (; at_ < text_.size() && is_blank(text_[at_]); ++at_) {
    if (text_[at_] != '\n') continue;
    ++line_;
    line_start_ = at_ + 1;
  }
}

Error Words::error(ErrorCode code, std::string_view why) const {
  const std::string place = std::to_string(word_line_) + ":" + std::to_string(word_column_);
  return {code, {from_option(file_), ":", quote(place, 48), ": ", quote(why, 600)}};
}

std::string_view Words::take(std::string_view what) {
  word_line_ = line_;
  word_column_ = at_ - line_start_ + 1;
  if (end()) throw error(ErrorCode::study_syntax, "expected " + std::string(what) + ", found the end");
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
  const std::string_view word = text_.substr(begin, at_ - begin);
  skip();
  return word;
}

std::uint32_t Words::take_count(std::string_view what) {
  const std::string_view word = take(what);
  std::uint32_t out = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), out);
  if (read.ec != std::errc{} || read.ptr != word.data() + word.size()) {
    throw error(ErrorCode::study_syntax,
                "expected " + std::string(what) + ", found '" + std::string(word.substr(0, 40)) + "'");
  }
  return out;
}

double Words::take_number(std::string_view what) {
  const std::string_view word = take(what);
  double out = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), out);
  // A weight too small for a double is zero.
  const bool tiny = read.ec == std::errc::result_out_of_range && word.find("e-") != std::string_view::npos;
  if ((read.ec != std::errc{} && !tiny) || read.ptr != word.data() + word.size()) {
    throw error(ErrorCode::study_syntax,
                "expected " + std::string(what) + ", found '" + std::string(word.substr(0, 40)) + "'");
  }
  return tiny ? 0 : out;
}

}  // namespace postern::graph::uai
