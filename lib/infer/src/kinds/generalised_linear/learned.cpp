#include "learned.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "postern/model/kinds/generalised_linear.hpp"

namespace postern::infer {
namespace {

constexpr double kRoom = 0.5;
constexpr double kStrong = 0.63;  // the correlation of an effect that explains 40 %

/// The least noise that a value of G_ij alone was released with, as a standard deviation.
std::optional<double> noise_on(const GlmProblem& problem, std::size_t i, std::size_t j) {
  std::optional<double> least;
  for (const NoisyMoment& one : problem.sums.moments) {
    if (std::max(one.i, one.j) != i || std::min(one.i, one.j) != j || one.weight != 0) continue;
    const double sd = one.noise.scale * (one.noise.shape == MomentNoise::Shape::laplace ? std::sqrt(2.0) : 1);
    least = least ? std::min(*least, sd) : sd;
  }
  return least;
}

double mean_of(const ChainRun& run, std::size_t quantity, std::size_t draws) {
  double sum = 0;
  for (const std::vector<double>& chain : run.draws) {
    for (std::size_t i = 0; i < draws; ++i) sum += chain[quantity * draws + i];
  }
  return sum / static_cast<double>(draws * run.draws.size());
}

/// The end of the 90 % interval that is farther from 0.
double farther_end(const ChainRun& run, std::size_t quantity, std::size_t draws) {
  std::vector<double> all;
  for (const std::vector<double>& chain : run.draws) {
    const auto first = chain.begin() + static_cast<std::ptrdiff_t>(quantity * draws);
    all.insert(all.end(), first, first + static_cast<std::ptrdiff_t>(draws));
  }
  std::sort(all.begin(), all.end());
  return std::max(-all[all.size() / 20], all[all.size() - 1 - all.size() / 20]);
}

/// "'age', 'smoker = yes'", of the features' entries.
std::string listed(const std::vector<std::size_t>& entries, const model::Study& study) {
  constexpr std::size_t kMost = 8;
  const auto& model = study.model.get<model::GeneralisedLinear>();
  const auto all = model::feature_entries(model.features, model.target, study.schema);
  std::string out;
  for (std::size_t i = 0; i < entries.size() && i < kMost; ++i) {
    const auto [column, level] = all[entries[i]];
    const std::string& name = model.features[column];
    out += (i > 0 ? ", '" : "'") + name;
    out += level == 0 ? "'" : " = " + study.schema.at(name).label(level) + "'";
  }
  if (entries.size() > kMost) out += " and " + std::to_string(entries.size() - kMost) + " more";
  return out;
}

}  // namespace

void prepare_learned(GlmProblem& problem, const model::Study& study, double prior_scale) {
  constexpr double kSharper = 0.1;
  const auto& model = study.model.get<model::GeneralisedLinear>();
  problem.prior_scale = prior_scale;
  problem.two_levels.clear();
  for (const model::MomentEntry& entry : model::feature_entries(model.features, model.target, study.schema)) {
    std::optional<TwoLevels>& levels = problem.two_levels.emplace_back();
    if (entry.level > 0) levels = TwoLevels{0, 1};
    if (entry.level > 0 || study.schema.at(model.features[entry.column]).levels() != 2) continue;
    levels = TwoLevels{-1, 1};
    const std::size_t place = problem.two_levels.size();
    const double noise = noise_on(problem, place, 0).value_or(1) * kSharper;
    problem.sums.moments.push_back({place, place, 0, {MomentNoise::Shape::gaussian, noise}, -1, 0, 0});
  }
}

std::vector<Warning> hidden_effects(const ChainRun& run, const GlmProblem& problem, const model::Study& study,
                                    std::size_t draws) {
  const LearnedGlmQuantities at(problem);
  const auto mean = [&](std::size_t quantity) { return mean_of(run, quantity, draws); };
  const auto* known = std::get_if<KnownTotal>(&problem.sums.total);
  const double n = known != nullptr ? static_cast<double>(known->n) : mean(at.total);
  const std::size_t target = problem.sums.features + 1;
  const double target_sd = mean(at.deviations + problem.sums.features);
  std::vector<std::size_t> hidden;
  const double residual = problem.law.counts() ? 1 : std::numbers::pi / std::sqrt(3.0);  // of the predictor
  for (std::size_t j = 0; j < problem.sums.features; ++j) {
    const double sd = mean(at.deviations + j);
    const double noise = noise_on(problem, target, j + 1).value_or(HUGE_VAL);
    const double most = farther_end(run, j + 1, draws) * sd / residual;
    const bool excluded = most / std::sqrt(1 + most * most) < kStrong;
    if (noise > kRoom * kStrong * n * sd * target_sd && excluded) hidden.push_back(j);
  }
  if (hidden.empty()) return {};
  return {{"effect-hidden",
           "the prior alone rules out a strong effect of " + listed(hidden, study) + " on '" +
               study.model.get<model::GeneralisedLinear>().target +
               "': the noise would hide one that explained 40 % of its variance, and these intervals exclude "
               "it. Bounds nearer to the data, fewer features or a larger budget would show it"}};
}

std::string hidden_spread_note(const MomentRun& run, const model::Study& study) {
  if (run.hidden.empty()) return {};
  return "noise hides how far " + listed(run.hidden, study) +
         " varies: its slope depends on the prior of its spread, and its interval allows for that";
}

}  // namespace postern::infer
