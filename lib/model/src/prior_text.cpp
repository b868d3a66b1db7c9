#include "postern/model/prior_text.hpp"

#include <algorithm>
#include <sstream>

#include "postern/core/error.hpp"

namespace postern::model {
namespace {

struct Words {
  std::string name;  ///< "beta", "dirichlet" or nothing
  std::vector<Rational> numbers;
};

Words read_words(const std::string& text) {
  std::string spaced = text;
  std::replace_if(
      spaced.begin(), spaced.end(),
      [](char c) { return c == ',' || c == '(' || c == ')' || c == '[' || c == ']'; }, ' ');
  std::istringstream in(spaced);
  Words words;
  for (std::string word; in >> word;) {
    if (const auto value = parse_decimal(word)) {
      words.numbers.push_back(*value);
    } else if (words.numbers.empty() && words.name.empty() && (word == "beta" || word == "dirichlet")) {
      words.name = word;
    } else {
      throw Error(ErrorCode::bad_prior,
                  {"prior '", from_option(text), "': '", from_option(word),
                   "' is not understood; write \"beta 1 1\", \"dirichlet 1\" or a list of decimal numbers"});
    }
  }
  return words;
}

}  // namespace

std::vector<Rational> parse_prior(const std::string& text, const Study& study) {
  Words words = read_words(text);
  const bool bernoulli = std::holds_alternative<Bernoulli>(study.model);
  const std::size_t wanted = bernoulli ? 2 : std::get<Categorical>(study.model).alpha.size();
  if (words.name == "beta" && !bernoulli) {
    throw Error(ErrorCode::bad_prior, {"prior: the model is categorical; its prior is \"dirichlet ...\""});
  }
  if (words.name == "dirichlet" && words.numbers.size() == 1)
    words.numbers.resize(wanted, Rational(words.numbers[0]));
  if (words.numbers.size() != wanted) {
    throw Error(
        ErrorCode::bad_prior,
        {"prior '", from_option(text), "' has ", public_number(static_cast<long long>(words.numbers.size())),
         " numbers and the model needs ", public_number(static_cast<long long>(wanted))});
  }
  for (const Rational& number : words.numbers) {
    if (sgn(number) <= 0)
      throw Error(ErrorCode::bad_prior, {"prior '", from_option(text), "': its numbers must be positive"});
  }
  return words.numbers;
}

}  // namespace postern::model
