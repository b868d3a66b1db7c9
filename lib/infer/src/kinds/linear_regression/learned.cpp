#include "learned.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "postern/model/kinds/linear_regression.hpp"

#include "natural.hpp"

namespace postern::infer {
namespace {

constexpr double kRoom = 0.5;
constexpr double kStrong = 0.63;   // the correlation of an effect that explains 40 %
constexpr double kExcluded = 0.4;  // of one that explains 16 %
constexpr double kHides = 2;       // times the least residual that sigma's interval allows
// Shares of the target's variance that features leave open: the ends of an interval that says that they tell
// much of it and perhaps nearly all. Where features explained .95, 8 of 10 releases had such an interval and
// noise that hides the rest, and 9 of 10 others; of cases that hold the worst had it in 2 of 40, twice.
constexpr double kNearlyAll = 0.15;
constexpr double kMuch = 5.0 / 6;

/// The least noise that a value of G_ij alone was released with, as a standard deviation.
std::optional<double> noise_on(const ScatterProblem& problem, std::size_t i, std::size_t j) {
  std::optional<double> least;
  for (const NoisyMoment& one : problem.moments) {
    if (std::max(one.i, one.j) != std::max(i, j) || std::min(one.i, one.j) != std::min(i, j)) continue;
    if (one.weight != 0 && one.k + one.l != 0) continue;
    const double sd = one.noise.scale * (one.noise.shape == MomentNoise::Shape::laplace ? std::sqrt(2.0) : 1);
    least = least ? std::min(*least, sd) : sd;
  }
  return least;
}

/// The features' entries by name: "age", "smoker = yes".
std::vector<std::string> entry_names(const model::Study& study) {
  const auto& model = study.model.get<model::LinearRegression>();
  std::vector<std::string> out;
  for (const model::MomentEntry& entry : model::feature_entries(model.features, model.target, study.schema)) {
    const std::string& name = model.features[entry.column];
    out.push_back(entry.level == 0 ? name : name + " = " + study.schema.at(name).label(entry.level));
  }
  return out;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i) out += (i > 0 ? ", '" : "'") + names[i] + "'";
  if (names.size() > kMost) out += " and " + std::to_string(names.size() - kMost) + " more";
  return out;
}

struct Interval {
  double low = 0;
  double high = 0;
};

/// Of 90 %, of `value(chain, i)` in all draws.
template <class Value>
Interval interval_of(const ChainRun& run, std::size_t draws, const Value& value) {
  std::vector<double> all;
  for (const std::vector<double>& chain : run.draws) {
    for (std::size_t i = 0; i < draws; ++i) all.push_back(value(chain, i));
  }
  std::sort(all.begin(), all.end());
  return {all[all.size() / 20], all[all.size() - 1 - all.size() / 20]};
}

double records(const ChainRun& run, const ScatterProblem& problem, std::size_t draws) {
  if (const auto* known = std::get_if<KnownTotal>(&problem.total)) return static_cast<double>(known->n);
  return mean_quantity(run, LearnedRegressionQuantities(problem).total, draws);
}

/// Could noise hide a residual below sigma's interval, and do features tell much of the target, perhaps
/// nearly all?
bool hides_small_residual(const ChainRun& run, const ScatterProblem& problem, double n, std::size_t draws) {
  const LearnedRegressionQuantities at(problem);
  const std::size_t y_sd = at.deviations + problem.features();
  const double sigma = interval_of(run, draws, [&](const auto& chain, std::size_t i) {
                         return chain[at.sigma * draws + i];
                       }).low;
  const Interval left = interval_of(run, draws, [&](const auto& chain, std::size_t i) {
    return chain[at.sigma * draws + i] / chain[y_sd * draws + i];
  });
  const double noise = noise_on(problem, problem.columns, problem.columns).value_or(0);
  return noise > kHides * n * sigma * sigma && left.low * left.low < kNearlyAll &&
         left.high * left.high < kMuch;
}

}  // namespace

ScatterProblem learned_problem(const RegressionProblem& problem, const model::Study& study,
                               double prior_scale) {
  constexpr double kSharper = 0.1;
  const auto& model = study.model.get<model::LinearRegression>();
  ScatterProblem out;
  out.columns = problem.features + 1;
  out.target = true;
  out.moments = problem.moments;
  out.total = problem.total;
  out.public_moments = problem.public_moments;
  out.prior_scale = prior_scale;
  const std::vector<std::string> columns = model::columns_of(study.model);
  for (const model::MomentEntry& entry : model::regression_entries(model, study.schema)) {
    std::optional<TwoLevels>& levels = out.two_levels.emplace_back();
    if (entry.level > 0) levels = TwoLevels{0, 1};
    if (entry.level > 0 || study.schema.at(columns[entry.column]).levels() != 2) continue;
    levels = TwoLevels{-1, 1};
    const std::size_t place = out.two_levels.size();
    const double noise = noise_on(out, place, 0).value_or(1) * kSharper;
    out.moments.push_back({place, place, 0, {MomentNoise::Shape::gaussian, noise}, -1, 0, 0});
  }
  return out;
}

std::vector<Warning> hidden_warnings(const ChainRun& run, const ScatterProblem& problem,
                                     const model::Study& study, std::size_t draws) {
  const auto& model = study.model.get<model::LinearRegression>();
  const LearnedRegressionQuantities at(problem);
  const auto mean = [&](std::size_t quantity) { return mean_quantity(run, quantity, draws); };
  const double n = records(run, problem, draws);
  const std::size_t y_sd = at.deviations + problem.features();
  const std::vector<std::string> names = entry_names(study);
  std::vector<std::string> hidden;
  for (std::size_t j = 0; j < problem.features(); ++j) {
    const std::size_t x_sd = at.deviations + j;
    const double noise = noise_on(problem, j + 1, problem.columns).value_or(HUGE_VAL);
    // The slope in units of the sds among the records: about the correlation.
    const Interval slope = interval_of(run, draws, [&](const std::vector<double>& chain, std::size_t i) {
      return chain[(j + 1) * draws + i] * chain[x_sd * draws + i] / chain[y_sd * draws + i];
    });
    if (noise > kRoom * kStrong * n * mean(x_sd) * mean(y_sd) && std::max(-slope.low, slope.high) < kExcluded)
      hidden.push_back(names[j]);
  }
  std::vector<Warning> out;
  if (!hidden.empty()) {
    out.push_back({"effect-hidden",
                   "the prior alone rules out a strong effect of " + listed(hidden) + " on '" + model.target +
                       "': the noise would hide one that explained 40 % of its variance, and these intervals "
                       "exclude one of 16 %. Bounds nearer to the data, fewer features or a larger budget "
                       "would show it"});
  }
  if (hides_small_residual(run, problem, n, draws)) {
    out.push_back({"residual-hidden",
                   "the features tell much of '" + model.target +
                       "', and noise hides whether they tell nearly all: it could hide a residual below the "
                       "lower end of "
                       "sigma's interval, which the prior alone rules out. Bounds nearer to the data or a "
                       "larger budget would show it"});
  }
  return out;
}

std::string hidden_features_note(const MomentRun& run, const model::Study& study) {
  const std::vector<std::string> names = entry_names(study);
  std::vector<std::string> hidden;
  for (const std::size_t column : run.hidden) {
    if (column < names.size()) hidden.push_back(names[column]);
  }
  if (hidden.empty()) return {};
  return "noise hides how far " + listed(hidden) +
         " varies: its slope depends on the prior of its spread, and its interval allows for that";
}

}  // namespace postern::infer
