#include "kinds/checks.hpp"

#include <algorithm>

#include "postern/model/study_error.hpp"

namespace postern::model {

const Column& named_column(const std::string& name, const Schema& schema) {
  return at_place({{"model", "column"}}, [&]() -> const Column& { return schema.at(name); });
}

bool may_be_parameter(const Rational& value) {
  return value >= Rational(1, 1'000'000) && value <= 1'000'000'000;
}

void check_prior_parameter(const Rational& value) {
  if (!may_be_parameter(value)) {
    throw Error(ErrorCode::bad_prior, {"a prior parameter is ", from_study(to_decimal(value)),
                                       "; it must lie in 0.000001..1000000000"});
  }
}

void check_different(const std::vector<std::string>& columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto here = columns.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(columns.begin(), here, columns[i]) != here) {
      throw StudyError({{"model", "columns"}, i}, ErrorCode::bad_value,
                       {"the model names the column '", from_study(columns[i]), "' twice"});
    }
  }
}

std::vector<Rational> times(std::vector<Rational> numbers, const Rational& factor) {
  for (Rational& number : numbers) number *= factor;
  return numbers;
}

std::string joined(const std::vector<std::string>& parts, const char* glue) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : glue) + part;
  return out;
}

std::string with_commas(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string joined(const std::vector<Rational>& numbers) {
  std::vector<std::string> parts;
  parts.reserve(numbers.size());
  for (const Rational& number : numbers) parts.push_back(to_decimal(number));
  return joined(parts, ", ");
}

}  // namespace postern::model
