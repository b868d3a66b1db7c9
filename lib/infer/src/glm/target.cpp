#include "target.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/regression/chain.hpp"

#include "slope_error.hpp"
#include "target_density.hpp"

namespace postern::infer {
namespace {

using Coefficients = std::array<double, kMostFeatures + 2>;

double log_multigamma(double x, std::size_t d) {
  double sum = 0;
  for (std::size_t i = 0; i < d; ++i) sum += log_gamma(x - 0.5 * static_cast<double>(i));
  return sum;
}

/// factor^T x = b, in place; leading `size` rows.
void solve_transposed(const Matrix& factor, std::span<double> x) {
  for (std::size_t i = x.size(); i-- > 0;) {
    for (std::size_t k = i + 1; k < x.size(); ++k) x[i] -= factor(k, i) * x[k];
    x[i] /= factor(i, i);
  }
}

void solve(const Matrix& factor, std::span<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= factor(i, k) * x[k];
    x[i] /= factor(i, i);
  }
}

}  // namespace

GlmTarget::GlmTarget(const GlmProblem& problem)
    : MomentTarget(problem.sums), glm_(&problem), function_(problem.law), spacing_(problem.law.spacing()) {
  const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
  if (!positive(problem.intercept_sd) || !positive(problem.slope_sd) ||
      !std::isfinite(problem.intercept_mean) || problem.sums.features > kMostFeatures ||
      !problem.sums.public_moments.empty())
    throw Error(ErrorCode::bad_value, {"the parts of this regression do not fit together"});
  for (const NoisyMoment& one : problem.sums.moments) {
    if (one.i == width_ - 1 && one.j == width_ - 1)
      throw Error(ErrorCode::bad_value, {"a generalised linear model takes no square of its target"});
  }
  bounded_ = width_ - 1;
  if (!places_.empty()) places_.pop_back();  // the last pivot: there is no square of y
  for (std::size_t j = 0; j < coefficients(); ++j) places_.push_back({width_, j});
  prior_mean_.assign(coefficients(), 0);
  prior_precision_.assign(coefficients(), 1 / (problem.slope_sd * problem.slope_sd));
  prior_mean_.front() = problem.intercept_mean;
  prior_precision_.front() = 1 / (problem.intercept_sd * problem.intercept_sd);
}

void GlmTarget::fill_roots(std::span<const double> q, double n, MomentWorkspace& work) const {
  const double scale = std::sqrt(n);
  work.root(0, 0) = scale;
  work.root(width_ - 1, width_ - 1) = 0;
  for (std::size_t u = 0; u < predictor_row(); ++u) {
    const auto [i, j] = places_[u];
    work.root(i, j) = scale * (i == j ? std::exp(q[u]) : q[u]);
  }
  for (std::size_t i = 0; i < width_; ++i) {
    const double* a = work.root.row(i);
    for (std::size_t j = 0; j <= i; ++j) {
      const double* b = work.root.row(j);
      double sum = 0;
      for (std::size_t k = 0; k <= j; ++k) sum += a[k] * b[k];
      work.moments(i, j) = sum;
    }
  }
}

double GlmTarget::log_sizes(double n) const {
  if (!latent_) return 0;
  const auto d = static_cast<double>(problem_->features);
  const double below = d * (d - 1) / 2 + d + 1;  // entries of L and r, without L's diagonal and first column
  return log_multigamma((degrees_ + n) / 2, problem_->features) -
         log_multigamma((n - 1) / 2, problem_->features) + 0.5 * (d + below) * std::log(n) -
         0.5 * d * std::log(weight_ + n) + log_slope_ * n;
}

