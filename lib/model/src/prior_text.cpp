#include "postern/model/prior_text.hpp"

#include <algorithm>
#include <sstream>

#include "postern/core/error.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/vector_family.hpp"

namespace postern::model {
namespace {

struct Words {
  std::string name;  ///< of the prior's kind, or nothing
  std::vector<Rational> numbers;
};

/// What the model's prior is called, how many numbers it has, and which.
struct PriorKind {
  std::string_view name;
  std::size_t numbers = 0;
  std::string which;
};

PriorKind kind_of(const Bernoulli& /*model*/) { return {"beta", 2, "a, b"}; }
PriorKind kind_of(const Categorical& model) {
  return {"dirichlet", model.alpha.size(), "one a cell, or one for all"};
}
PriorKind kind_of(const Number& model) {
  const NumberFamily& family = *find_number_family(model.family);
  std::string which;
  for (const NamedNumber& number : family.prior_numbers)
    which += (which.empty() ? "" : ", ") + std::string(number.name);
  return {family.prior, family.prior_numbers.size(), which};
}

PriorKind kind_of(const MultivariateNormal& model) {
  const std::size_t d = model.columns.size();
  const std::string size = std::to_string(d);
  return {"normal-inverse-wishart", d + 2 + d * d,
          size + " means, weight, degrees, and the " + size + " x " + size + " scale row by row"};
}
PriorKind kind_of(const Quantiles& /*model*/) {
  throw Error(ErrorCode::bad_prior, {"a study of quantiles has no prior"});
}

Words read_words(const std::string& text, const PriorKind& kind) {
  std::string spaced = text;
  std::replace_if(
      spaced.begin(), spaced.end(),
      [](char c) { return c == ',' || c == '(' || c == ')' || c == '[' || c == ']'; }, ' ');
  std::istringstream in(spaced);
  Words words;
  for (std::string word; in >> word;) {
    if (const auto value = parse_decimal(word)) {
      words.numbers.push_back(*value);
    } else if (words.numbers.empty() && words.name.empty() && word == kind.name) {
      words.name = word;
    } else {
      throw Error(ErrorCode::bad_prior,
                  {"prior '", from_option(text), "': '", from_option(word),
                   "' is not understood; this model's prior is \"", from_study(kind.name),
                   "\" and decimal numbers, or the numbers alone"});
    }
  }
  return words;
}

}  // namespace

std::vector<Rational> parse_prior(const std::string& text, const Study& study) {
  const PriorKind kind = std::visit([](const auto& m) { return kind_of(m); }, study.model);
  const std::size_t wanted = kind.numbers;
  Words words = read_words(text, kind);
  if (words.name == "dirichlet" && words.numbers.size() == 1)
    words.numbers.resize(wanted, Rational(words.numbers[0]));
  if (words.numbers.size() != wanted) {
    throw Error(ErrorCode::bad_prior,
                {"prior '", from_option(text), "' has ",
                 public_number(static_cast<long long>(words.numbers.size())), " numbers and the model needs ",
                 public_number(static_cast<long long>(wanted)), ": ", from_study(kind.which)});
  }
  const auto* number_model = std::get_if<Number>(&study.model);
  if (number_model != nullptr) {  // the family knows which of its numbers may be negative
    Study stated = study;
    std::get<Number>(stated.model).prior = words.numbers;
    check_model(stated.model, stated.schema);
    return words.numbers;
  }
  if (const auto* vector_model = std::get_if<MultivariateNormal>(&study.model)) {
    check_model(with_prior(*vector_model, words.numbers), study.schema);
    return words.numbers;
  }
  for (const Rational& number : words.numbers) {
    if (sgn(number) <= 0)
      throw Error(ErrorCode::bad_prior, {"prior '", from_option(text), "': its numbers must be positive"});
  }
  return words.numbers;
}

}  // namespace postern::model
