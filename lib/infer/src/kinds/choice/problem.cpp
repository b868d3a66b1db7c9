#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/model/kinds/choice.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/release/noise_law.hpp"

#include "posterior/named_total.hpp"

namespace postern::infer {
namespace {

ChosenCandidate chosen_candidate(const release::MeasuredBlock& measured, const model::ScoreTable& table) {
  const double scale = measured.block.noise.parameter.get_d();
  ChosenCandidate out;
  out.chosen = static_cast<std::size_t>(measured.values.at(0));
  for (const std::int64_t score : table.scores) out.log_weights.push_back(scale * static_cast<double>(score));
  return out;
}

}  // namespace

std::int64_t ChoiceProblem::about() const {
  if (const auto* known = std::get_if<KnownTotal>(&total)) return known->n;
  const std::int64_t at_most = std::get<LatentTotal>(total).at_most;
  double best = 0;
  double weight = 0;
  for (const NoisyValue& value : counts) {
    const double precision = 1 / release::variance(value.law);
    best += value.y * precision;
    weight += precision;
  }
  if (weight == 0) return at_most / 2;
  return std::clamp<std::int64_t>(std::llround(best / weight), 0, at_most);
}

double ChoiceProblem::log_total(std::int64_t n) const {
  double out = 0;
  for (const NoisyValue& value : counts) out += release::log_pmf(value.law, value.y - static_cast<double>(n));
  return out;
}

ChoiceProblem make_choice_problem(const release::RecordSet& releases, std::unique_ptr<const LevelLaw> law,
                                  std::size_t levels) {
  std::vector<ChosenCandidate> choices;
  std::vector<NoisyValue> counts;
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& measured : release->blocks) {
      if (const auto* table = measured.block.statistic.as<model::ScoreTable>()) {
        choices.push_back(chosen_candidate(measured, *table));
      } else if (measured.block.statistic.as<model::RecordCount>() != nullptr) {
        counts.push_back(
            {static_cast<double>(measured.values.at(0)), release::noise_law(measured.block.noise)});
      } else {
        throw Error(ErrorCode::release_inconsistent, {"a release of a choice holds something else"});
      }
    }
  }
  return {std::move(law), ChoiceLikelihoods(std::move(choices), levels), total_of(releases),
          std::move(counts)};
}

ChoiceProblem make_choice_problem(const release::RecordSet& releases, const InferOptions& options) {
  const model::Study& study = releases.front()->study;
  const std::size_t levels = study.schema.at(model::columns_of(study.model).front()).levels();
  return make_choice_problem(releases, make_level_law(model::study_of_records(study), options), levels);
}

}  // namespace postern::infer
