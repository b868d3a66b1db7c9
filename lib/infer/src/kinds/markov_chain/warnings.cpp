#include "warnings.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "postern/model/kinds/markov_chain.hpp"
#include "postern/model/statistic/transitions.hpp"
#include "postern/release/noise_law.hpp"

#include "posterior/words.hpp"

namespace postern::infer {
namespace {

/// Transitions in all cells together, as far as they are known, and the noise of a cell.
struct Seen {
  double transitions = 0;
  double noise_sd = 0;
  double cells = 1;
  bool surely = true;  ///< rather than at the most
};

std::vector<Warning> compare(const Seen& seen) {
  const double each = seen.transitions / seen.cells;
  if (seen.noise_sd <= each) return {};
  return {{"noise-outweighs-counts",
           "the noise of a cell has standard deviation " + short_text(seen.noise_sd) +
               ", and an average cell of the matrix counts " + (seen.surely ? "" : "likely at most ") +
               short_text(each) +
               " transitions: single cells say little. Merge states, let fewer transitions of a person count "
               "(at_most), or spend more on a release"}};
}

/// The noise of a cell in transitions; nothing for another statistic.
std::optional<double> noise_of(const model::Block& block) {
  const auto* moves = block.statistic.as<model::Transitions>();
  if (moves == nullptr) return std::nullopt;
  return release::noise_sd(block.noise).value_or(0) / static_cast<double>(moves->parts);
}

}  // namespace

std::vector<Warning> planned_chain_warnings(const model::Study& study, const model::Measurement& measurement,
                                            std::int64_t n) {
  const auto each = static_cast<double>(model::made_up_records(study));
  for (const model::Block& block : measurement.blocks) {
    const std::optional<double> sd = noise_of(block);
    if (sd)
      return compare({static_cast<double>(n) * (each - 1) / each, *sd, static_cast<double>(block.size)});
  }
  return {};
}

std::vector<Warning> chain_warnings(const release::RecordSet& releases) {
  double precision = 0;
  double weighted = 0;
  Seen seen;
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& measured : release->blocks) {
      const std::optional<double> sd = noise_of(measured.block);
      if (!sd || *sd == 0) continue;
      const auto parts = static_cast<double>(measured.block.statistic.get<model::Transitions>().parts);
      double sum = 0;
      for (const Int128 value : measured.values) sum += static_cast<double>(value) / parts;
      precision += 1 / (*sd * *sd);
      weighted += sum / (*sd * *sd);
      seen.cells = static_cast<double>(measured.values.size());
    }
  }
  if (precision == 0) return {};
  seen.noise_sd = 1 / std::sqrt(precision);
  seen.transitions = std::max(0.0, weighted / precision) + 2 * seen.noise_sd * std::sqrt(seen.cells);
  seen.surely = false;
  return compare(seen);
}

}  // namespace postern::infer
