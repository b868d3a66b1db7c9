#include "postern/model/prior_text.hpp"

#include <algorithm>
#include <sstream>

#include "postern/core/error.hpp"
#include "postern/core/number_text.hpp"

#include "kinds/learned.hpp"
#include "kinds/other_priors.hpp"

namespace postern::model {
namespace {

struct Words {
  std::string name;  ///< of the prior's kind, or nothing
  std::vector<Rational> numbers;
};

Words read_words(const std::string& text, const PriorWords& kind, const OtherPriors* others) {
  std::string spaced = text;
  std::replace_if(
      spaced.begin(), spaced.end(),
      [](char c) { return c == ',' || c == '(' || c == ')' || c == '[' || c == ']'; }, ' ');
  std::istringstream in(spaced);
  Words words;
  for (std::string word; in >> word;) {
    if (const auto value = parse_number(word)) {
      words.numbers.push_back(*value);
    } else if (words.numbers.empty() && words.name.empty() &&
               (word == kind.name || (others != nullptr && others->other_prior().starts_with(word + ' ')))) {
      words.name = word;
    } else {
      throw Error(ErrorCode::bad_prior,
                  {"prior '", from_option(text), "': '", from_option(word),
                   "' is not understood; this model's prior is \"", from_study(kind.name),
                   "\" and decimal numbers, the numbers alone, or \"learned\"",
                   from_study(others == nullptr ? "" : ", or \"" + others->other_prior() + '"')});
    }
  }
  return words;
}

}  // namespace

bool says_learned(const std::string& text) { return text == kLearned; }

std::vector<Rational> parse_prior(const std::string& text, const Study& study) {
  const Kind& kind = study.model.kind();
  const PriorWords prior = kind.prior_words(study.model);
  const auto* others = dynamic_cast<const OtherPriors*>(&kind);
  Words words = read_words(text, prior, others);
  if (others != nullptr && words.numbers.size() == 1) {
    if (auto numbers = others->other_prior_numbers(study.model, words.name, words.numbers.front()))
      words.numbers = std::move(*numbers);
  }
  if (prior.one_for_all && words.numbers.size() == 1)
    words.numbers.resize(prior.numbers, Rational(words.numbers[0]));
  if (words.numbers.size() != prior.numbers) {
    throw Error(ErrorCode::bad_prior,
                {"prior '", from_option(text), "' has ",
                 public_number(static_cast<long long>(words.numbers.size())), " numbers and the model needs ",
                 public_number(static_cast<long long>(prior.numbers)), ": ", from_study(prior.which)});
  }
  kind.check(kind.with_prior(study.model, words.numbers), study.schema);
  return words.numbers;
}

}  // namespace postern::model
