#include "target.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

void require(bool holds) {
  if (!holds) throw Error(ErrorCode::bad_value, {"the parts of this regression do not fit together"});
}

bool positive(double value) { return value > 0 && std::isfinite(value); }

void check(const RegressionProblem& problem) {
  const RegressionPrior& prior = problem.prior;
  const std::size_t width = problem.width();
  require(prior.scale.size() == problem.features && prior.precision.size() == problem.features + 1);
  require(std::all_of(prior.scale.begin(), prior.scale.end(), positive) &&
          std::all_of(prior.precision.begin(), prior.precision.end(), positive));
  require(positive(prior.weight) && positive(prior.shape) && positive(prior.rate));
  require(prior.degrees > static_cast<double>(problem.features) - 1 && std::isfinite(prior.degrees));
  require(problem.public_moments.empty() || problem.public_moments.size() == width * width);
  for (const NoisyMoment& one : problem.moments) {
    require(one.i < width && one.j < width && one.k < width && one.l < width);
    require(std::isfinite(one.value) && std::isfinite(one.weight) && positive(one.noise.scale));
  }
}

/// log Gamma_d(x), without the power of pi.
double log_multigamma(double x, std::size_t d) {
  double sum = 0;
  for (std::size_t i = 0; i < d; ++i) sum += log_gamma(x - 0.5 * static_cast<double>(i));
  return sum;
}

}  // namespace

RegressionPrior default_regression_prior(std::size_t features) {
  constexpr double kSpread = 0.1;
  const auto d = static_cast<double>(features);
  RegressionPrior out;
  out.degrees = d + 11;
  out.scale.assign(features, 10 * kSpread);
  out.precision.assign(features + 1, 2 * d * kSpread);
  out.precision.front() = 0.05;
  return out;
}

MomentWorkspace::MomentWorkspace(std::size_t width)
    : root(width),
      moments(width),
      target(width),
      features(width),
      inverse(width),
      product(width),
      slope(width) {}

MomentTarget::MomentTarget(const RegressionProblem& problem)
    : problem_(&problem),
      width_(problem.width()),
      bounded_(problem.width()),
      latent_(std::holds_alternative<LatentTotal>(problem.total)),
      least_n_(static_cast<double>(problem.width())),
      most_n_(0),
      target_prior_(problem.width()),
      features_prior_(problem.width()) {
  check(problem);
  if (const auto* bound = std::get_if<LatentTotal>(&problem.total)) {
    most_n_ = std::max(least_n_, static_cast<double>(bound->at_most));
    log_slope_ = bound->log_slope;
  } else {
    least_n_ = most_n_ = static_cast<double>(std::get<KnownTotal>(problem.total).n);
  }
  for (std::size_t i = 1; i < width_; ++i) {
    for (std::size_t j = 0; j <= i && static_cast<double>(j) < most_n_; ++j) places_.push_back({i, j});
  }
  take_prior(problem.prior);
  for (const NoisyMoment& one : problem.moments) {
    const bool laplace = one.noise.shape == MomentNoise::Shape::laplace;
    const double rate = 1 / one.noise.scale;
    seen_.push_back({std::max(one.i, one.j), std::min(one.i, one.j), std::max(one.k, one.l),
                     std::min(one.k, one.l), one.value, one.weight, laplace ? rate : 0,
                     laplace ? 0 : rate * rate});
  }
}

void MomentTarget::take_prior(const RegressionPrior& prior) {
  degrees_ = prior.degrees + problem_->public_records();
  weight_ = prior.weight + problem_->public_records();
  shape_ = prior.shape + 0.5 * problem_->public_records();
  const std::vector<double>& known = problem_->public_moments;
  for (std::size_t i = 0; i < width_; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      target_prior_(i, j) = features_prior_(i, j) = known.empty() ? 0 : known[i * width_ + j];
    target_prior_(i, i) += i + 1 < width_ ? prior.precision[i] : 2 * prior.rate;
    if (i + 1 < width_) features_prior_(i, i) += i == 0 ? prior.weight : prior.scale[i - 1];
  }
}

bool MomentTarget::fill(std::span<const double> q, double n, MomentWorkspace& work) const {
  const double scale = std::sqrt(n);
  work.root(0, 0) = scale;
  for (std::size_t u = 0; u < places_.size(); ++u) {
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
      work.target(i, j) = sum + target_prior_(i, j);
    }
  }
  return factorise(work.target, width_);
}

double MomentTarget::log_noise(const MomentWorkspace& work) const {
  double sum = 0;
  for (const Seen& one : seen_) {
    const double t = one.value - work.moments(one.i, one.j) - one.weight * work.moments(one.k, one.l);
    sum -= one.rate * std::abs(t) + 0.5 * one.precision * t * t;
  }
  return sum;
}

double MomentTarget::log_bounds(double n, const MomentWorkspace& work) const {
  double product = 1;
  for (std::size_t i = 1; i < bounded_; ++i) {
    const double room = 1 - work.moments(i, i) / n;
    if (!(room > 0)) return kMinusInfinity;
    product *= room;
  }
  return 0.5 * std::log(product);
}

