#include <cmath>

#include "postern/core/error.hpp"
#include "postern/model/kinds/generalised_linear.hpp"

#include "kinds/regression.hpp"

namespace postern::model {
namespace {

void check_counts(const Column& target) {
  const auto* whole = std::get_if<IntegerRange>(&target.values);
  if (whole != nullptr && whole->cuts.empty() && whole->lo == 0 && whole->hi >= 2) return;
  throw Error(ErrorCode::bad_value, {"the target '", from_study(target.name),
                                     "' of a Poisson regression is a count: declare it by `integer = [0, "
                                     "most]`, most being 2 or above"});
}

void check_two_levels(const Column& target) {
  if (target.levels() == 2) return;
  throw Error(ErrorCode::bad_value,
              {"the target '", from_study(target.name),
               "' of a logistic regression has two levels; merge levels, or model a category of more by kind "
               "= \"naive-bayes\""});
}

}  // namespace

std::vector<MomentEntry> glm_entries(const GeneralisedLinear& model, const Schema& schema) {
  const Column& target = schema.at(model.target);
  model.family == GlmFamily::poisson ? check_counts(target) : check_two_levels(target);
  return moment_entries({model.features, model.target, model.steps}, schema);
}

std::int64_t glm_most(const GeneralisedLinear& model, const Schema& schema) {
  return std::int64_t{schema.at(model.target).levels()} - 1;
}

InterceptPrior intercept_prior(const GeneralisedLinear& model, const Schema& schema) {
  const double sd = model.prior_sd.get_d();
  if (model.family == GlmFamily::logistic) return {0, sd};
  return {0.5 * std::log(static_cast<double>(glm_most(model, schema))), 2 * sd};
}

std::vector<double> natural_coefficients(const std::vector<double>& scaled, const GeneralisedLinear& model,
                                         const Schema& schema) {
  return in_own_units(scaled, true, feature_scales(model.features, model.target, schema));
}

std::vector<double> scaled_coefficients(const std::vector<double>& natural, const GeneralisedLinear& model,
                                        const Schema& schema) {
  return in_scaled_units(natural, true, feature_scales(model.features, model.target, schema));
}

}  // namespace postern::model
