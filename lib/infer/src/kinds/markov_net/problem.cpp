#include "problem.hpp"

#include <algorithm>

#include "postern/model/statistic/table.hpp"

#include "posterior/named_total.hpp"

namespace postern::infer {

MarkovProblem markov_problem(const model::MarkovNet& net, const release::RecordSet& releases) {
  MarkovProblem problem;
  problem.sizes = net.levels;
  problem.total = total_of(releases);
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& measured : release->blocks) {
      const auto* table = measured.block.statistic.as<model::Table>();
      if (table == nullptr) continue;  // a choice: what was chosen is measured
      NoisyTable& out =
          problem.tables.emplace_back(NoisyTable{{}, {}, release::noise_law(measured.block.noise)});
      for (const std::string& name : table->columns)
        out.variables.push_back(static_cast<std::uint32_t>(
            std::find(net.columns.begin(), net.columns.end(), name) - net.columns.begin()));
      for (const Int128 value : measured.values) out.values.push_back(static_cast<double>(value));
    }
  }
  return problem;
}

}  // namespace postern::infer
