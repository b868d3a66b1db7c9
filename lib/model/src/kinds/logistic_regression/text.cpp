#include "kinds/logistic_regression/text.hpp"

#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/logistic_regression/covariates_text.hpp"
#include "kinds/regression.hpp"

namespace postern::model {
namespace {

constexpr std::int64_t kMostRecords = 1'000'000'000'000;

void read_rounds(LogisticRegression& model, Node& node) {
  const bool all = node.states_all();
  constexpr std::int64_t kRounds = 10;
  const std::int64_t rounds =
      all || node.has("rounds") ? node.integer("rounds", 1, kMostGradientRounds) : kRounds;
  model.split.assign(static_cast<std::size_t>(rounds), Rational(1));
  if (!all && !node.has("split")) return;
  model.split = node.rationals("split");
  if (model.split.size() != static_cast<std::size_t>(rounds))
    node.refuse(ErrorCode::bad_value, "split", {"needs a number for each of the `rounds`"});
}

}  // namespace

LogisticRegression read_logistic(Node& node, const Schema& schema) {
  node.allow({"kind", "target", "features", "intercept", "rounds", "split", "expected_records", "step",
              "covariates", node.states_all() ? "covariate_rows" : "covariates_from", "prior"});
  LogisticRegression model;
  for (const char* needed : {"target", "expected_records", "covariates"}) {
    if (node.states_all() || node.has(needed)) continue;
    if (needed == std::string_view("covariates") && node.has("covariates_from")) continue;
    node.refuse(
        ErrorCode::missing_key, "",
        {"a logistic regression needs target = \"..\" (a column of two levels), expected_records = .. "
         "(about how many records you expect, public) and covariates = \"uniform\" or a table of laws, or "
         "covariates_from = \"rows.csv\" (what is assumed of the features); `",
         from_study(needed), "` is missing"});
  }
  const bool all = node.states_all();
  model.target = read_target(node, schema);
  model.features = read_features(node, model.target, schema);
  if (all || node.has("intercept")) model.intercept = node.truth("intercept");
  read_rounds(model, node);
  model.expected_records = node.integer("expected_records", 1, kMostRecords);
  if (all || node.has("step")) model.step = node.rational("step");
  model.covariates = read_covariates(node, model.features, schema);
  model.prior_sd = read_normal_prior(node, model.prior_sd);
  return model;
}

JsonValue write_logistic(const LogisticRegression& model) {
  JsonObject members{{"kind", json_text("logistic-regression")},
                     {"target", json_text(model.target)},
                     {"features", json_texts(model.features)},
                     {"intercept", JsonValue{model.intercept}},
                     {"rounds", json_integer(static_cast<Int128>(model.split.size()))},
                     {"split", json_rationals(model.split)},
                     {"expected_records", json_integer(model.expected_records)},
                     {"step", json_rational(model.step)},
                     {"prior", json_object({{"normal", json_rational(model.prior_sd)}})}};
  merge_members(members, write_covariates(model.covariates, model.features));
  return json_object(std::move(members));
}

void check_logistic(const LogisticRegression& model, const Schema& schema) {
  at_place({{"model", "target"}}, [&] { static_cast<void>(schema.at(model.target)); });
  at_place({{"model"}}, [&] { static_cast<void>(GradientEntries(gradient_at(model, {}), schema)); });
  for (const std::string& name : model.features) check_kept(schema.at(name));
  check_covariates(model.covariates, model.features, schema);
  if (model.split.empty() || model.split.size() > kMostGradientRounds)
    throw StudyError({{"model", "rounds"}}, ErrorCode::bad_value, {"there are 1 to 100 rounds"});
  for (std::size_t t = 0; t < model.split.size(); ++t)
    if (!may_be_parameter(model.split[t]))
      throw StudyError({{"model", "split"}, t}, ErrorCode::bad_value,
                       {"a round's part of the budget is ", from_study(to_decimal(model.split[t])),
                        "; it must lie in 0.000001..1000000000. A round that is to have none is left out: "
                        "lower `rounds`"});
  if (model.step < Rational(1, 1000) || model.step > 1000 || model.step.get_den() > 1'000'000'000)
    throw StudyError({{"model", "step"}}, ErrorCode::bad_value, {"`step` must lie in 0.001..1000"});
  if (model.prior_sd < Rational(1, 1000) || model.prior_sd > 1000)
    throw StudyError({{"model", "prior", "normal"}}, ErrorCode::bad_prior,
                     {"the standard deviation of coefficients must lie in 0.001..1000"});
}

}  // namespace postern::model
