#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "postern/infer/event.hpp"
#include "postern/infer/kind.hpp"
#include "postern/model/study.hpp"

namespace postern::infer {

/// Reads the conditions of a probability from the text of a query: what stands between its brackets.
class ConditionReader {
 public:
  ConditionReader(const std::string& text, const model::Study& study);

  /// "a = x, b in {y, z}, c >= 3", up to a bar or the closing bracket, from `at` on, which moves behind them.
  [[nodiscard]] Event conditions(std::size_t& at);
  /// Says how queries are written.
  [[noreturn]] void fault() const;
  /// The next character that is no space; 0 at the end.
  [[nodiscard]] char peek(std::size_t& at) const;
  void take(char c, std::size_t& at) const;

 private:
  [[nodiscard]] std::string word(std::string_view stops, std::size_t& at) const;
  void condition(Event& event, std::size_t& at) const;
  [[nodiscard]] std::vector<bool> levels(const model::Column& column, std::size_t& at) const;
  [[nodiscard]] std::uint32_t value(const model::Column& column, std::string_view stops,
                                    std::size_t& at) const;
  void refuse_unquoted(std::size_t start, std::size_t end, const std::vector<std::string>& labels) const;
  [[noreturn]] void refuse(const std::string& wanted, const std::vector<std::string>& known,
                           const char* what) const;

  const std::string& text_;
  const model::Study& study_;
  const Kind& kind_;
  std::size_t columns_;
};

/// Both at once.
[[nodiscard]] Event both(const Event& a, const Event& b);
/// Is there a column none of whose levels is allowed?
[[nodiscard]] bool impossible(const Event& event);

}  // namespace postern::infer
