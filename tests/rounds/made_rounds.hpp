#pragma once

#include <string>
#include <utility>
#include <vector>

#include "postern/model/plan.hpp"
#include "postern/owner/gate.hpp"

#include "chooser.hpp"

namespace postern::owner {

/// How many records lie in each cell of all columns of a chooser, row-major.
using JointCounts = std::vector<std::int64_t>;

/// The exact values of blocks, by their definitions.
inline std::vector<std::vector<Int128>> values_of(const model::Measurement& measurement,
                                                  const model::Study& study, const JointCounts& counts) {
  std::vector<std::vector<Int128>> out;
  const std::vector<std::string> all = model::columns_of(study.model);
  for (const model::Block& block : measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    const auto tally = kind.tally(block.statistic, study.schema);
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
      std::vector<std::uint32_t> levels;
      for (const std::string& name : kind.columns(block.statistic)) {
        const auto column = static_cast<std::size_t>(name[0] - 'a');
        levels.push_back(static_cast<std::uint32_t>(cell >> (all.size() - 1 - column) & 1U));
      }
      tally->add(levels, counts[cell]);
    }
    out.push_back(tally->values());
  }
  return out;
}

/// Records that are known by their counts.
inline Measure measure_counts(const model::Study& study, JointCounts counts) {
  return [&study, counts = std::move(counts)](const model::Measurement& measurement) {
    Measured out;
    for (const std::int64_t count : counts) out.n += count;
    out.blocks = values_of(measurement, study, counts);
    out.again = [&study, counts](const model::Measurement& wanted) {
      return values_of(wanted, study, counts);
    };
    return out;
  };
}

inline model::NoisePlan plan_of(const model::Study& study, const char* amount) {
  return model::make_noise_plan(study, model::default_mechanism(study),
                                Spend::parse(study.privacy.currency, amount));
}

inline Ledger rehearsal_for(const model::Study& study) {
  return Ledger::rehearsal(
      {study.dataset, study.privacy, Spend(study.privacy.currency, std::int64_t{1} << 62)});
}

inline release::Release make_rounds(const model::Study& study, const model::NoisePlan& plan, Ledger& ledger,
                                    Entropy& entropy, const Measure& measure) {
  return pass_gate({study, plan, false, model::found_counts}, ledger, entropy, measure);
}

}  // namespace postern::owner
