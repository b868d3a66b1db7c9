#include "kinds/generalised_linear/text.hpp"

#include "postern/model/study_error.hpp"

namespace postern::model {
namespace {

std::vector<std::string> others(const std::string& target, const Schema& schema) {
  std::vector<std::string> names;
  for (const Column& column : schema.columns()) {
    if (column.name != target) names.push_back(column.name);
  }
  return names;
}

/// Records that are dropped for what they hold bend a regression.
void check_kept(const Column& column) {
  if (!is_regression_number(column) || !std::holds_alternative<Drop>(column.outside)) return;
  throw StudyError({{"columns", column.name, "outside"}}, ErrorCode::bad_value,
                   {"column '", from_study(column.name),
                    "' drops records outside its range, which bends a regression; write outside = \"clamp\" "
                    "and a range that holds nearly all"});
}

}  // namespace

GeneralisedLinear read_glm(Node& node, GlmFamily family, const Schema& schema) {
  node.allow({"kind", "target", "features", "feature_products", "steps", "prior"});
  GeneralisedLinear model;
  model.family = family;
  if (family == GlmFamily::poisson) model.prior_sd = 1;
  const bool all = node.states_all();
  if (!all && !node.has("target")) {
    node.refuse(ErrorCode::missing_key, "",
                {"a regression needs target = \"..\": the column that depends on the others"});
  }
  model.target = node.text("target");
  at_place({{"model", "target"}}, [&] { static_cast<void>(schema.at(model.target)); });
  model.features = all || node.has("features") ? node.texts("features") : others(model.target, schema);
  if (all || node.has("feature_products")) model.feature_products = node.truth("feature_products");
  if (all || node.has("steps")) model.steps = node.integer("steps", 2, kMostMomentSteps);
  if (all || node.has("prior")) {
    const std::unique_ptr<Node> prior = node.inner("prior");
    prior->allow({"normal"});
    model.prior_sd = prior->rational("normal");
    prior->finish();
  }
  return model;
}

JsonValue write_glm(const GeneralisedLinear& model) {
  return json_object({{"kind", json_text(std::string(to_text(model.family)))},
                      {"target", json_text(model.target)},
                      {"features", json_texts(model.features)},
                      {"feature_products", JsonValue{model.feature_products}},
                      {"steps", json_integer(model.steps)},
                      {"prior", json_object({{"normal", json_rational(model.prior_sd)}})}});
}

void check_glm(const GeneralisedLinear& model, const Schema& schema) {
  at_place({{"model", "target"}}, [&] { static_cast<void>(schema.at(model.target)); });
  at_place({{"model"}}, [&] { static_cast<void>(glm_entries(model, schema)); });
  for (const std::string& name : model.features) check_kept(schema.at(name));
  check_kept(schema.at(model.target));
  constexpr std::size_t kMostEntries = 20;
  if (feature_entries(model.features, model.target, schema).size() > kMostEntries) {
    throw StudyError({{"model", "features"}}, ErrorCode::bad_value,
                     {"the features have more than 20 coefficients, a category having one a level but the "
                      "first; name those that matter most: features = [..]"});
  }
  if (model.prior_sd < Rational(1, 1000) || model.prior_sd > 1000)
    throw StudyError({{"model", "prior", "normal"}}, ErrorCode::bad_prior,
                     {"the standard deviation of coefficients must lie in 0.001..1000"});
}

}  // namespace postern::model
