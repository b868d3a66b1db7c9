#include "kinds/wide_components/text.hpp"

#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"

namespace postern::model {
namespace {

void check_number(const Column& column) {
  if (std::holds_alternative<Categories>(column.values) || !is_regression_number(column))
    throw Error(ErrorCode::bad_value, {"principal components are of columns that declare `real = [lo, hi]` "
                                       "and `grid`, or `integer = [lo, hi]`, without cuts, and '",
                                       from_study(column.name), "' does not"});
  if (std::holds_alternative<Drop>(column.outside))
    throw StudyError({{"columns", column.name, "outside"}}, ErrorCode::bad_value,
                     {"column '", from_study(column.name),
                      "' drops records outside its range, which principal components cannot allow for; write "
                      "outside = \"clamp\""});
}

StudyPlace prior_place(const char* key) { return {{"model", "prior", "components", key}}; }

}  // namespace

void check_wide(const WideComponents& model, const Schema& schema) {
  const std::size_t d = model.columns.size();
  if (d < 2 || d > kMostWideColumns)
    throw StudyError({{"model", "columns"}}, ErrorCode::bad_value,
                     {"principal components are of two to ", public_number(kMostWideColumns), " columns"});
  check_different(model.columns);
  for (std::size_t i = 0; i < d; ++i)
    at_place({{"model", "columns"}, i}, [&] { check_number(schema.at(model.columns[i])); });
  if (model.components < 1 || model.components > d)
    throw StudyError({{"model", "components"}}, ErrorCode::bad_value,
                     {"`components` must lie between 1 and the number of columns"});
  if (model.prior) return check_half_t(*model.prior);
  at_place(prior_place("weight"), [&] { check_prior_parameter(model.weight); });
  at_place(prior_place("degrees"), [&] { check_prior_parameter(model.degrees); });
  at_place(prior_place("spread"), [&] { check_prior_parameter(model.spread); });
  if (model.degrees <= static_cast<long>(d) + 1)
    throw StudyError(prior_place("degrees"), ErrorCode::bad_prior,
                     {"the prior's `degrees` is ", from_study(to_decimal(model.degrees)), "; with ",
                      public_number(static_cast<long long>(d)), " columns it must be above ",
                      public_number(static_cast<long long>(d) + 1)});
}

WideComponents read_wide(Node& node) {
  node.allow({"kind", "columns", "components", "of", "prior"});
  WideComponents out;
  out.columns = node.texts("columns");
  const auto d = static_cast<std::int64_t>(out.columns.size());
  out.degrees = static_cast<long>(d) + 11;
  if (node.states_all() || node.has("components"))
    out.components =
        static_cast<std::size_t>(node.integer("components", 1, static_cast<std::int64_t>(kMostWideColumns)));
  if (node.states_all() || node.has("of")) out.correlation = read_of_what(node);
  if (!states_numbers(node)) {
    out.prior = usual_half_t(out.columns.size());
    return out;
  }
  const std::unique_ptr<Node> named = node.inner("prior");
  named->allow({"half-t", "components"});
  if (named->has("half-t")) {
    out.prior = read_half_t(*named, out.columns.size());
    named->finish();
    return out;
  }
  const std::unique_ptr<Node> prior = named->inner("components");
  prior->allow({"weight", "degrees", "spread"});
  if (prior->states_all() || prior->has("weight")) out.weight = prior->rational("weight");
  if (prior->states_all() || prior->has("degrees")) out.degrees = prior->rational("degrees");
  if (prior->states_all() || prior->has("spread")) out.spread = prior->rational("spread");
  prior->finish();
  named->finish();
  return out;
}

JsonValue write_wide(const WideComponents& model) {
  const JsonValue stated = json_object({{"degrees", json_rational(model.degrees)},
                                        {"spread", json_rational(model.spread)},
                                        {"weight", json_rational(model.weight)}});
  JsonValue prior = model.prior ? write_half_t(*model.prior) : json_object({{"components", stated}});
  if (model.learned) prior = json_text(kLearned);
  return json_object({{"kind", json_text("principal-component")},
                      {"columns", json_texts(model.columns)},
                      {"components", json_integer(static_cast<Int128>(model.components))},
                      {"of", json_text(model.correlation ? "correlation" : "covariance")},
                      {"prior", std::move(prior)}});
}

}  // namespace postern::model
