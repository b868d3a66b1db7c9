#include "kinds/number/check.hpp"

#include <algorithm>

#include "postern/model/encoded_number.hpp"
#include "postern/model/number_family.hpp"
#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"
#include "statistic/sums/cost.hpp"

namespace postern::model {
namespace {

/// The ends of a column of numbers without cuts, and whether they are whole numbers.
struct Bounds {
  Rational lo;
  Rational hi;
  bool whole = false;
};

Bounds bounds_of(const Column& column, const NumberFamily& family) {
  const auto* whole = std::get_if<IntegerRange>(&column.values);
  const auto* real = std::get_if<RealRange>(&column.values);
  const bool cut = (whole != nullptr && !whole->cuts.empty()) || (real != nullptr && !real->cuts.empty());
  const bool known =
      (whole != nullptr && (family.whole || family.rounds)) || (real != nullptr && !family.whole);
  if (!known || cut) {
    throw StudyError({{"model", "column"}}, ErrorCode::bad_value,
                     {"family = \"", from_study(family.name), "\" needs a column that declares ",
                      family.whole    ? Piece("`integer = [lo, hi]`")
                      : family.rounds ? Piece("`real = [lo, hi]` and `grid`, or `integer = [lo, hi]`,")
                                      : Piece("`real = [lo, hi]` and `grid`"),
                      " without cuts, and '", from_study(column.name), "' does not"});
  }
  if (whole != nullptr) return {Rational(whole->lo), Rational(whole->hi), true};
  return {real->lo, real->hi, false};
}

void check_value(const NamedNumber& named, const Rational& value, StudyPlace place, ErrorCode code) {
  const auto refuse = [&](Piece rule) {
    throw StudyError(
        std::move(place), code,
        {"'", from_study(named.name), "' is ", from_study(to_decimal(value)), "; it must ", rule});
  };
  if (named.rule == NumberRule::any) {
    constexpr long kMost = 1'000'000'000'000;
    if (abs(value) > kMost) refuse("lie in -1000000000000..1000000000000");
  } else if (named.rule == NumberRule::whole && (value.get_den() != 1 || value < 1)) {
    refuse("be a whole number from 1 on");
  } else if (!may_be_parameter(value)) {
    refuse("lie in 0.000001..1000000000");
  }
}

void check_length(const std::vector<NamedNumber>& wanted, const std::vector<Rational>& given,
                  const StudyPlace& place, ErrorCode code) {
  if (wanted.size() == given.size()) return;
  throw StudyError(place, code,
                   {"the ", Piece(place.keys.size() > 1 ? Piece("prior") : Piece("model")), " has ",
                    public_number(static_cast<long long>(given.size())), " numbers and the family needs ",
                    public_number(static_cast<long long>(wanted.size()))});
}

/// Known parameters are keys of their own, those of the prior items of one list.
void check_values(const Number& model, const NumberFamily& family) {
  check_length(family.known, model.known, {{"model"}}, ErrorCode::bad_value);
  for (std::size_t i = 0; i < family.known.size(); ++i) {
    const NamedNumber& named = family.known[i];
    check_value(named, model.known[i], {{"model", std::string(named.name)}}, ErrorCode::bad_value);
  }
  if (model.learned) return;
  const StudyPlace prior{{"model", "prior", std::string(family.prior)}};
  check_length(family.prior_numbers, model.prior, prior, ErrorCode::bad_prior);
  for (std::size_t i = 0; i < family.prior_numbers.size(); ++i)
    check_value(family.prior_numbers[i], model.prior[i], {prior.keys, i}, ErrorCode::bad_prior);
}

void check_range(const Number& model, const NumberFamily& family, const Bounds& bounds) {
  const Transform transform = family.transform(model.known);
  const bool positive = transform.kind == Transform::Kind::log;
  if ((family.non_negative && bounds.lo < 0) || (positive && bounds.lo <= 0)) {
    throw StudyError({{"columns", model.column, bounds.whole ? "integer" : "real"}, 0}, ErrorCode::bad_value,
                     {"column '", from_study(model.column), "' begins at ", from_study(to_decimal(bounds.lo)),
                      ", and family = \"", from_study(family.name), "\" has only numbers ",
                      positive ? Piece("above 0") : Piece("from 0 on")});
  }
  if (family.bounded && (bounds.lo != 0 || bounds.hi != model.known.front())) {
    throw StudyError({{"columns", model.column, "integer"}}, ErrorCode::bad_value,
                     {"family = \"", from_study(family.name), "\" needs `integer = [0, ",
                      from_study(to_decimal(model.known.front())), "]` in column '", from_study(model.column),
                      "', every number of successes"});
  }
  if (family.least && model.known[*family.least] >= bounds.hi) {
    const NamedNumber& named = family.known[*family.least];
    throw StudyError(
        {{"model", std::string(named.name)}}, ErrorCode::bad_value,
        {"'", from_study(named.name), "' is ", from_study(to_decimal(model.known[*family.least])),
         ", and column '", from_study(model.column), "' ends at ", from_study(to_decimal(bounds.hi)),
         ": no record would lie inside, and nothing can be learnt; declare a wider range"});
  }
  if (bounds.lo >= bounds.hi) {
    throw StudyError(
        {{"columns", model.column, bounds.whole ? "integer" : "real"}}, ErrorCode::bad_value,
        {"column '", from_study(model.column), "' holds one number only: nothing can be learnt"});
  }
}

}  // namespace

void check_number(const Number& model, const Column& column) {
  const NumberFamily* family = find_number_family(model.family);
  if (family == nullptr)
    throw StudyError({{"model", "family"}}, ErrorCode::unsupported,
                     {"there is no family '", from_study(model.family), "'"});
  const Bounds bounds = bounds_of(column, *family);
  check_values(model, *family);
  check_range(model, *family, bounds);
  // These refuse what is not finite, and what cannot be counted.
  at_place({{"columns", model.column}},
           [&] { static_cast<void>(level_values(column, family->transform(model.known))); });
  if (!model.count_inside) return;
  at_place({{"model", "count_inside"}}, [&] {
    if (family->bounded) {
      throw Error(ErrorCode::bad_value, {"family = \"", from_study(family->name),
                                         "\" has no values outside its column: leave out count_inside"});
    }
    static_cast<void>(inside_terms(column, family->transform(model.known)));
  });
}

Number read_number(Node& node, const NumberFamily& family) {
  std::vector<std::string_view> keys{"kind", "family", "column", "prior", "count_inside"};
  if (node.states_all()) keys.emplace_back("known");
  for (const NamedNumber& number : family.known) keys.push_back(number.name);
  node.allow(keys);
  Number model;
  model.family = family.name;
  model.column = node.text("column");
  if (node.has("count_inside")) {
    model.count_inside = node.truth("count_inside");
    if (node.states_all() && !model.count_inside)
      node.refuse(ErrorCode::release_malformed, "count_inside", {"is left out where it is false"});
  }
  const std::unique_ptr<Node> known = node.beside("known");
  for (const NamedNumber& number : family.known) model.known.push_back(known->rational(number.name));
  known->finish();
  if (states_numbers(node)) {
    const std::unique_ptr<Node> prior = node.inner("prior");
    const std::string_view name[] = {family.prior};
    prior->allow(name);
    model.prior = prior->rationals(family.prior, node.states_all() ? 0 : family.prior_numbers.size());
    prior->finish();
  } else if (family.default_prior.empty() && !says_learned(node) && !node.learns_priors()) {
    std::vector<std::string> numbers;
    for (const NamedNumber& number : family.prior_numbers) numbers.emplace_back(number.name);
    node.refuse(
        ErrorCode::missing_key, "",
        {"family \"", from_study(family.name), "\" has no prior that suits everyone; write prior = { ",
         from_study(family.prior), " = [", from_study(joined(numbers, ", ")), "] }"});
  } else {
    for (const long number : family.default_prior) model.prior.emplace_back(number);
  }
  return model;
}

}  // namespace postern::model
