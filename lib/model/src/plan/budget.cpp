#include "postern/model/budget.hpp"

#include <array>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/core/number_text.hpp"
#include "postern/model/schema.hpp"

namespace postern::model {
namespace {

// Past this the noise is zero in almost every cell, and the word privacy would mislead.
constexpr int kAbsurd = 1000;
constexpr int kLarge = 10;

Mechanism parse_mechanism(const std::string& text) {
  const std::array known{Mechanism::laplace, Mechanism::gaussian,       Mechanism::exponential,
                         Mechanism::fourier, Mechanism::posterior_draw, Mechanism::map,
                         Mechanism::gradient};
  std::vector<std::string> names;
  for (const Mechanism mechanism : known) {
    if (text == to_text(mechanism)) return mechanism;
    names.emplace_back(to_text(mechanism));
  }
  const auto nearest = nearest_name(text, names);
  throw Error(ErrorCode::bad_option,
              {"there is no mechanism '", from_option(text),
               "'; this version has laplace (epsilon), gaussian (rho), exponential (quantiles), fourier, "
               "posterior-draw and map (networks)",
               from_option(nearest ? "; did you mean " + *nearest + "?" : "")});
}

/// "age=2"
std::pair<std::string, Rational> parse_share(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const auto share = equals == std::string::npos ? std::nullopt : parse_number(text.substr(equals + 1));
  if (equals == 0 || !share) {
    throw Error(ErrorCode::bad_option, {"'", from_option(text),
                                        "' is no share; write the name of a block, '=' and a decimal number, "
                                        "such as sum=2"});
  }
  return {text.substr(0, equals), *share};
}

}  // namespace

Spend parse_amount(Currency currency, std::string_view what, std::string_view text) {
  const Spend amount = Spend::parse(currency, text);
  if (amount.exact() > kAbsurd) {
    throw Error(ErrorCode::bad_budget,
                {from_option(what), " ", from_option(text), " protects no one: at most ",
                 public_number(kAbsurd), " is accepted, and 1 or less is usual"});
  }
  return amount;
}

bool is_large(const Spend& amount) { return amount.exact() > kLarge; }

NoisePlan plan_for(const BudgetRequest& request, const Study& study) {
  const std::string_view unit = unit_name(study.privacy.currency);
  if (request.epsilon.has_value() == request.rho.has_value()) {
    throw Error(ErrorCode::usage,
                {"give exactly one of epsilon and rho; this study is paid in ", from_study(unit)});
  }
  const Currency currency = request.epsilon ? Currency::pure : Currency::zcdp;
  if (currency != study.privacy.currency) {
    throw Error(ErrorCode::currency_mismatch,
                {"the study's currency is ", from_study(to_text(study.privacy.currency)), ": give ",
                 from_study(unit), " instead of ", from_study(unit_name(currency))});
  }
  const std::string& text = request.epsilon ? *request.epsilon : *request.rho;
  const Spend amount = parse_amount(currency, unit, text);
  Request wanted{request.mechanism ? parse_mechanism(*request.mechanism) : default_mechanism(study), {}};
  for (const std::string& share : request.shares) {
    if (!wanted.shares.insert(parse_share(share)).second)
      throw Error(ErrorCode::bad_option, {"'", from_option(share), "' gives a block a second share"});
  }
  return make_noise_plan(study, wanted, amount);
}

}  // namespace postern::model
