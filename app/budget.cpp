#include "budget.hpp"

#include <array>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

#include "errors.hpp"

namespace postern::app {
namespace {

// Past this the noise is zero in almost every cell, and the word privacy would mislead.
constexpr int kAbsurd = 1000;
constexpr int kLarge = 10;

model::Mechanism parse_mechanism(const std::string& text) {
  const std::array<model::Mechanism, 2> known{model::Mechanism::laplace, model::Mechanism::gaussian};
  std::vector<std::string> names;
  for (const model::Mechanism mechanism : known) {
    if (text == model::to_text(mechanism)) return mechanism;
    names.emplace_back(model::to_text(mechanism));
  }
  const std::string nearest = model::nearest_name(text, names).value_or(names.front());
  throw Error(
      ErrorCode::bad_option,
      {"there is no mechanism '", from_option(text),
       "'; this version has laplace (epsilon) and gaussian (rho); did you mean ", from_option(nearest), "?"});
}

}  // namespace

void BudgetOptions::declare(Command& command) {
  command.option("--epsilon", epsilon, "E",
                 "privacy to spend on a study whose currency is pure, such as 0.5");
  command.option("--rho", rho, "R", "privacy to spend on a study whose currency is zcdp, such as 0.1");
  command.option("--mechanism", mechanism, "NAME",
                 "laplace (with epsilon) or gaussian (with rho); chosen by default");
}

Spend parse_amount(Currency currency, const std::string& option, const std::string& text) {
  const Spend amount = Spend::parse(currency, text);
  if (amount.exact() > kAbsurd) {
    throw Error(ErrorCode::bad_budget,
                {from_option(option), " ", from_option(text), " protects no one: at most ",
                 public_number(kAbsurd), " is accepted, and 1 or less is usual"});
  }
  return amount;
}

model::NoisePlan make_plan(const BudgetOptions& options, const model::Study& study) {
  if (options.epsilon.has_value() == options.rho.has_value()) {
    throw Error(ErrorCode::usage, {"give exactly one of --epsilon and --rho; this study is paid in ",
                                   from_study(unit_name(study.privacy.currency))});
  }
  const Currency currency = options.epsilon ? Currency::pure : Currency::zcdp;
  if (currency != study.privacy.currency) {
    throw Error(
        ErrorCode::currency_mismatch,
        {"the study's currency is ", from_study(to_text(study.privacy.currency)), ": give --",
         from_study(unit_name(study.privacy.currency)), " instead of --", from_study(unit_name(currency))});
  }
  const std::string& text = options.epsilon ? *options.epsilon : *options.rho;
  const Spend amount = parse_amount(currency, options.epsilon ? "--epsilon" : "--rho", text);
  if (amount.exact() > kLarge) {
    warn(std::string(unit_name(currency)) + " " + amount.text() + " is large: the guarantee it buys is weak");
  }
  const model::Mechanism mechanism =
      options.mechanism ? parse_mechanism(*options.mechanism) : model::default_mechanism(currency);
  return model::make_noise_plan(study, mechanism, amount);
}

}  // namespace postern::app
