#pragma once

#include <string>
#include <vector>

#include "postern/assess/audit_stat.hpp"
#include "postern/model/plan.hpp"
#include "postern/owner/gate.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::owner {

/// Two neighbouring sets of records, as the exact statistic of each block of a plan.
struct Neighbours {
  std::string what;
  std::int64_t n = 0;
  std::int64_t neighbour_n = 0;
  std::vector<std::vector<Int128>> blocks;
  std::vector<std::vector<Int128>> neighbour_blocks;
};

/// One real number per block copy: the log-likelihood ratio under the claimed law (the sharpest event if the
/// law is as claimed), or the projection on the direction of the difference (sharper if it is not).
enum class Event { likelihood_ratio, projection };

/// `values`, `copies` times in a row.
inline std::vector<Int128> repeat(const std::vector<Int128>& values, std::size_t copies) {
  std::vector<Int128> out;
  for (std::size_t c = 0; c < copies; ++c) out.insert(out.end(), values.begin(), values.end());
  return out;
}

/// Passes the records through the real gate `passes` times. Each block measures its statistic `copies` times
/// over, and every copy counts as one run, so that large audits do not need as many charges.
inline std::vector<double> run_gate(const model::Study& study, const model::NoisePlan& plan,
                                    const Neighbours& pair, bool neighbour, Event event, std::size_t passes,
                                    std::size_t copies, Entropy& entropy) {
  model::NoisePlan repeated = plan;
  for (model::Block& block : repeated.measurement.blocks) block.size *= copies;
  const Measure measure = [&](const model::Measurement&) {
    Measured measured;
    measured.n = neighbour ? pair.neighbour_n : pair.n;
    for (const auto& block : neighbour ? pair.neighbour_blocks : pair.blocks)
      measured.blocks.push_back(repeat(block, copies));
    return measured;
  };
  Ledger ledger =
      Ledger::rehearsal({study.dataset, study.privacy, Spend(study.privacy.currency, std::int64_t{1} << 62)});
  std::vector<double> runs;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    const release::Release out = pass_gate({study, repeated}, ledger, entropy, measure);
    for (std::size_t c = 0; c < copies; ++c) {
      double value = 0;
      for (std::size_t b = 0; b < out.blocks.size(); ++b) {
        const release::NoiseLaw law = release::noise_law(out.blocks[b].block.noise);
        for (std::size_t j = 0; j < pair.blocks[b].size(); ++j) {
          const Int128 y = out.blocks[b].values[c * pair.blocks[b].size() + j];
          const Int128 s = pair.blocks[b][j];
          const Int128 t = pair.neighbour_blocks[b][j];
          value += event == Event::projection ? static_cast<double>((t - s) * y)
                                              : release::log_pmf(law, static_cast<double>(y - t)) -
                                                    release::log_pmf(law, static_cast<double>(y - s));
        }
      }
      runs.push_back(value);
    }
  }
  return runs;
}

}  // namespace postern::owner
