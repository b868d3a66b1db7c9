#include "exact/total_weight.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::infer {
namespace {

/// log sum over n = 0..most of e^{slope n}.
double log_geometric_sum(double slope, double most) {
  if (slope == 0) return std::log1p(most);
  if (slope > 0) return slope * most + log_geometric_sum(-slope, most);
  return log1m_exp(slope * (most + 1)) - log1m_exp(slope);
}

}  // namespace

TotalWeight::TotalWeight(double alpha0, const std::variant<KnownTotal, LatentTotal>& total)
    : alpha0_(alpha0) {
  if (const auto* known = std::get_if<KnownTotal>(&total)) {
    support_ = {known->n, known->n};
    return;
  }
  const auto& latent = std::get<LatentTotal>(total);
  support_ = {0, latent.at_most};
  log_slope_ = latent.log_slope;
  log_norm_ = log_geometric_sum(log_slope_, static_cast<double>(latent.at_most));
}

double TotalWeight::log_at(double n) const {
  const double rising = n + 1 >= alpha0_ ? log_rising(n + 1, alpha0_ - 1) - log_gamma(alpha0_)
                                         : log_rising(alpha0_, n) - log_factorial(n);
  return log_slope_ * n - log_norm_ - rising;
}

double TotalWeight::log_ratio(double n, double from) const {
  const double d = n - from;
  return log_slope_ * d - (log_rising(from + alpha0_, d) - log_rising(from + 1, d));
}

double TotalWeight::slope(double n) const {
  return log_slope_ + std::log((n + 0.5) / std::max(n + alpha0_ - 0.5, 0.25));
}

std::vector<double> TotalWeight::relative(Window window, double tilt, std::int64_t anchor) const {
  std::vector<double> out(window.size());
  const double rise = log_slope_ - tilt;
  // From n to n + 1 the logarithm changes by rise + log((n + 1) / (n + alpha0)).
  const auto step = [&](std::int64_t n) {
    return rise - std::log1p((alpha0_ - 1) / (static_cast<double>(n) + 1));
  };
  const auto index = [&](std::int64_t n) { return static_cast<std::size_t>(n - window.lo); };
  double log_weight = 0;
  for (std::int64_t n = anchor; n <= window.hi; ++n) {
    out[index(n)] = std::exp(log_weight);
    log_weight += step(n);
  }
  log_weight = 0;
  for (std::int64_t n = anchor - 1; n >= window.lo; --n) {
    log_weight -= step(n);
    out[index(n)] = std::exp(log_weight);
  }
  return out;
}

}  // namespace postern::infer