double MomentTarget::log_size(double n) const {
  if (!latent_) return 0;
  const auto d = static_cast<double>(problem_->features);
  const double below = d * (d - 1) / 2 + d + 1;  // entries of L under its diagonal, without the first column
  return log_multigamma((degrees_ + n) / 2, problem_->features) -
         log_multigamma((n - 1) / 2, problem_->features) + log_gamma(shape_ + n / 2) -
         log_gamma((n - d - 1) / 2) + 0.5 * (d + below) * std::log(n) - 0.5 * d * std::log(weight_ + n) +
         log_slope_ * n;
}

double MomentTarget::log_density(std::span<const double> q, double n, MomentWorkspace& work) const {
  if (!fill(q, n, work)) return kMinusInfinity;
  const double bounds = log_bounds(n, work);
  if (bounds == kMinusInfinity) return bounds;
  const std::size_t last = width_ - 1;
  for (std::size_t i = 0; i < last; ++i) {
    for (std::size_t j = 0; j <= i; ++j) work.features(i, j) = work.moments(i, j) + features_prior_(i, j);
  }
  if (!factorise(work.features, last)) return kMinusInfinity;
  double sum = bounds + log_noise(work) + log_size(n);
  const double log_scale = 0.5 * std::log(n);
  for (std::size_t u = 0; u < places_.size(); ++u) {
    if (places_[u].diagonal()) sum += (n - static_cast<double>(places_[u].row)) * (log_scale + q[u]);
  }
  double features = 1;  // a pivot lies between 1e-8 and 1e8 or so, and there are few
  double target = 1;
  for (std::size_t i = 0; i < last; ++i) {
    if (i > 0) features *= work.features(i, i);
    target *= work.target(i, i);
  }
  sum -= (degrees_ + n) * std::log(features) + std::log(target);
  sum -= (2 * shape_ + n) * std::log(work.target(last, last));
  return std::isfinite(sum) ? sum : kMinusInfinity;
}

void MomentTarget::noise_slope(double n, MomentWorkspace& work) const {
  Matrix& by_moment = work.product;  // of G_ij, i >= j, an entry of a symmetric matrix being two
  std::fill(by_moment.all().begin(), by_moment.all().end(), 0.0);
  for (const Seen& one : seen_) {
    const double t = one.value - work.moments(one.i, one.j) - one.weight * work.moments(one.k, one.l);
    const double slope = std::copysign(one.rate, t) + one.precision * t;
    by_moment(one.i, one.j) += slope;
    by_moment(one.k, one.l) += one.weight * slope;
  }
  for (std::size_t i = 1; i < bounded_; ++i) by_moment(i, i) -= 0.5 / (n - work.moments(i, i));
  // The slope in L is 2 Gamma L, Gamma having half of what lies off the diagonal.
  std::fill(work.slope.all().begin(), work.slope.all().end(), 0.0);
  for (std::size_t i = 0; i < width_; ++i) {
    double* own = work.slope.row(i);
    for (std::size_t j = 0; j <= i; ++j) {
      const double g = by_moment(i, j);
      double* other = work.slope.row(j);
      for (std::size_t k = 0; k <= j; ++k) own[k] += g * work.root(j, k);
      for (std::size_t k = 0; k <= j; ++k) other[k] += g * work.root(i, k);
    }
  }
}

/// slope -= K^T D K L for K = factor^-1 and D = diag(common, ..., last).
void MomentTarget::take_slope(const Matrix& factor, std::size_t size, double common, double last,
                              MomentWorkspace& work) const {
  invert_factor(factor, size, work.inverse);
  for (std::size_t r = 0; r < size; ++r) {
    const double* inverse = work.inverse.row(r);
    double* product = work.product.row(r);
    std::fill(product, product + r + 1, 0.0);
    const double weight = r + 1 < size ? common : last;
    for (std::size_t k = 0; k <= r; ++k) {
      const double f = weight * inverse[k];
      const double* root = work.root.row(k);
      for (std::size_t j = 0; j <= k; ++j) product[j] += f * root[j];
    }
    for (std::size_t i = 0; i <= r; ++i) {
      double* slope = work.slope.row(i);
      const double f = inverse[i];
      for (std::size_t j = 0; j <= i; ++j) slope[j] -= f * product[j];
    }
  }
}

double MomentTarget::gradient(std::span<const double> q, double n, MomentWorkspace& work,
                              std::span<double> out) const {
  const double density = log_density(q, n, work);
  if (density == kMinusInfinity) {
    std::fill(out.begin(), out.end(), 0.0);
    return density;
  }
  noise_slope(n, work);
  take_slope(work.target, width_, 1, 2 * shape_ + n, work);
  take_slope(work.features, width_ - 1, degrees_ + n, degrees_ + n, work);
  const double scale = std::sqrt(n);
  for (std::size_t u = 0; u < places_.size(); ++u) {
    const auto [i, j] = places_[u];
    out[u] =
        i == j ? work.root(i, i) * work.slope(i, i) + n - static_cast<double>(i) : scale * work.slope(i, j);
  }
  return density;
}

}  // namespace postern::infer
