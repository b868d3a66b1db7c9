#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/moments/chain.hpp"

#include "moments/learned_draws.hpp"
#include "moments/learned_run.hpp"

namespace postern::infer {
namespace {

/// The share of records whose y would lie outside of -1..1 if y were normal with these moments.
double outside_share(double mean, double variance) {
  const double sd = std::sqrt(std::max(variance, 1e-300));
  return normal_cdf((-1 - mean) / sd) + normal_cdf((mean - 1) / sd);
}

class RegressionReport {
 public:
  explicit RegressionReport(const ScatterTarget& target) : target_(&target), at_(target.problem()) {}
  [[nodiscard]] std::size_t size() const { return at_.all; }
  void operator()(const ScatterWorkspace& work, Rng& rng, std::span<double> values) const {
    const int d = target_->places().features;
    draw_slopes(*target_, work, rng, values.first(at_.coefficients), values[at_.sigma]);
    const ScatterState& state = work.state;
    if (target_->map().latent()) values[at_.total] = std::round(state.n);
    values[at_.outside] = outside_share(state.mean(d), state.scatter(d, d) / state.n);
    for (int a = 0; a <= d; ++a)
      values[at_.deviations + target_->map().order().column[a]] = std::sqrt(state.scatter(a, a) / state.n);
    for (const auto& [place, times] : {std::pair(at_.half_scale, 0.5), std::pair(at_.twice_scale, 2.0)}) {
      values[place] = log_scale_ratio(*target_, work, values.first(at_.sigma), values[at_.sigma], times);
    }
  }

 private:
  const ScatterTarget* target_;
  LearnedRegressionQuantities at_;
};

class CovarianceReport {
 public:
  explicit CovarianceReport(const ScatterTarget& target) : target_(&target), at_(target.problem()) {}
  [[nodiscard]] std::size_t size() const { return at_.all; }
  void operator()(const ScatterWorkspace& work, Rng& rng, std::span<double> values) const {
    const auto d = static_cast<std::size_t>(target_->places().features);
    draw_features_law(*target_, work, rng, values.first(at_.covariance), values.subspan(at_.means, d));
    if (target_->map().latent()) values[at_.total] = std::round(work.state.n);
  }

 private:
  const ScatterTarget* target_;
  LearnedCovarianceQuantities at_;
};

void check_size(const ScatterProblem& problem, bool target) {
  if (problem.target != target || problem.columns > kMostScatterColumns)
    throw Error(ErrorCode::bad_value,
                {"moments are drawn of at most 31 columns, a regression's with a target"});
}

std::size_t latent_totals(const ScatterProblem& problem) {
  return std::holds_alternative<LatentTotal>(problem.total) ? 1 : 0;
}

}  // namespace

LearnedRegressionQuantities::LearnedRegressionQuantities(const ScatterProblem& problem)
    : coefficients(problem.columns), sigma(problem.columns), total(sigma + 1) {
  outside = total + latent_totals(problem);
  deviations = outside + 1;
  half_scale = deviations + problem.columns;
  twice_scale = half_scale + 1;
  all = twice_scale + 1;
}

LearnedCovarianceQuantities::LearnedCovarianceQuantities(const ScatterProblem& problem)
    : covariance(problem.columns * (problem.columns + 1) / 2),
      means(covariance),
      total(means + problem.columns),
      all(total + latent_totals(problem)) {}

MomentRun draw_learned_regression(const ScatterProblem& problem, const DriverOptions& options,
                                  const Conversation& conversation) {
  check_size(problem, true);
  ScatterTarget target(problem);
  ScatterStart start = find_scatter_start(target, conversation);
  return run_learned(target, std::move(start), RegressionReport(target),
                     LearnedRegressionQuantities(problem).coefficients, options, conversation);
}

MomentRun draw_learned_covariance(const ScatterProblem& problem, const DriverOptions& options,
                                  const Conversation& conversation) {
  check_size(problem, false);
  ScatterTarget target(problem);
  ScatterStart start = find_scatter_start(target, conversation);
  return run_learned(target, std::move(start), CovarianceReport(target),
                     LearnedCovarianceQuantities(problem).covariance, options, conversation);
}

}  // namespace postern::infer
