#include <charconv>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/infer/kind.hpp"
#include "postern/infer/query.hpp"

#include "condition_reader.hpp"
#include "parameter_reader.hpp"

namespace postern::infer {
namespace {

using Operation = Query::Operation;

/// expression: terms with + and -; term: factors with * and /; factor: a number, a probability, an expected
/// number of steps, one in brackets, or one with a minus before it.
class QueryReader {
 public:
  QueryReader(const std::string& text, const model::Study& study)
      : reader_(text, study),
        text_(text),
        columns_(model::columns_of(study.model).size()),
        steps_(kind_of(study.model).has_steps()) {
    out_.text = text;
  }

  Query read() {
    expression(0);
    if (reader_.peek(at_) != '\0' || out_.probabilities.empty()) reader_.fault();
    return std::move(out_);
  }

 private:
  static constexpr int kDeepest = 100;

  void expression(int depth) {
    if (depth > kDeepest) reader_.fault();
    term(depth);
    for (char sign = reader_.peek(at_); sign == '+' || sign == '-'; sign = reader_.peek(at_)) {
      ++at_;
      term(depth);
      out_.steps.push_back({sign == '+' ? Operation::add : Operation::subtract});
    }
  }
  void term(int depth) {
    factor(depth);
    for (char sign = reader_.peek(at_); sign == '*' || sign == '/'; sign = reader_.peek(at_)) {
      ++at_;
      factor(depth);
      out_.steps.push_back({sign == '*' ? Operation::multiply : Operation::divide});
    }
  }
  void factor(int depth) {
    const char next = reader_.peek(at_);
    if (next == '-') {
      if (depth > kDeepest) reader_.fault();
      ++at_;
      factor(depth + 1);
      out_.steps.push_back({Operation::negate});
    } else if (next == '(') {
      ++at_;
      expression(depth + 1);
      reader_.take(')', at_);
    } else if (next == 'P') {
      ++at_;
      probability();
    } else if (next == 'E' && steps_) {
      ++at_;
      mean_steps();
    } else {
      number();
    }
  }
  void number() {
    double value = 0;
    const auto [stop, fault] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (fault != std::errc()) reader_.fault();
    at_ = static_cast<std::size_t>(stop - text_.data());
    out_.steps.push_back({Operation::number, value});
  }
  void probability() {
    reader_.take('(', at_);
    what_stands_between(Operation::probability);
  }
  /// E(steps to a = x | a = y)
  void mean_steps() {
    constexpr std::string_view kWords = "steps to ";
    reader_.take('(', at_);
    (void)reader_.peek(at_);
    if (text_.compare(at_, kWords.size(), kWords) != 0) reader_.fault();
    at_ += kWords.size();
    what_stands_between(Operation::mean_steps);
  }
  void what_stands_between(Operation operation) {
    Probability out;
    out.given.levels.resize(columns_);
    out.event = reader_.conditions(at_);
    if (reader_.peek(at_) == '|') {
      ++at_;
      out.conditional = true;
      out.given = reader_.conditions(at_);
    }
    reader_.take(')', at_);
    if (impossible(out.given)) {
      throw Error(ErrorCode::bad_option,
                  {"query '", from_option(text_), "' asks for one column to have two values"});
    }
    // Where somebody is to arrive is not where they are now.
    if (operation == Operation::probability) out.event = both(out.event, out.given);
    out_.steps.push_back({operation, 0, out_.probabilities.size()});
    out_.probabilities.push_back(std::move(out));
  }

  ConditionReader reader_;
  const std::string& text_;
  std::size_t columns_;
  bool steps_;  ///< does the model have them?
  std::size_t at_ = 0;
  Query out_;
};

}  // namespace

Query parse_query(const std::string& text, const model::Study& study) {
  if (!study.model.kind().has_posterior() || study.model.kind().parameters(study).empty()) {
    throw Error(ErrorCode::bad_option,
                {"query '", from_option(text), "': this model has no parameters to ask about"});
  }
  if (!kind_of(study.model).has_probabilities()) return read_parameter_query(text, study);
  return QueryReader(text, study).read();
}

}  // namespace postern::infer
