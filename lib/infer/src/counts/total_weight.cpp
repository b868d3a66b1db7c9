#include "total_weight.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

#include "numeric/cumulative_product.hpp"

namespace postern::infer {
namespace {

/// log sum over n = 0..most of e^{slope n}.
double log_geometric_sum(double slope, double most) {
  if (slope == 0) return std::log1p(most);
  if (slope > 0) return slope * most + log_geometric_sum(-slope, most);
  return log1m_exp(slope * (most + 1)) - log1m_exp(slope);
}

/// log Gamma(x + s) - log Gamma(x) for x, x + s >= 30, where three terms of Stirling's series are enough.
double quick_log_rising(double x, double s) {
  const auto tail = [](double y) {
    const double r = 1 / (y * y);
    return (1.0 / 12 - r * (1.0 / 360 - r / 1260)) / y;
  };
  return (x - 0.5) * std::log1p(s / x) + s * (std::log(x + s) - 1) + tail(x + s) - tail(x);
}

}  // namespace

TotalWeight::TotalWeight(double alpha0, const std::variant<KnownTotal, LatentTotal>& total,
                         std::int64_t multiple)
    : alpha0_(alpha0) {
  if (const auto* known = std::get_if<KnownTotal>(&total)) {
    support_ = {known->n, known->n};
    return;
  }
  const auto& latent = std::get<LatentTotal>(total);
  support_ = {0, latent.at_most};
  log_slope_ = latent.log_slope;
  multiple_ = multiple;
  const std::int64_t most = latent.at_most / multiple;
  log_norm_ = log_geometric_sum(log_slope_ * static_cast<double>(multiple), static_cast<double>(most));
}

double TotalWeight::log_at(double n) const {
  const double rising = n + 1 >= alpha0_ ? log_rising(n + 1, alpha0_ - 1) - log_gamma(alpha0_)
                                         : log_rising(alpha0_, n) - log_factorial(n);
  return log_slope_ * n - log_norm_ - rising;
}

double TotalWeight::log_ratio(double n, double from) const {
  const double d = n - from;
  const auto rising = std::min(n, from) >= 30 ? quick_log_rising : log_rising;
  return log_slope_ * d - (rising(from + alpha0_, d) - rising(from + 1, d));
}

double TotalWeight::slope(double n) const {
  return log_slope_ + std::log((n + 0.5) / std::max(n + alpha0_ - 0.5, 0.25));
}

void TotalWeight::step_down(double x, double tilt, std::span<const double> y, std::span<double> value) const {
  const double factor = std::exp(tilt - log_slope_);
  for (std::size_t j = 0; j < y.size(); ++j) {
    const double n = x + y[j];
    value[j] *= n > 0 ? factor * (n - 1 + alpha0_) / n : 0;
  }
}

std::vector<double> TotalWeight::relative(Window window, double tilt, std::int64_t anchor,
                                          std::int64_t pitch) const {
  const Window kept = multiples_in(window, pitch);
  std::vector<double> out(kept.size());
  if (kept.empty()) return out;
  window = {pitch * kept.lo, pitch * kept.hi};
  const auto from = static_cast<double>(anchor);
  const std::int64_t middle = std::clamp(anchor / pitch, kept.lo, kept.hi);
  const std::int64_t start = pitch * middle;
  const auto at_start = static_cast<double>(start);
  const double first = start == anchor ? 0 : log_ratio(at_start, from) - tilt * (at_start - from);
  double* here = out.data() + (middle - kept.lo);
  *here = 1;
  // From n to n + 1 the weight grows by e^rise (n + 1) / (n + alpha0).
  const double rise = log_slope_ - tilt;
  const auto ratio = [this](std::int64_t n) {
    return (static_cast<double>(n) + 1) / (static_cast<double>(n) + alpha0_);
  };
  const auto back = [this](std::int64_t n) {
    return (static_cast<double>(n) + alpha0_) / (static_cast<double>(n) + 1);
  };
  const auto every = [pitch](double* next, std::ptrdiff_t step) {
    return [=, wanted = pitch](std::int64_t k, double weight) mutable {
      if (k != wanted) return;
      wanted += pitch;
      next += step;
      *next = weight;
    };
  };
  each_cumulative_product(
      window.hi - start, [&](std::int64_t k) { return ratio(start + k - 1); },
      [&](std::int64_t k) { return rise * static_cast<double>(k); }, every(here, 1));
  each_cumulative_product(
      start - window.lo, [&](std::int64_t k) { return back(start - k); },
      [&](std::int64_t k) { return -rise * static_cast<double>(k); }, every(here, -1));
  if (first != 0) {
    const double scale = std::exp(first);
    for (double& weight : out) weight *= scale;
  }
  return out;
}

}  // namespace postern::infer
