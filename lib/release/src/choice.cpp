#include "postern/release/choice.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/core/special.hpp"

namespace postern::release {
namespace {

/// Places of `wanted` among `held`; nothing if one is not there.
std::optional<std::vector<std::size_t>> places_of(const std::vector<std::string>& wanted,
                                                  std::span<const std::string> held) {
  std::vector<std::size_t> out;
  for (const std::string& name : wanted) {
    const auto found = std::find(held.begin(), held.end(), name);
    if (found == held.end()) return std::nullopt;
    out.push_back(static_cast<std::size_t>(found - held.begin()));
  }
  return out;
}

/// For every cell over columns of these sizes, the cell of the table over some of them.
std::vector<std::size_t> margin_cells(const std::vector<std::uint32_t>& sizes,
                                      const std::vector<std::size_t>& places) {
  std::size_t cells = 1;
  for (const std::uint32_t size : sizes) cells *= size;
  std::vector<std::size_t> out(cells);
  std::vector<std::uint32_t> levels(sizes.size(), 0);
  for (std::size_t& cell : out) {
    cell = 0;
    for (const std::size_t place : places) cell = cell * sizes[place] + levels[place];
    for (std::size_t c = sizes.size(); c-- > 0;) {
      if (++levels[c] < sizes[c]) break;
      levels[c] = 0;
    }
  }
  return out;
}

/// Are the scores a function of the counts of a table over `held`? Then the places of their columns there.
std::optional<std::vector<std::size_t>> places_of(const MeasuredBlock& block,
                                                  std::span<const std::string> held) {
  const model::StatisticKind& kind = block.block.statistic.kind();
  if (!kind.is_choice()) throw Error(ErrorCode::internal, {"a block that is no choice was taken for one"});
  return kind.of_counts() ? places_of(kind.columns(block.block.statistic), held) : std::nullopt;
}

}  // namespace

std::vector<double> choice_log_probabilities(std::span<const Int128> scores, double scale) {
  const Int128 best = *std::max_element(scores.begin(), scores.end());
  std::vector<double> out;
  out.reserve(scores.size());
  for (const Int128 score : scores) out.push_back(scale * static_cast<double>(score - best));
  const double whole = log_sum_exp(out);
  for (double& log_probability : out) log_probability -= whole;
  return out;
}

std::size_t simulate_choice(std::span<const Int128> scores, double scale, Rng& rng) {
  double left = rng.uniform();
  const std::vector<double> logs = choice_log_probabilities(scores, scale);
  for (std::size_t i = 0; i + 1 < logs.size(); ++i) {
    left -= std::exp(logs[i]);
    if (left < 0) return i;
  }
  return logs.size() - 1;
}

std::optional<ChoiceLikelihood> ChoiceLikelihood::make(const MeasuredBlock& block,
                                                       const model::Schema& schema,
                                                       std::span<const std::string> held) {
  const auto places = places_of(block, held);
  if (!places) return std::nullopt;
  ChoiceLikelihood out;
  out.statistic_ = block.block.statistic;
  out.schema_ = schema;
  out.scale_ = block.block.noise.parameter.get_d();
  out.chosen_ = static_cast<std::size_t>(block.values.at(0));
  out.cell_of_ = margin_cells(schema.domain(held).sizes(), *places);
  out.cells_ = schema.domain(out.statistic_.kind().columns(out.statistic_)).cells();
  return out;
}

std::vector<Int128> ChoiceLikelihood::scores(std::span<const std::int64_t> counts) const {
  if (counts.size() != cell_of_.size())
    throw Error(ErrorCode::internal, {"a latent table does not have the size of the one that was promised"});
  std::vector<std::int64_t> own(cells_, 0);
  for (std::size_t cell = 0; cell < counts.size(); ++cell) own[cell_of_[cell]] += counts[cell];
  return statistic_.kind().from_counts(statistic_, schema_, own);
}

double ChoiceLikelihood::log_likelihood(std::span<const std::int64_t> counts) const {
  return choice_log_probabilities(scores(counts), scale_).at(chosen_);
}

std::vector<std::string> ignored_choices(const Release& release,
                                         std::span<const std::vector<std::string>> held) {
  std::vector<std::string> out;
  for (const MeasuredBlock& measured : release.blocks) {
    const model::StatisticKind& kind = measured.block.statistic.kind();
    if (!kind.is_choice()) continue;
    const bool weighed = std::any_of(held.begin(), held.end(), [&](const std::vector<std::string>& table) {
      return places_of(measured, table).has_value();
    });
    if (!weighed)
      out.push_back("the posterior ignores the choice of " +
                    kind.text(measured.block.statistic, release.study.schema));
  }
  return out;
}

}  // namespace postern::release
