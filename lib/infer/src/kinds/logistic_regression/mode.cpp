#include <cmath>

#include "collapsed.hpp"

namespace postern::infer {

/// Of one coordinate: the noise's, and that of a sum of n numbers spread over -1/2..1/2.
double CollapsedGradients::rough_variance(std::size_t gradient) const {
  const NoisyGradient& one = problem_.gradients[gradient];
  return (one.scale > 0 ? 2 * one.scale * one.scale : one.variance) +
         problem_.about() / 12 * (1 + problem_.cloud_error());
}

double CollapsedGradients::rough_log_density(std::span<const double> theta) const {
  std::vector<double> r;
  residuals(theta, problem_.about(), r);
  double out = log_prior(theta);
  for (std::size_t at = 0; at < r.size(); ++at)
    out -= 0.5 * r[at] * r[at] / rough_variance(at / problem_.size);
  return out;
}

/// E p (1 - p) w w': how fast the expected gradient moves with the coefficients.
std::vector<double> CollapsedGradients::curvature(std::span<const double> theta) const {
  const std::size_t d = problem_.size;
  std::vector<double> out(d * d, 0.0);
  for (const double* w = points_.data(); w != points_.data() + points_.size(); w += d) {
    const double p = logistic(dot(w, theta));
    const double weight = p * (1 - p) / static_cast<double>(problem_.cloud.size());
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) out[i * d + j] += weight * w[i] * w[j];
    }
  }
  return out;
}

Cholesky record_information(const std::vector<std::vector<double>>& cloud, std::span<const double> theta,
                            double n, double prior_sd) {
  const std::size_t d = theta.size();
  std::vector<double> out(d * d, 0.0);
  for (const std::vector<double>& w : cloud) {
    const double p = logistic(dot(w.data(), theta));
    const double weight = n * p * (1 - p) / static_cast<double>(cloud.size());
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) out[i * d + j] += weight * w[i] * w[j];
    }
  }
  for (std::size_t i = 0; i < d; ++i) out[i * d + i] += 1 / (prior_sd * prior_sd);
  return {std::move(out), d};
}

/// A Gauss-Newton step from the mode as far as it is known; leaves the precision there in spread_.
std::vector<double> CollapsedGradients::newton_move() {
  const std::size_t d = problem_.size;
  const double n = problem_.about();
  const std::vector<double> curve = curvature(mode_);
  std::vector<double> r;
  residuals(mode_, n, r);
  double weight = 0;
  std::vector<double> pull(d, 0.0);
  for (std::size_t at = 0; at < r.size(); ++at) {
    pull[at % d] += r[at] / rough_variance(at / d);
    if (at % d == 0) weight += 1 / rough_variance(at / d);
  }
  const double prior = 1 / (problem_.prior_sd * problem_.prior_sd);
  std::vector<double> precision(d * d, 0.0);
  std::vector<double> slope(d);
  for (std::size_t i = 0; i < d; ++i) {
    precision[i * d + i] = prior;
    slope[i] = -prior * mode_[i];
    for (std::size_t j = 0; j < d; ++j) {
      slope[i] += n * curve[i * d + j] * pull[j];
      for (std::size_t k = 0; k < d; ++k)
        precision[i * d + j] += n * n * weight * curve[i * d + k] * curve[k * d + j];
    }
  }
  for (const LabelledRow& row : problem_.rows) {
    const double p = logistic(dot(row.w.data(), mode_));
    for (std::size_t i = 0; i < d; ++i) {
      slope[i] += ((row.y ? 1 : 0) - p) * row.w[i];
      for (std::size_t j = 0; j < d; ++j) precision[i * d + j] += p * (1 - p) * row.w[i] * row.w[j];
    }
  }
  spread_ = Cholesky(std::move(precision), d);
  spread_.solve_lower(slope);
  spread_.solve_upper(slope);
  return slope;
}

/// Steps are shortened until they go up.
void CollapsedGradients::find_mode() {
  constexpr int kSteps = 50;
  constexpr double kShortest = 1e-4;
  constexpr double kEnough = 1e-9;
  mode_.assign(problem_.size, 0.0);
  double best = rough_log_density(mode_);
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<double> move = newton_move();
    double gain = 0;
    for (double part = 1; part > kShortest && gain == 0; part /= 2) {
      std::vector<double> tried = mode_;
      for (std::size_t j = 0; j < tried.size(); ++j) tried[j] += part * move[j];
      const double there = rough_log_density(tried);
      if (!(there > best)) continue;
      gain = there - best;
      best = there;
      mode_ = std::move(tried);
    }
    if (gain < kEnough) break;
  }
  static_cast<void>(newton_move());  // the precision at the mode
}

}  // namespace postern::infer
