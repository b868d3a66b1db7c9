#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "postern/core/error.hpp"

namespace postern::graph::uai {

/// The words of a text, which blanks part.
class Words {
 public:
  /// The text must outlive the words. `file` is for errors.
  Words(std::string_view text, std::string_view file) : text_(text), file_(file) { skip(); }
  [[nodiscard]] bool end() const { return at_ == text_.size(); }
  /// Fails: study_syntax if there is none, or it is no such number; `what` says what was expected.
  [[nodiscard]] std::string_view take(std::string_view what);
  [[nodiscard]] std::uint32_t take_count(std::string_view what);
  [[nodiscard]] double take_number(std::string_view what);
  /// At the last word taken.
  [[nodiscard]] Error error(ErrorCode code, std::string_view why) const;

 private:
  void skip();

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  std::size_t word_line_ = 1;
  std::size_t word_column_ = 1;
};

}  // namespace postern::graph::uai
