#include "parameter_reader.hpp"

#include <cctype>
#include <charconv>
#include <utility>

#include "postern/core/error.hpp"

namespace postern::infer {
namespace {

using Operation = Query::Operation;

/// expression: terms with + and -; term: factors with * and /; factor: a number, a parameter, P(condition,
/// ...), an expression in brackets, or one with a minus before it; condition: expression > expression, or <.
class ParameterReader {
 public:
  ParameterReader(const std::string& text, const model::Study& study)
      : text_(text), parameters_(study.model.kind().parameters(study)) {
    out_.text = text;
  }

  Query read() {
    expression(0);
    if (peek() != '\0' || !names_) fault();
    return std::move(out_);
  }

 private:
  static constexpr int kDeepest = 100;

  [[noreturn]] void fault() const {
    const model::Parameter& last = parameters_.back();
    throw Error(ErrorCode::bad_option,
                {"query '", from_option(text_), "' is not understood; write it like \"P(",
                 from_document(parameters_.front().name), " > 0)\" or \"2 * ",
                 from_document(parameters_.front().name), " - ", from_document(last.name),
                 "\", with the names of parameters, or their labels in double quotes: '",
                 from_document(last.label), "'"});
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void take(char c) {
    if (peek() != c) fault();
    ++at_;
  }

  void expression(int depth) {
    if (depth > kDeepest) fault();
    term(depth);
    for (char sign = peek(); sign == '+' || sign == '-'; sign = peek()) {
      ++at_;
      term(depth);
      out_.steps.push_back({sign == '+' ? Operation::add : Operation::subtract});
    }
  }
  void term(int depth) {
    factor(depth);
    for (char sign = peek(); sign == '*' || sign == '/'; sign = peek()) {
      ++at_;
      factor(depth);
      out_.steps.push_back({sign == '*' ? Operation::multiply : Operation::divide});
    }
  }
  void factor(int depth) {
    const char next = peek();
    if (depth > kDeepest) fault();
    if (next == '-') {
      ++at_;
      factor(depth + 1);
      out_.steps.push_back({Operation::negate});
    } else if (next == '(') {
      ++at_;
      expression(depth + 1);
      take(')');
    } else if (next == '"' || std::isalpha(static_cast<unsigned char>(next)) != 0) {
      named(depth);
    } else {
      number();
    }
  }
  void number() {
    double value = 0;
    const auto [stop, wrong] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (wrong != std::errc()) fault();
    at_ = static_cast<std::size_t>(stop - text_.data());
    out_.steps.push_back({Operation::number, value});
  }
  void named(int depth) {
    const std::string name = word();
    if (name == "P" && peek() == '(') {
      ++at_;
      condition(depth + 1);
      for (; peek() == ','; out_.steps.push_back({Operation::multiply})) {
        ++at_;
        condition(depth + 1);
      }
      return take(')');
    }
    for (std::size_t q = 0; q < parameters_.size(); ++q) {
      if (parameters_[q].name != name && parameters_[q].label != name) continue;
      names_ = true;
      return out_.steps.push_back({Operation::parameter, 0, q});
    }
    refuse(name);
  }
  void condition(int depth) {
    expression(depth);
    const char sign = peek();
    if (sign != '<' && sign != '>') fault();
    ++at_;
    if (peek() == '=') ++at_;  // of a continuous law it is the same
    expression(depth);
    out_.steps.push_back({sign == '<' ? Operation::less : Operation::greater});
  }
  std::string word() {
    if (peek() == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string::npos) fault();
      std::string quoted = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return quoted;
    }
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '.' || text_[at_] == '_'))
      ++at_;
    return text_.substr(start, at_ - start);
  }
  [[noreturn]] void refuse(const std::string& name) const {
    std::vector<std::string> known;
    for (const model::Parameter& one : parameters_) {
      known.push_back(one.name);
      known.push_back(one.label);
    }
    throw Error(ErrorCode::bad_option,
                {"query '", from_option(text_), "': there is no parameter '", from_option(name),
                 "'; did you mean '", from_document(model::nearest_name(name, known).value_or(known.front())),
                 "'? A label goes in double quotes"});
  }

  const std::string& text_;
  std::vector<model::Parameter> parameters_;
  std::size_t at_ = 0;
  bool names_ = false;  ///< any parameter at all
  Query out_;
};

}  // namespace

Query read_parameter_query(const std::string& text, const model::Study& study) {
  return ParameterReader(text, study).read();
}

}  // namespace postern::infer
