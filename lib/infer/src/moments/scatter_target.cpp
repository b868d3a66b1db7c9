#include "moments/scatter_target.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

void require(bool holds) {
  if (!holds) throw Error(ErrorCode::bad_value, {"the parts of this problem of moments do not fit together"});
}

void check_stated(const model::WishartPrior& prior, std::size_t columns) {
  require(prior.mean.size() == columns && prior.scale.size() == columns * columns);
  require(prior.weight > 0 && prior.degrees > static_cast<double>(columns) - 1);
  for (std::size_t i = 0; i < columns; ++i) require(prior.scale[i * columns + i] > 0);
}

const ScatterProblem& checked(const ScatterProblem& problem) {
  const std::size_t width = problem.width();
  require(problem.columns > 0 && (!problem.target || problem.columns > 1));
  require(problem.public_moments.empty() || problem.public_moments.size() == width * width);
  require(problem.prior_scale > 0 && std::isfinite(problem.prior_scale));
  require(problem.origin.empty() || problem.origin.size() == problem.columns);
  require(problem.axis_units.empty() || (!problem.target && problem.axis_units.size() == problem.columns));
  for (const double unit : problem.axis_units) require(unit > 0 && std::isfinite(unit));
  require(!problem.stated || (!problem.target && problem.public_moments.empty()));
  if (problem.stated) check_stated(*problem.stated, problem.columns);
  for (const NoisyMoment& one : problem.moments) {
    require(one.i < width && one.j < width && one.k < width && one.l < width);
    require(std::isfinite(one.value) && std::isfinite(one.weight) && one.noise.scale > 0 &&
            std::isfinite(one.noise.scale));
  }
  if (const auto* known = std::get_if<KnownTotal>(&problem.total))
    require(known->n >= static_cast<std::int64_t>(least_records(problem)));
  return problem;
}

}  // namespace

ScatterTarget::ScatterTarget(const ScatterProblem& problem)
    : problem_(&checked(problem)),
      map_(problem),
      pooled_(problem, map_.order()),
      noise_(problem, map_.order()),
      covariance_(map_.places(), map_.latent(), pooled_.public_records(),
                  ScalesPrior(map_.places(), problem, map_.order())),
      slopes_(map_.places(), map_.latent(), pooled_.public_records(), problem.prior_scale) {
  if (problem.stated) stated_.emplace(problem, map_.places(), map_.order());
}

bool ScatterTarget::fill(std::span<const double> q, ScatterWorkspace& work) const {
  if (!map_.fill(q, work.state)) return false;
  pooled_.fill(work.state, work.sums);
  return !map_.regression() || slopes_.factorise(work.state, work.sums, work.slopes);
}

double ScatterTarget::with_target(std::span<const double> q, double noise, ScatterWorkspace& work) const {
  double sum = noise + work.log_features;
  if (map_.regression())
    sum += map_.log_target_volume(work.state) + slopes_.value(q, work.state, work.sums, work.slopes);
  return std::isfinite(sum) ? sum : kMinusInfinity;
}

double ScatterTarget::fill_covariance_law(const ScatterWorkspace& work, DenseMatrix& scale) const {
  const int d = places().features;
  if (stated_) {
    stated_->fill_scale(work.state, scale);
  } else {
    covariance_.fill_scale(work.state, scale);
  }
  scale += work.sums.scatter.topLeftCorner(d, d);
  return stated_ ? stated_->degrees(work.state) : covariance_.degrees(work.state) + work.sums.n - 1;
}

double ScatterTarget::log_density(std::span<const double> q, ScatterWorkspace& work) const {
  if (!map_.fill(q, work.state)) return kMinusInfinity;
  const double noise = noise_.value(work.state, work.smooth, work.noise);
  if (noise == kMinusInfinity) return noise;
  pooled_.fill(work.state, work.sums);
  work.log_features = map_.log_volume(work.state);
  work.log_features += stated_ ? stated_->value(q, work.state, work.sums, work.covariance)
                               : covariance_.value(q, work.state, work.sums, work.covariance);
  if (map_.latent()) work.log_features += q[map_.places().log_n];
  return with_target(q, noise, work);
}

double ScatterTarget::log_density_again(std::span<const double> q, ScatterWorkspace& work) const {
  if (!map_.fill_target(q, work.state)) return kMinusInfinity;
  const double noise = noise_.value(work.state, work.smooth, work.noise);
  if (noise == kMinusInfinity) return noise;
  pooled_.fill(work.state, work.sums);
  return with_target(q, noise, work);
}

double ScatterTarget::gradient(std::span<const double> q, ScatterWorkspace& work,
                               std::span<double> out) const {
  const double density = log_density(q, work);
  if (density == kMinusInfinity) {
    std::fill(out.begin(), out.end(), 0.0);
    return density;
  }
  work.slope.clear();
  if (stated_) {
    stated_->slope(work.state, work.covariance, work.slope);
  } else {
    covariance_.slope(work.state, work.covariance, work.slope);
  }
  if (map_.regression()) slopes_.slope(work.state, work.sums, work.slopes, work.slope);
  pooled_.take_back(work.state, work.slope);
  noise_.slope(work.state, work.smooth, work.noise, work.slope);
  map_.take_back(q, work.state, work.slope, out);
  if (!stated_) covariance_.scales().slope(q, work.state, out);
  if (map_.regression()) slopes_.prior_slope(work.state, out);
  if (map_.latent()) out[map_.places().log_n] += 1;
  return density;
}

ScatterWorkspace::ScatterWorkspace(const UnknownPlaces& places, const NoiseTerm& term)
    : state(places), noise(term, places), covariance(places.features), slopes(places), slope(places) {}

}  // namespace postern::infer
