#include "kinds/linear_regression/problem.hpp"

#include "postern/model/kinds/generalised_linear.hpp"

#include "infer.hpp"
#include "posterior/named_total.hpp"

namespace postern::infer {

GlmProblem start_glm(const model::Study& study, const InferOptions& options) {
  const model::Model of =
      options.prior ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  if (options.prior) of.kind().check(of, study.schema);
  const auto& model = of.get<model::GeneralisedLinear>();
  GlmProblem out;
  for (const model::MomentEntry& entry : model::feature_entries(model.features, model.target, study.schema))
    out.indicators.push_back(entry.level > 0);
  out.normal_features = false;
  out.sums.features = out.indicators.size();
  out.sums.prior = default_regression_prior(out.sums.features);
  out.sums.prior.weight = model::kGlmMeanWeight;
  out.sums.prior.scale.assign(out.sums.features, 10 * model::kGlmSpread);
  if (model.family == model::GlmFamily::poisson)
    out.law.most_counted = static_cast<double>(model::glm_most(model, study.schema));
  const model::InterceptPrior first = model::intercept_prior(model, study.schema);
  out.intercept_mean = first.mean;
  out.intercept_sd = first.sd;
  out.slope_sd = model.prior_sd.get_d();
  return out;
}

GlmProblem make_glm_problem(const release::RecordSet& releases, const InferOptions& options) {
  const model::Study& study = releases.front()->study;
  GlmProblem out = start_glm(study, options);
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks)
      add_regression_block(out.sums, block, study.schema);
  }
  add_known_products(out.sums, model::glm_entries(study.model.get<model::GeneralisedLinear>(), study.schema));
  out.sums.total = total_of(releases);
  return out;
}

}  // namespace postern::infer
