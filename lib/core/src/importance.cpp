#include "postern/core/importance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace postern {
namespace {

constexpr std::size_t kLeastTail = 5;

/// The mean of log(1 - theta x), which is k where theta = -k / scale.
double shape_at(double theta, std::span<const double> x) {
  double sum = 0;
  for (const double one : x) sum += std::log1p(-theta * one);
  return sum / static_cast<double>(x.size());
}

/// The posterior mean of theta on the grid of the method.
double usual_theta(std::span<const double> x) {
  const auto count = static_cast<double>(x.size());
  const auto points = static_cast<std::size_t>(30 + std::floor(std::sqrt(count)));
  const double quarter = x[(x.size() + 2) / 4 - 1];
  std::vector<double> theta(points), profile(points);
  for (std::size_t j = 0; j < points; ++j) {
    const double apart = 1 - std::sqrt(static_cast<double>(points) / (static_cast<double>(j) + 0.5));
    theta[j] = 1 / x.back() + apart / (3 * std::max(quarter, 1e-300));
    const double k = shape_at(theta[j], x);
    profile[j] = count * (std::log(-theta[j] / k) - k - 1);
  }
  const double most = *std::max_element(profile.begin(), profile.end());
  double total = 0;
  double sum = 0;
  for (std::size_t j = 0; j < points; ++j) {
    const double weight = std::exp(profile[j] - most);
    total += weight;
    sum += weight * theta[j];
  }
  return sum / total;
}

double quantile(const ParetoFit& fit, double p) {
  return fit.k == 0 ? -fit.scale * std::log1p(-p) : fit.scale * std::expm1(-fit.k * std::log1p(-p)) / fit.k;
}

/// Replaces the largest weights by quantiles of their law. Returns k. @pre `order` sorts the weights
double smooth_tail(std::vector<double>& weight, std::span<const std::size_t> order) {
  const auto count = static_cast<double>(weight.size());
  const auto tail = static_cast<std::size_t>(std::ceil(std::min(0.2 * count, 3 * std::sqrt(count))));
  if (tail < kLeastTail) return std::numeric_limits<double>::infinity();
  const std::size_t first = order.size() - tail;
  const double cut = weight[order[first - 1]];
  std::vector<double> above;
  for (std::size_t i = first; i < order.size(); ++i) above.push_back(weight[order[i]] - cut);
  const double most = weight[order.back()];
  if (!(above.back() > 1e-12 * most)) return 0;  // as good as equal
  const ParetoFit fit = fit_pareto(above);
  if (!std::isfinite(fit.k) || !std::isfinite(fit.scale)) return std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < tail; ++i) {
    const double p = (static_cast<double>(i) + 0.5) / static_cast<double>(tail);
    weight[order[first + i]] = std::min(most, cut + quantile(fit, p));
  }
  return fit.k;
}

}  // namespace

ParetoFit fit_pareto(std::span<const double> exceedances) {
  constexpr double kOwn = 10;  // observations that the prior of k, about 1/2, is worth
  const auto count = static_cast<double>(exceedances.size());
  const double theta = usual_theta(exceedances);
  const double k = shape_at(theta, exceedances);
  return {(k * count + 0.5 * kOwn) / (count + kOwn), -k / theta};
}

ImportanceWeights smoothed_weights(std::span<const double> log_ratios) {
  ImportanceWeights out;
  out.pareto_k = std::numeric_limits<double>::infinity();
  const auto finite = [](double x) { return std::isfinite(x); };
  if (log_ratios.empty() || !std::all_of(log_ratios.begin(), log_ratios.end(), finite)) {
    out.weight.assign(log_ratios.size(), 1 / std::max(1.0, static_cast<double>(log_ratios.size())));
    return out;
  }
  const double most = *std::max_element(log_ratios.begin(), log_ratios.end());
  for (const double one : log_ratios) out.weight.push_back(std::exp(one - most));
  std::vector<std::size_t> order(log_ratios.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return log_ratios[a] < log_ratios[b]; });
  out.pareto_k = smooth_tail(out.weight, order);
  const double total = std::accumulate(out.weight.begin(), out.weight.end(), 0.0);
  for (double& one : out.weight) one /= total;
  return out;
}

}  // namespace postern
