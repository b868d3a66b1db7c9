#include "learned_target.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

#include "learned_point.hpp"
#include "slope_error.hpp"

namespace postern::infer {
namespace {

constexpr double kFarthest = 40;        // of logarithms of scales from 0
constexpr double kFarthestCentre = 30;  // of the predictor's mean
constexpr double kWidest = 12;          // deviation of the predictor, which further on decides nothing
constexpr double kWidestStart = 2;      // of the predictor that noisy sums are taken to ask for

void require(bool holds) {
  if (!holds) throw Error(ErrorCode::bad_value, {"the parts of this regression do not fit together"});
}

const ScatterProblem& checked(const ScatterProblem& problem) {
  const std::size_t width = problem.width();
  require(problem.columns > 1 && problem.columns <= kMostScatterColumns && problem.public_moments.empty());
  require(problem.two_levels.size() == problem.columns && problem.prior_scale > 0 &&
          std::isfinite(problem.prior_scale));
  for (const NoisyMoment& one : problem.moments) {
    require(one.i < width && one.j < width && one.k < width && one.l < width);
    require(std::isfinite(one.value) && std::isfinite(one.weight) && one.noise.scale > 0 &&
            std::isfinite(one.noise.scale));
    if (one.i == width - 1 && one.j == width - 1)
      throw Error(ErrorCode::bad_value, {"a generalised linear model takes no square of its target"});
  }
  if (const auto* known = std::get_if<KnownTotal>(&problem.total))
    require(known->n >= static_cast<std::int64_t>(problem.columns) + 1);
  return problem;
}

ScatterOrder with_last_target(ScatterOrder order) {
  order.column.push_back(order.column.size());
  return order;
}

double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

}  // namespace

ScatterProblem scatter_problem(const GlmProblem& problem) {
  ScatterProblem out;
  out.columns = problem.sums.features + 1;
  out.target = true;
  out.moments = problem.sums.moments;
  out.total = problem.sums.total;
  out.public_moments = problem.sums.public_moments;
  out.prior_scale = problem.prior_scale;
  out.two_levels = problem.two_levels;
  out.two_levels.resize(problem.sums.features);
  out.two_levels.emplace_back(TwoLevels{-1, 1});  // nothing is known of the target's square
  return out;
}

ScatterProblem features_problem(const ScatterProblem& problem) {
  ScatterProblem out = problem;
  out.columns = problem.columns - 1;
  out.target = false;
  out.two_levels.pop_back();
  std::erase_if(out.moments,
                [&](const NoisyMoment& one) { return std::max(one.i, one.j) == problem.columns; });
  return out;
}

LearnedGlmTarget::LearnedGlmTarget(const GlmProblem& problem)
    : problem_(scatter_problem(problem)),
      features_(features_problem(checked(problem_))),
      map_(features_),
      order_(with_last_target(map_.order())),
      places_(map_.places()),
      pooled_(features_, map_.order()),
      noise_(problem_, order_),
      covariance_(map_.places(), map_.latent(), 0, ScalesPrior(map_.places(), problem.prior_scale)),
      scales_(problem.prior_scale),
      function_(problem.law),
      variance_(problem.law.counts() ? 1 : std::numbers::pi * std::numbers::pi / 3),
      log_most_(problem.law.counts() ? std::log(problem.law.most_counted) : 0),
      floor_(problem.law.spacing() * problem.law.spacing() / 12),
      records_(plausible_records(features_)) {
  const auto d = places_.features;
  known_ = {FewNumbers::Zero(d + 1), FewNumbers::Ones(d + 1), FewNumbers::Ones(d)};
  glm_.law = problem.law;
  glm_.normal_features = problem.normal_features;
  for (std::size_t a = 0; a < problem.sums.features; ++a) {
    const std::size_t column = order_.column[a];
    glm_.indicators.push_back(column < problem.indicators.size() && problem.indicators[column]);
  }
}

ScatterWorkspace LearnedGlmTarget::workspace() const {
  ScatterWorkspace out(UnknownPlaces(problem_), noise_);  // with room for the target's row
  out.predictor.setZero(places_.features + 1);
  out.coefficients.setZero(places_.features);
  return out;
}

void LearnedGlmTarget::fill_known(const ScatterState& state, Point& at) const {
  const double root = std::sqrt(state.n);
  at.known[0] = {known_.value(0), known_.variance(0), 0, 0};
  const double most = 0.9 * std::sqrt(1 - known_.value(0) * known_.value(0));
  for (int j = 0; j < places_.features; ++j) {
    const double shrunk = known_.pivot(j) * root / state.factor(j, j);
    at.known[j + 1] = known_at(known_.value(j + 1), known_.variance(j + 1), shrunk, most, 0);
    at.row[j] =
        known_at(known_.value(j + 1) / known_.slope, known_.variance(j + 1) / (known_.slope * known_.slope),
                 shrunk, kWidestStart, known_.sampling / (known_.slope * known_.slope));
  }
}

bool LearnedGlmTarget::fill_predictor(std::span<const double> q, Point& at) const {
  const int d = places_.features;
  const double tau = q[places_.log_tau];
  if (!(std::abs(tau) < kFarthest) || !(std::abs(q[places_.centre]) < kFarthestCentre)) return false;
  at.share.resize(d);
  at.t.resize(d + 1);
  at.t(0) = q[places_.centre];
  for (int j = 0; j < d; ++j) {
    const double lambda = q[places_.log_lambda + j];
    if (!(std::abs(lambda) < kFarthest)) return false;
    at.share(j) = std::exp(tau + lambda) / d;
    const Whitened known(variance_ * at.share(j), at.row[j].variance);
    at.t(j + 1) = known.share * at.row[j].value + known.sd * q[places_.row + j];
  }
  at.spread = predictor_spread({at.t.data(), static_cast<std::size_t>(d + 1)});
  return at.spread < kWidest;
}

/// The target's row of the state: the factor's last row holds the sums, so that G_jy = sqrt n (C r)_j + ...
void LearnedGlmTarget::fill_sums(std::span<const double> q, Point& at, ScatterState& state) const {
  const int d = places_.features;
  at.moments = quick_target_moments(function_, at.t(0), at.spread);
  at.variance = leftover(at.moments, {floor_ / records_}).other;
  at.expected.resize(d + 1);
  at.sums.resize(d + 1);
  at.expected(0) = at.moments.mean[0].value;
  at.expected.tail(d) = at.moments.mean[1].value / at.spread * at.t.tail(d);
  for (int j = 0; j <= d; ++j) {
    const Whitened known(at.variance.value / records_, at.known[j].variance);
    at.sums(j) =
        known.share * at.known[j].value + (1 - known.share) * at.expected(j) + known.sd * q[places_.sums + j];
  }
  state.mean(d) = at.sums(0);
  state.factor.row(d).head(d) = std::sqrt(state.n) * at.sums.tail(d).transpose();
  state.factor(d, d) = 0;
  const DenseVector products = state.factor.topLeftCorner(d, d) * state.factor.row(d).head(d).transpose();
  state.scatter.row(d).head(d) = products.transpose();
  state.scatter.col(d).head(d) = products;
  state.scatter(d, d) = state.factor.row(d).squaredNorm();
}

bool LearnedGlmTarget::fill_slopes(Point& at, const ScatterState& state) const {
  const int d = places_.features;
  at.beta = std::sqrt(state.n) * at.t.tail(d);
  state.factor.topLeftCorner(d, d).triangularView<Eigen::Lower>().transpose().solveInPlace(at.beta);
  at.precision.resize(d);
  for (int j = 0; j < d; ++j) at.precision(j) = state.scatter(j, j) / (state.n * variance_ * at.share(j));
  at.extra = {floor_ / state.n, 0, 0};
  if (!glm_.normal_features) {
    const FewNumbers theta = at.theta();
    const NonNormality apart = non_normality(glm_, feature_sums(state), state.n,
                                             {theta.data(), static_cast<std::size_t>(theta.size())});
    at.extra.third = state.n * apart.third;
    at.extra.fourth = state.n * apart.fourth;
  }
  return at.beta.allFinite();
}

/// All but the features. @pre the state holds these
bool LearnedGlmTarget::fill_target(std::span<const double> q, ScatterWorkspace& work, Point& at) const {
  fill_known(work.state, at);
  if (!fill_predictor(q, at)) return false;
  fill_sums(q, at, work.state);
  if (!fill_slopes(at, work.state)) return false;
  work.predictor = at.t;
  work.coefficients = at.beta;
  const double mean = at.moments.mean[0].value;
  work.target_sd = std::sqrt(std::max(at.moments.square[0].value - mean * mean, 0.0));
  work.slope_square = at.precision.dot(at.beta.cwiseAbs2()) * std::exp(q[places_.log_tau]) / places_.features;
  return true;
}

bool LearnedGlmTarget::fill(std::span<const double> q, ScatterWorkspace& work) const {
  Point at;
  return map_.fill(q, work.state) && fill_target(q, work, at);
}

double LearnedGlmTarget::log_scale_ratio(const ScatterWorkspace& work, double times) const {
  return covariance_.scales().log_scale_ratio(work.state, times) +
         scales_.log_ratio(work.slope_square, places_.features, times);
}

Matrix LearnedGlmTarget::feature_sums(const ScatterState& state) const {
  const auto size = static_cast<std::size_t>(places_.features) + 1;
  Matrix out(size);
  out(0, 0) = state.n;
  for (std::size_t i = 1; i < size; ++i) {
    const auto a = static_cast<int>(i) - 1;
    out(i, 0) = state.n * state.mean(a);
    out(i, i) = state.scatter(a, a) + out(i, 0) * state.mean(a);
  }
  return out;
}

/// Of slopes given their scales, as a density of the predictor's row.
double LearnedGlmTarget::log_slopes(const Point& at, const ScatterState& state) const {
  const int d = places_.features;
  double sum = 0.5 * d * std::log(state.n);
  for (int j = 0; j < d; ++j) {
    sum += 0.5 * std::log(at.precision(j)) - 0.5 * at.precision(j) * at.beta(j) * at.beta(j) -
           state.log_pivot(j);
  }
  return sum;
}

/// Jacobians of the whitened unknowns.
double LearnedGlmTarget::log_whitening(const Point& at) const {
  double sum = 0;
  for (int j = 0; j < places_.features; ++j)
    sum += std::log(Whitened(variance_ * at.share(j), at.row[j].variance).sd);
  for (int j = 0; j <= places_.features; ++j)
    sum += std::log(Whitened(at.variance.value / records_, at.known[j].variance).sd);
  return sum;
}

/// Of the scales of slopes, and of the predictor's mean: e^a / (most + e^a) has the law beta(1/2, 1/2).
double LearnedGlmTarget::log_scales(std::span<const double> q) const {
  const double centre = q[places_.centre] - log_most_;
  return scales_.value(q[places_.log_tau], q.subspan(places_.log_lambda, places_.features)) + 0.5 * centre -
         softplus(centre);
}

double LearnedGlmTarget::with_target(std::span<const double> q, ScatterWorkspace& work, Point& at) const {
  if (!fill_target(q, work, at)) return kMinusInfinity;
  const ScatterState& state = work.state;
  const double noise = noise_.value(state, work.smooth, work.noise);
  if (noise == kMinusInfinity) return noise;
  const auto size = static_cast<std::size_t>(places_.features) + 1;
  at.by_both.resize(static_cast<Eigen::Index>(2 * size));
  double sum = noise + work.log_features;
  sum += target_density(at.moments, at.extra, state.n, {at.sums.data(), size}, {at.t.data(), size},
                        at.sloped ? std::span(at.by_both.data(), 2 * size) : std::span<double>(),
                        at.sloped ? &at.by_extra : nullptr);
  sum += log_slopes(at, state) + log_whitening(at) + log_scales(q);
  return std::isfinite(sum) ? sum : kMinusInfinity;
}

double LearnedGlmTarget::value_at(std::span<const double> q, ScatterWorkspace& work, Point& at) const {
  const ScatterState& state = work.state;
  if (!map_.fill(q, work.state)) return kMinusInfinity;
  pooled_.fill(state, work.sums);
  work.log_features = map_.log_volume(state) + covariance_.value(q, state, work.sums, work.covariance);
  if (map_.latent()) work.log_features += (1.5 + 0.5 * places_.features) * q[map_.places().log_n];
  return with_target(q, work, at);
}

double LearnedGlmTarget::log_density(std::span<const double> q, ScatterWorkspace& work) const {
  Point at;
  return value_at(q, work, at);
}

double LearnedGlmTarget::log_density_again(std::span<const double> q, ScatterWorkspace& work) const {
  Point at;
  return with_target(q, work, at);
}

}  // namespace postern::infer
