#include "paper_mode.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/draw.hpp"
#include "postern/core/truncated.hpp"
#include "postern/core/truncated_draw.hpp"
#include "postern/infer/noise/scale_mixture.hpp"

namespace postern::bs18 {
namespace {

constexpr double kInfinity = __builtin_huge_val();

struct Normal {
  double mean = 0;
  double variance = 0;
};

/// The law of s ~ N(mean, variance) given y ~ N(s, noise).
Normal norm_product(const Normal& s, double y, double noise) {
  const double gain = s.variance / (s.variance + noise);
  return {s.mean + gain * (y - s.mean), gain * noise};
}

/// Algorithm 3: the sum of those of n exponential records that lie in the segment.
Normal random_sum(double n, double theta, const Segment& segment) {
  const SegmentMoments one = truncated_exponential(theta, segment);
  const double q = std::exp(one.log_mass);
  return {n * q * one.mean, n * q * one.variance + n * q * (1 - q) * one.mean * one.mean};
}

/// Counts ~ N(n p, n (diag p - p p')) given y = counts + N(0, diag noise), keeping their total (Matheron:
/// draw counts and a y for them, then correct by the gain).
void draw_counts(double n, std::span<const double> p, std::span<const double> y,
                 std::span<const double> noise, std::span<double> counts, Rng& rng) {
  const std::size_t k = p.size();
  double shared = 0;
  std::vector<double> u(k);
  for (std::size_t j = 0; j < k; ++j) {
    u[j] = std::sqrt(p[j]) * draw_normal(rng);
    shared += u[j];
  }
  double share = 0;
  double precision = 0;
  for (std::size_t j = 0; j < k; ++j) {
    counts[j] = n * p[j] + std::sqrt(n) * (u[j] - p[j] * shared);
    const double off = y[j] - counts[j] - std::sqrt(noise[j]) * draw_normal(rng);
    const double width = n * p[j] + noise[j];
    u[j] = off / width;
    share += p[j] * u[j];
    precision += p[j] * noise[j] / width;
  }
  double correction = 0;
  for (std::size_t j = 0; j < k; ++j) {
    u[j] += p[j] / (n * p[j] + noise[j]) * n * share / precision;
    correction += p[j] * u[j];
  }
  for (std::size_t j = 0; j < k; ++j) counts[j] += n * p[j] * (u[j] - correction);
}

/// Line 5, by rejection as the paper has it. After a hundred refusals the last counts that were valid stay.
void draw_valid_counts(double n, std::span<const double> p, std::span<const double> y,
                       std::span<const double> noise, std::vector<double>& counts, Rng& rng) {
  constexpr int kTries = 100;
  std::vector<double> drawn(counts.size());
  for (int i = 0; i < kTries; ++i) {
    draw_counts(n, p, y, noise, drawn, rng);
    if (*std::min_element(drawn.begin(), drawn.end()) >= 0) {
      counts = drawn;
      return;
    }
  }
}

}  // namespace

double draw_laplace(double scale, Rng& rng) {
  const double size = scale * draw_exponential(rng);
  return rng.uniform() < 0.5 ? -size : size;
}

Sample paper_algorithm_1(std::size_t n, double a, double b, double y, double scale, const ChainLength& length,
                         Rng& rng) {
  const auto records = static_cast<double>(n);
  double s = std::clamp(y, 0.5, records - 0.5);
  double noise = 2 * scale * scale;
  Sample out;
  out.reserve(length.draws);
  for (std::size_t i = 0; i < length.burn_in + length.draws; ++i) {
    const double theta = draw_beta(a + s, b + records - s, rng);
    const Normal sum = norm_product({records * theta, records * theta * (1 - theta)}, y, noise);
    s = draw_truncated_normal(sum.mean, std::sqrt(sum.variance), 0, records, rng);
    noise = infer::draw_mixture_variance(y - s, scale, rng);
    if (i >= length.burn_in) out.push_back(theta);
  }
  return out;
}

Sample paper_algorithm_1(std::size_t n, std::span<const double> alpha, std::span<const double> y,
                         double scale, const ChainLength& length, Rng& rng) {
  const auto records = static_cast<double>(n);
  const std::size_t k = alpha.size();
  std::vector<double> counts(k);
  double total = 0;
  for (std::size_t j = 0; j < k; ++j) total += counts[j] = std::max(y[j], 0.5);
  for (double& c : counts) c *= records / total;
  std::vector<double> noise(k, 2 * scale * scale);
  std::vector<double> theta(k);
  Sample out;
  out.reserve(k * length.draws);
  for (std::size_t i = 0; i < length.burn_in + length.draws; ++i) {
    for (std::size_t j = 0; j < k; ++j) theta[j] = alpha[j] + counts[j];
    draw_dirichlet(theta, theta, rng);
    draw_valid_counts(records, theta, y, noise, counts, rng);
    for (std::size_t j = 0; j < k; ++j) noise[j] = infer::draw_mixture_variance(y[j] - counts[j], scale, rng);
    if (i >= length.burn_in) out.insert(out.end(), theta.begin(), theta.end());
  }
  return out;
}

Sample paper_algorithm_2(std::size_t n, double shape, double rate, const Bounds& bounds, double y,
                         double scale, const ChainLength& length, Rng& rng) {
  const auto records = static_cast<double>(n);
  double theta = draw_gamma(shape + records, rng) / (rate + std::max(y, 0.5));
  double noise = 2 * scale * scale;
  Sample out;
  out.reserve(length.draws);
  for (std::size_t i = 0; i < length.burn_in + length.draws; ++i) {
    const Normal lower = random_sum(records, theta, {0, bounds.a});
    const Normal upper = random_sum(records, theta, {bounds.b, kInfinity});
    const Normal centre = norm_product(random_sum(records, theta, {bounds.a, bounds.b}), y, noise);
    const double s = draw_truncated_normal(lower.mean + centre.mean + upper.mean,
                                           std::sqrt(lower.variance + centre.variance + upper.variance), 0,
                                           kInfinity, rng);
    theta = draw_gamma(shape + records, rng) / (rate + s);
    const Normal again = random_sum(records, theta, {bounds.a, bounds.b});
    const double kept = again.mean + std::sqrt(again.variance) * draw_normal(rng);
    noise = infer::draw_mixture_variance(y - kept, scale, rng);
    if (i >= length.burn_in) out.push_back(theta);
  }
  return out;
}

Sample one_posterior_samples(std::size_t n, double a, double b, double successes, double epsilon, Rng& rng) {
  constexpr std::size_t kDraws = 100;
  constexpr double kEdge = 0.1;
  const double tau = epsilon / kDraws / (2 * std::log((1 - kEdge) / kEdge));
  const double heads = tau * (a + successes - 1) + 1;
  const double tails = tau * (b + static_cast<double>(n) - successes - 1) + 1;
  Sample out;
  while (out.size() < kDraws) {
    const double theta = draw_beta(heads, tails, rng);
    if (theta >= kEdge && theta <= 1 - kEdge) out.push_back(theta);
  }
  return out;
}

}  // namespace postern::bs18
