#include "kinds/generalised_linear/text.hpp"

#include "postern/model/study_error.hpp"

#include "kinds/learned.hpp"
#include "kinds/regression.hpp"

namespace postern::model {
GeneralisedLinear read_glm(Node& node, GlmFamily family, const Schema& schema) {
  node.allow({"kind", "target", "features", "feature_products", "steps", "prior"});
  GeneralisedLinear model;
  model.family = family;
  model.prior_sd = default_glm_sd(family);
  const bool all = node.states_all();
  if (!all && !node.has("target")) {
    node.refuse(ErrorCode::missing_key, "",
                {"a regression needs target = \"..\": the column that depends on the others"});
  }
  model.target = read_target(node, schema);
  model.features = read_features(node, model.target, schema);
  if (all || node.has("feature_products")) model.feature_products = node.truth("feature_products");
  if (all || node.has("steps")) model.steps = node.integer("steps", 2, kMostMomentSteps);
  model.prior_sd = read_normal_prior(node, model.prior_sd);
  return model;
}

JsonValue write_glm(const GeneralisedLinear& model) {
  return json_object({{"kind", json_text(std::string(to_text(model.family)))},
                      {"target", json_text(model.target)},
                      {"features", json_texts(model.features)},
                      {"feature_products", JsonValue{model.feature_products}},
                      {"steps", json_integer(model.steps)},
                      {"prior", model.learned ? json_text(kLearned)
                                              : json_object({{"normal", json_rational(model.prior_sd)}})}});
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
