#include "problem.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/release/noise_law.hpp"

#include "posterior/named_total.hpp"
#include "public_rows.hpp"

namespace postern::infer {
namespace {

void add_moments(RegressionProblem& problem, const release::MeasuredBlock& measured,
                 const model::Moments& moments, const model::Schema& schema) {
  const double unit = model::moment_unit(moments).get_d();
  const MomentNoise noise = scaled_noise(measured.block.noise, unit);
  const std::vector<model::MomentPair> pairs = model::moment_pairs(moments, schema);
  if (pairs.size() != measured.values.size())
    throw Error(ErrorCode::release_inconsistent, {"a release holds more or fewer sums than its model has"});
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    NoisyMoment one{pairs[c].first, pairs[c].second, unit * static_cast<double>(measured.values[c]), noise};
    one.unit = unit;
    if (moments.centred) one.weight = -0.5;  // times n, which is G_00
    if (one.i >= problem.width() || one.j >= problem.width())
      throw Error(ErrorCode::release_inconsistent, {"a release holds a sum that its model does not have"});
    problem.moments.push_back(one);
  }
}

}  // namespace

MomentNoise scaled_noise(const model::Noise& noise, double unit) {
  const release::NoiseLaw law = release::noise_law(noise);
  if (const auto* laplace = std::get_if<release::DiscreteLaplace>(&law))
    return {MomentNoise::Shape::laplace, unit / laplace->lambda()};
  return {MomentNoise::Shape::gaussian, unit * std::sqrt(std::get<release::DiscreteGaussian>(law).sigma2())};
}

void add_known_products(RegressionProblem& problem, const std::vector<model::MomentEntry>& entries) {
  constexpr double kSharper = 0.1;
  double scale = 0;
  for (const NoisyMoment& one : problem.moments) {
    const std::size_t place = std::max(one.i, one.j);
    if (std::min(one.i, one.j) != 0 || place == 0 || place >= problem.width() - 1) continue;
    scale = scale == 0 ? one.noise.scale : std::min(scale, one.noise.scale);
  }
  if (scale == 0) return;
  const MomentNoise noise{MomentNoise::Shape::gaussian, kSharper * scale};
  for (std::size_t a = 0; a + 1 < entries.size(); ++a) {
    if (entries[a].level == 0) continue;
    problem.moments.push_back({a + 1, a + 1, 0, noise, -1, a + 1, 0});
    for (std::size_t b = 0; b < a; ++b) {
      if (entries[b].column == entries[a].column) problem.moments.push_back({a + 1, b + 1, 0, noise});
    }
  }
}

void add_regression_block(RegressionProblem& problem, const release::MeasuredBlock& measured,
                          const model::Schema& schema) {
  const model::Statistic& statistic = measured.block.statistic;
  if (const auto* moments = statistic.as<model::Moments>()) {
    add_moments(problem, measured, *moments, schema);
  } else if (statistic.as<model::RecordCount>() != nullptr) {
    problem.moments.push_back(
        {0, 0, static_cast<double>(measured.values.at(0)), scaled_noise(measured.block.noise, 1)});
  } else {
    throw Error(ErrorCode::release_inconsistent, {"a release of a regression holds something else"});
  }
}

RegressionProblem start_regression(const model::Study& study, const InferOptions& options) {
  const model::Model model =
      options.prior ? study.model.kind().with_prior(study.model, *options.prior) : study.model;
  if (options.prior) model.kind().check(model, study.schema);
  const auto& regression = model.get<model::LinearRegression>();
  const std::size_t features = model::regression_entries(regression, study.schema).size() - 1;
  RegressionProblem out;
  out.features = features;
  const model::RegressionPrior& prior = regression.prior;
  out.prior.weight = prior.mean_weight.get_d();
  out.prior.degrees = static_cast<double>(features) + 11;
  out.prior.scale.assign(features, 10 * prior.spread.get_d());
  out.prior.precision.assign(features + 1, prior.slopes.get_d());
  out.prior.precision.front() = prior.intercept.get_d();
  out.prior.shape = prior.shape.get_d();
  out.prior.rate = prior.rate.get_d();
  return out;
}

RegressionProblem make_regression_problem(const release::RecordSet& releases, const InferOptions& options) {
  const model::Study& study = releases.front()->study;
  RegressionProblem out = start_regression(study, options);
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks)
      add_regression_block(out, block, study.schema);
  }
  add_known_products(out,
                     model::regression_entries(study.model.get<model::LinearRegression>(), study.schema));
  out.total = total_of(releases);
  if (options.public_rows) add_public_rows(out, *options.public_rows, study);
  return out;
}

}  // namespace postern::infer
