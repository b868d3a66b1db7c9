#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "postern/core/diagnostics.hpp"
#include "postern/core/error.hpp"
#include "postern/core/special.hpp"
#include "postern/infer/moments/chain.hpp"

#include "moments/learned_draws.hpp"
#include "moments/scatter_chain.hpp"
#include "noise_check/moment_latents.hpp"

namespace postern::infer {
namespace {

constexpr double kEffective = 400;

/// The share of records whose y would lie outside of -1..1 if y were normal with these moments.
double outside_share(double mean, double variance) {
  const double sd = std::sqrt(std::max(variance, 1e-300));
  return normal_cdf((-1 - mean) / sd) + normal_cdf((mean - 1) / sd);
}

/// What chains have in common; `report` writes the quantities.
template <class Report>
class LearnedKernel {
 public:
  struct State {
    ScatterChain chain;
    std::vector<double> values;
  };
  struct Info {};

  LearnedKernel(const ScatterTarget& target, const ScatterStart& start, const Conversation& conversation)
      : target_(&target), start_(&start), conversation_(conversation), report_(target) {}
  [[nodiscard]] State init(Rng& rng) const {
    State state{ScatterChain(*target_, *start_), std::vector<double>(quantities())};
    state.chain.spread_out(*target_, rng);
    state.chain.settle(*target_, rng, conversation_);
    report_(state.chain.settled(*target_), rng, state.values);
    return state;
  }
  Info step(State& state, Rng& rng) const {
    state.chain.move(*target_, rng);
    report_(state.chain.settled(*target_), rng, state.values);
    return {};
  }
  [[nodiscard]] std::size_t quantities() const { return report_.size(); }
  void read(const State& state, std::span<double> out) const {
    std::copy(state.values.begin(), state.values.end(), out.begin());
  }
  void latents(const State& state, std::span<double> out, Rng& /*rng*/) const {
    const ScatterState& sums = state.chain.workspace().state;
    const std::vector<std::size_t>& column = target_->map().order().column;
    std::vector<int> row(column.size());
    for (std::size_t a = 0; a < column.size(); ++a) row[column[a]] = static_cast<int>(a);
    const auto at = [&](std::size_t i, std::size_t j) {
      if (i == 0) return sums.n;
      const int a = row[i - 1];
      const double mean = sums.mean(a) + target_->problem().origin_of(i - 1);
      if (j == 0) return sums.n * mean;
      const int b = row[j - 1];
      return sums.scatter(std::max(a, b), std::min(a, b)) +
             sums.n * mean * (sums.mean(b) + target_->problem().origin_of(j - 1));
    };
    tell_moments(target_->problem().moments, at, out);
  }

 private:
  const ScatterTarget* target_;
  const ScatterStart* start_;
  Conversation conversation_;
  Report report_;
};

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

/// Effective draws of the quantity that has fewest, of the first so many.
double least_effective(const ChainRun& run, std::size_t quantities, std::size_t draws) {
  double least = HUGE_VAL;
  for (std::size_t q = 0; q < quantities; ++q) {
    std::vector<std::span<const double>> chains;
    for (const std::vector<double>& chain : run.draws) chains.emplace_back(chain.data() + q * draws, draws);
    const ChainDraws all(chains);
    const double effective = std::min(bulk_ess(all), tail_ess(all));
    if (!std::isnan(effective)) least = std::min(least, effective);
  }
  return least;
}

std::vector<std::size_t> hidden_columns(const ScatterOrder& order, const ScatterProblem& problem) {
  const auto first = order.column.begin();
  std::vector<std::size_t> out(first + static_cast<std::ptrdiff_t>(order.seen),
                               first + static_cast<std::ptrdiff_t>(problem.features()));
  std::sort(out.begin(), out.end());
  return out;
}

/// The start with the metric that one chain learns before all others, which take it over.
ScatterStart with_metric(ScatterStart start, const ScatterTarget& target, std::size_t times,
                         const DriverOptions& options, const Conversation& conversation) {
  Rng rng(options.seed, static_cast<std::uint32_t>(options.chains), Purpose::draws);
  ScatterChain scout(target, start);
  scout.spread_out(target, rng);
  scout.adapt(target, times, rng, conversation);
  start.factor = scout.metric();
  return start;
}

template <class Report>
MomentRun run_learned(const ScatterProblem& problem, std::size_t judged, const DriverOptions& options,
                      const Conversation& conversation) {
  ScatterTarget target(problem);
  ScatterStart start = find_scatter_start(target, conversation);
  const double kept = static_cast<double>(options.chains) * static_cast<double>(options.draws);
  const double goal = std::min(kEffective, 0.25 * kept);
  DriverOptions longer = options;
  for (std::size_t times = 1;; times *= 4) {
    start = with_metric(std::move(start), target, times, options, conversation);
    const LearnedKernel<Report> kernel(target, start, conversation);
    MomentRun run{run_chains(kernel, longer, conversation), hidden_columns(target.map().order(), problem)};
    if (times > 1 || least_effective(run.chains, judged, options.draws) >= goal) return run;
    longer.first_stage *= 4;
    longer.most_warmup *= 4;
    longer.most_thinning *= 4;
  }
}

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
  return run_learned<RegressionReport>(problem, LearnedRegressionQuantities(problem).coefficients, options,
                                       conversation);
}

MomentRun draw_learned_covariance(const ScatterProblem& problem, const DriverOptions& options,
                                  const Conversation& conversation) {
  check_size(problem, false);
  return run_learned<CovarianceReport>(problem, LearnedCovarianceQuantities(problem).covariance, options,
                                       conversation);
}

}  // namespace postern::infer
