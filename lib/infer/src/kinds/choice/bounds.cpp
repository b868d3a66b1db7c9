#include "bounds.hpp"

#include <algorithm>
#include <cmath>

namespace postern::infer {
namespace {

constexpr std::size_t kPoints = 1001;

std::vector<double> spread_over(double lo, double hi) {
  std::vector<double> out(kPoints);
  const double step = (hi - lo) / static_cast<double>(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) out[i] = lo + (static_cast<double>(i) + 0.5) * step;
  return out;
}

std::vector<double> log_density(const ChoiceProblem& problem, const std::vector<double>& at, double n) {
  std::vector<double> out;
  std::vector<double> p;
  for (const double theta : at) {
    problem.law->probabilities(problem.law->on_line(theta), p);
    out.push_back(problem.law->log_prior(theta) + problem.choices.log_lower(p, n));
  }
  return out;
}

}  // namespace

double bounds_gap(const ChoiceProblem& problem, const LevelLaw::Theta& theta, double n) {
  std::vector<double> p;
  problem.law->probabilities(theta, p);
  return problem.choices.log_upper(p, n) - problem.choices.log_lower(p, n);
}

BoundPosterior::BoundPosterior(const ChoiceProblem& problem) {
  constexpr double kNegligible = 40;
  const auto n = static_cast<double>(problem.about());
  auto [lo, hi] = problem.law->line();
  std::vector<double> logs;
  // The grid closes in on where the mass is; three times do for a thousandth of a thousandth.
  for (int look = 0; look < 3; ++look) {
    at_ = spread_over(lo, hi);
    logs = log_density(problem, at_, n);
    const double top = *std::max_element(logs.begin(), logs.end());
    std::size_t first = 0;
    std::size_t last = kPoints - 1;
    while (logs[first] < top - kNegligible) ++first;
    while (logs[last] < top - kNegligible) --last;
    if (look == 2 || last - first > kPoints / 2) break;
    const double step = at_[1] - at_[0];
    hi = std::min(hi, at_[last] + step);
    lo = std::max(lo, at_[first] - step);
  }
  const double top = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  double second = 0;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double weight = std::exp(logs[i] - top);
    sum += weight;
    mean_ += weight * at_[i];
    cumulative_.push_back(sum);
  }
  mean_ /= sum;
  for (std::size_t i = 0; i < kPoints; ++i) {
    cumulative_[i] /= sum;
    second += std::exp(logs[i] - top) * (at_[i] - mean_) * (at_[i] - mean_);
  }
  sd_ = std::sqrt(second / sum);
  gap_ = bounds_gap(problem, problem.law->on_line(mean_), n);
  const auto [least, most] = problem.law->line();
  for (const double deviations : {-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0}) {
    const double at = std::clamp(mean_ + deviations * sd_, least, most);
    largest_gap_ = std::max(largest_gap_, bounds_gap(problem, problem.law->on_line(at), n));
  }
  std::vector<double> p;
  problem.law->probabilities(problem.law->on_line(mean_), p);
  log_lower_ = problem.choices.log_lower(p, n);
}

double BoundPosterior::quantile(double p) const {
  const auto found = std::lower_bound(cumulative_.begin(), cumulative_.end(), p);
  const auto i = static_cast<std::size_t>(std::min(found, cumulative_.end() - 1) - cumulative_.begin());
  const double before = i == 0 ? 0 : cumulative_[i - 1];
  const double width = cumulative_[i] - before;
  const double within = width > 0 ? (p - before) / width : 0.5;
  return at_[i] + (std::clamp(within, 0.0, 1.0) - 0.5) * (at_[1] - at_[0]);
}

}  // namespace postern::infer