/// Of the features' sums and of all that was published.
double GlmTarget::log_features(std::span<const double> q, double n, MomentWorkspace& work) const {
  fill_roots(q, n, work);
  const double bounds = log_bounds(n, work);
  if (bounds == kMinusInfinity) return bounds;
  const std::size_t last = width_ - 1;
  for (std::size_t i = 0; i < last; ++i) {
    for (std::size_t j = 0; j <= i; ++j) work.features(i, j) = work.moments(i, j) + features_prior_(i, j);
  }
  if (!factorise(work.features, last)) return kMinusInfinity;
  double sum = bounds + log_noise(work) + log_sizes(n);
  const double log_scale = 0.5 * std::log(n);
  for (std::size_t u = 0; u < target_row(); ++u) {
    // One pivot less than the features' own: theta = sqrt n L^-T t.
    if (places_[u].diagonal()) sum += (n - static_cast<double>(places_[u].row)) * (log_scale + q[u]) - q[u];
  }
  double pivots = 1;
  for (std::size_t i = 1; i < last; ++i) pivots *= work.features(i, i);
  return sum - (degrees_ + n) * std::log(pivots);
}

double GlmTarget::log_prior(std::span<const double> theta) const {
  double sum = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double apart = theta[i] - prior_mean_[i];
    sum -= 0.5 * prior_precision_[i] * apart * apart;
  }
  return sum;
}

void GlmTarget::coefficients(std::span<const double> q, double n, MomentWorkspace& work,
                             std::span<double> out) const {
  fill_roots(q, n, work);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::sqrt(n) * q[predictor_row() + i];
  solve_transposed(work.root, out);
}

Extra GlmTarget::extra(double n, const MomentWorkspace& work, std::span<const double> theta) const {
  Extra out{spacing_ * spacing_ / (12 * n)};
  if (glm_->normal_features) return out;
  // Means are off by as much in every record: the square grows with n beside a record's variance.
  const NonNormality apart = non_normality(*glm_, work.moments, n, theta);
  out.third = n * apart.third;
  out.fourth = n * apart.fourth;
  return out;
}

double GlmTarget::log_density(std::span<const double> q, double n, MomentWorkspace& work) const {
  const double features = log_features(q, n, work);
  if (features == kMinusInfinity) return features;
  const std::size_t size = coefficients();
  Coefficients kept;
  const std::span<double> theta = std::span(kept).first(size);
  for (std::size_t i = 0; i < size; ++i) theta[i] = std::sqrt(n) * q[predictor_row() + i];
  solve_transposed(work.root, theta);
  const double target = target_density(function_, extra(n, work, theta), n, q.subspan(target_row(), size),
                                       q.subspan(predictor_row(), size), {});
  const double sum = features + target + log_prior(theta);
  return std::isfinite(sum) ? sum : kMinusInfinity;
}

/// Of the extra variance what depends on the features' own moments is left out: a gradient that is a little
/// off costs a chain acceptance, not truth.
double GlmTarget::gradient(std::span<const double> q, double n, MomentWorkspace& work,
                           std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  const double features = log_features(q, n, work);
  if (features == kMinusInfinity) return features;
  const std::size_t size = coefficients();
  const double scale = std::sqrt(n);
  Coefficients kept;
  const std::span<double> theta = std::span(kept).first(size);
  for (std::size_t i = 0; i < size; ++i) theta[i] = scale * q[predictor_row() + i];
  solve_transposed(work.root, theta);
  // Slopes of the target's law come first; those by L are added to them.
  ExtraSlope by;
  const double target = target_density(function_, extra(n, work, theta), n, q.subspan(target_row(), size),
                                       q.subspan(predictor_row(), size), out.subspan(target_row()), &by);
  const double sum = features + target + log_prior(theta);
  if (!std::isfinite(sum)) return kMinusInfinity;
  Coefficients pulled;
  const std::span<double> v = std::span(pulled).first(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = prior_precision_[i] * (prior_mean_[i] - theta[i]);
  if (!glm_->normal_features)
    add_non_normality_slope(*glm_, work.moments, n, theta, {n * by.third, n * by.fourth}, v);
  solve(work.root, v);
  noise_slope(n, work);
  take_slope(work.features, size, degrees_ + n, degrees_ + n, work);
  for (std::size_t u = 0; u < predictor_row(); ++u) {
    const auto [i, j] = places_[u];
    double slope = work.slope(i, j);
    if (i < size) slope -= theta[i] * v[j];
    out[u] += i == j ? work.root(i, i) * slope + n - static_cast<double>(i) - 1 : scale * slope;
  }
  for (std::size_t j = 0; j < size; ++j) out[predictor_row() + j] += scale * v[j];
  return sum;
}

}  // namespace postern::infer
