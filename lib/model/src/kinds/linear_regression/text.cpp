#include "kinds/linear_regression/text.hpp"

#include <algorithm>
#include <array>

#include "postern/model/study_error.hpp"

#include "kinds/checks.hpp"
#include "kinds/learned.hpp"
#include "kinds/regression.hpp"

namespace postern::model {
namespace {

constexpr std::array<std::string_view, 6> kPriorKeys{"slopes", "intercept", "shape",
                                                     "rate",   "spread",    "mean_weight"};

std::array<Rational RegressionPrior::*, 6> prior_members() {
  return {&RegressionPrior::slopes, &RegressionPrior::intercept, &RegressionPrior::shape,
          &RegressionPrior::rate,   &RegressionPrior::spread,    &RegressionPrior::mean_weight};
}

void check_features(const LinearRegression& model, const Schema& schema) {
  if (model.features.empty()) {
    throw StudyError({{"model", "features"}}, ErrorCode::bad_value,
                     {"a regression needs a feature: declare another column beside the target '",
                      from_study(model.target), "', or model that alone by kind = \"family\""});
  }
  for (std::size_t i = 0; i < model.features.size(); ++i) {
    at_place({{"model", "features"}, i}, [&] { static_cast<void>(schema.at(model.features[i])); });
    if (model.features[i] == model.target) {
      throw StudyError(
          {{"model", "features"}, i}, ErrorCode::bad_value,
          {"the target '", from_study(model.target), "' is among the features; leave it out of `features`"});
    }
  }
}

RegressionPrior read_prior(Node& node, std::size_t entries) {
  RegressionPrior prior;
  const bool stated = states_numbers(node);
  const std::unique_ptr<Node> named = stated ? node.inner("prior") : nullptr;
  if (named) named->allow({"regression"});
  const std::unique_ptr<Node> inner = named ? named->inner("regression") : nullptr;
  if (inner) inner->allow(kPriorKeys);
  bool slopes = false;
  const auto members = prior_members();
  for (std::size_t k = 0; k < kPriorKeys.size(); ++k) {
    if (!inner || (!inner->states_all() && !inner->has(kPriorKeys[k]))) continue;
    prior.*members[k] = inner->rational(kPriorKeys[k]);
    slopes = slopes || k == 0;
  }
  if (inner) inner->finish();
  if (named) named->finish();
  if (!slopes) prior.slopes = 2 * static_cast<long>(entries) * prior.spread;
  return prior;
}

}  // namespace

LinearRegression read_regression(Node& node, const Schema& schema) {
  node.allow({"kind", "target", "features", "feature_products", "steps", "prior"});
  LinearRegression model;
  if (!node.states_all() && !node.has("target")) {
    node.refuse(ErrorCode::missing_key, "",
                {"a regression needs target = \"..\": the column of numbers that depends on the others"});
  }
  model.target = read_target(node, schema);
  const bool all = node.states_all();
  model.features = read_features(node, model.target, schema);
  if (all || node.has("feature_products")) model.feature_products = node.truth("feature_products");
  if (all || node.has("steps")) model.steps = node.integer("steps", 2, kMostMomentSteps);
  check_features(model, schema);
  const std::vector<MomentEntry> entries =
      at_place({{"model"}}, [&] { return regression_entries(model, schema); });
  model.prior = read_prior(node, entries.size() - 1);
  return model;
}

JsonValue write_regression(const LinearRegression& model) {
  JsonObject prior;
  const auto members = prior_members();
  for (std::size_t k = 0; k < kPriorKeys.size(); ++k)
    prior.push_back({std::string(kPriorKeys[k]), json_rational(model.prior.*members[k])});
  JsonValue stated = json_object({{"regression", json_object(std::move(prior))}});
  return json_object({{"kind", json_text("linear-regression")},
                      {"target", json_text(model.target)},
                      {"features", json_texts(model.features)},
                      {"feature_products", JsonValue{model.feature_products}},
                      {"steps", json_integer(model.steps)},
                      {"prior", model.learned ? json_text(kLearned) : std::move(stated)}});
}

std::vector<Rational> prior_numbers(const RegressionPrior& prior) {
  std::vector<Rational> out;
  for (const auto member : prior_members()) out.push_back(prior.*member);
  return out;
}

RegressionPrior regression_prior(const std::vector<Rational>& numbers) {
  RegressionPrior prior;
  const auto members = prior_members();
  for (std::size_t k = 0; k < members.size(); ++k) prior.*members[k] = numbers.at(k);
  return prior;
}

void check_regression(const LinearRegression& model, const Schema& schema) {
  check_features(model, schema);
  at_place({{"model", "target"}}, [&] { static_cast<void>(schema.at(model.target)); });
  at_place({{"model"}}, [&] { static_cast<void>(regression_entries(model, schema)); });
  for (const std::string& name : model.features) check_kept(schema.at(name));
  check_kept(schema.at(model.target));
  const std::vector<Rational> numbers = prior_numbers(model.prior);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    at_place({{"model", "prior", "regression", std::string(kPriorKeys[k])}},
             [&] { check_prior_parameter(numbers[k]); });
  }
}

}  // namespace postern::model
