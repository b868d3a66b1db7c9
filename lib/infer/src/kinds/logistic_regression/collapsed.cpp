#include "collapsed.hpp"

#include <algorithm>
#include <cmath>

#include "postern/model/statistic/gradient_sum.hpp"

#include "mean_kernel.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kMostTogether = 250;  ///< coordinates whose covariance is kept whole

/// Rounded toward zero, as the owner rounds a record's term.
double truncated(double term) { return std::trunc(term * model::kGradientSteps) / model::kGradientSteps; }

/// Adds weight v v' to the lower half.
void add_square(CollapsedGradients::Block& block, double weight, const std::vector<double>& v) {
  const std::size_t size = block.places.size();
  for (std::size_t a = 0; a < size; ++a) {
    const double left = weight * v[block.places[a]];
    for (std::size_t b = 0; b <= a; ++b) block.covariance[a * size + b] += left * v[block.places[b]];
  }
}

/// n times the lower half, on both sides.
void finish(CollapsedGradients::Block& block, double n) {
  const std::size_t size = block.places.size();
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b <= a; ++b) block.covariance[b * size + a] = block.covariance[a * size + b] *= n;
  }
}

}  // namespace

double logistic(double odds) {
  return odds < 0 ? std::exp(odds) / (1 + std::exp(odds)) : 1 / (1 + std::exp(-odds));
}

double dot(const double* a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < b.size(); ++j) sum += a[j] * b[j];
  return sum;
}

CollapsedGradients::CollapsedGradients(const LogisticProblem& problem) : problem_(problem) {
  for (const std::vector<double>& w : problem.cloud) points_.insert(points_.end(), w.begin(), w.end());
  fill_blocks();
  for (const NoisyGradient& gradient : problem.gradients) {
    const std::vector<double> mean = expected(gradient.theta);
    at_.insert(at_.end(), mean.begin(), mean.end());
  }
  rounding_.assign(at_.size(), 0);
  find_mode();
  split_blocks();
  take_covariance();
  take_parts();
}

void CollapsedGradients::fill_blocks() {
  constexpr std::size_t kPoints = PointBlocks::kPoints;
  const std::size_t d = problem_.size;
  columns_.assign((problem_.cloud.size() + kPoints - 1) / kPoints * kPoints * d, 0.0);
  for (std::size_t i = 0; i < problem_.cloud.size(); ++i) {
    for (std::size_t j = 0; j < d; ++j)
      columns_[(i / kPoints * d + j) * kPoints + i % kPoints] = points_[i * d + j];
  }
}

void CollapsedGradients::take_parts() {
  centre_ = expected(mode_);
  const double n = problem_.about();
  for (std::size_t at = 0; at < coordinates(); ++at) {
    slope_.push_back(at_[at] + rounding_[at] - centre_[at % problem_.size]);
    base_.push_back(problem_.gradients[at / problem_.size].z[at % problem_.size] + n * slope_.back());
  }
}

void CollapsedGradients::shift(std::span<const double> theta, std::vector<double>& out) const {
  out = expected(theta);
  for (std::size_t j = 0; j < out.size(); ++j) out[j] -= centre_[j];
}

std::vector<double> CollapsedGradients::expected(std::span<const double> theta) const {
  const std::size_t d = problem_.size;
  std::vector<double> out(d, 0.0);
  static const LogisticSums sums = logistic_sums();
  sums({columns_.data(), columns_.size() / (PointBlocks::kPoints * d), d}, theta.data(), out.data());
  for (double& one : out) one /= static_cast<double>(problem_.cloud.size());
  return out;
}

void CollapsedGradients::residuals(std::span<const double> theta, double n, std::vector<double>& out) const {
  const std::size_t d = problem_.size;
  const std::vector<double> mean = expected(theta);
  out.resize(coordinates());
  for (std::size_t t = 0; t < problem_.gradients.size(); ++t) {
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t at = t * d + j;
      out[at] = problem_.gradients[t].z[j] - n * (mean[j] - at_[at] - rounding_[at]);
    }
  }
}

double CollapsedGradients::log_prior(std::span<const double> theta) const {
  double out = 0;
  for (const double one : theta) out -= 0.5 * one * one / (problem_.prior_sd * problem_.prior_sd);
  for (const LabelledRow& row : problem_.rows) {
    const double odds = dot(row.w.data(), theta);
    out -= std::log1p(std::exp(-std::abs(odds))) + (row.y ? std::max(0.0, -odds) : std::max(0.0, odds));
  }
  return out;
}

void CollapsedGradients::split_blocks() {
  const std::size_t d = problem_.size;
  const std::size_t all = coordinates();
  const std::size_t stride = all <= kMostTogether ? 1 : d;
  for (std::size_t first = 0; first < stride; ++first) {
    Block& block = blocks_.emplace_back();
    for (std::size_t at = first; at < all; at += stride) block.places.push_back(at);
    block.covariance.assign(block.places.size() * block.places.size(), 0.0);
  }
}

/// Of a record's terms in all gradients, under the mode: E over the target, then over the cloud. Where the
/// cloud is a sample, n times its mean errs as well: by n^2 / rows times the covariance over the cloud of
/// what is expected of the target.
void CollapsedGradients::take_covariance() {
  const std::size_t d = problem_.size;
  std::vector<double> mean(coordinates(), 0.0);
  std::vector<double> term(coordinates());
  std::vector<double> expected_term(coordinates());
  const double cloud_error = problem_.cloud_error();
  const auto count = static_cast<double>(problem_.cloud.size());
  for (const double* w = points_.data(); w != points_.data() + points_.size(); w += d) {
    const double p = logistic(dot(w, mode_));
    std::fill(expected_term.begin(), expected_term.end(), 0.0);
    for (const bool y : {false, true}) {
      const double share = y ? p : 1 - p;
      const double weight = share / count;
      for (std::size_t at = 0; at < term.size(); ++at) {
        if (at % d == 0) {
          const double error = (y ? 1 : 0) - logistic(dot(w, problem_.gradients[at / d].theta));
          for (std::size_t j = 0; j < d; ++j) term[at + j] = error * w[j];
        }
        if (problem_.gradients[at / d].rounded) rounding_[at] += weight * (term[at] - truncated(term[at]));
        mean[at] += weight * term[at];
        expected_term[at] += share * term[at];
      }
      for (Block& block : blocks_) add_square(block, weight, term);
    }
    if (cloud_error == 0) continue;
    for (Block& block : blocks_) add_square(block, cloud_error / count, expected_term);
  }
  for (Block& block : blocks_) {
    add_square(block, -1 - cloud_error, mean);
    finish(block, problem_.about());
  }
}

}  // namespace postern::infer
