#include "postern/release/chosen.hpp"

namespace postern::release {

std::vector<ChosenValue> chosen_values(const Release& release) {
  std::vector<ChosenValue> out;
  const model::Schema& schema = release.study.schema;
  for (const MeasuredBlock& measured : release.blocks) {
    const model::Statistic& statistic = measured.block.statistic;
    const model::StatisticKind& kind = statistic.kind();
    if (!kind.is_choice()) continue;
    const auto index = static_cast<std::size_t>(measured.values.at(0));
    out.push_back({kind.text(statistic, schema), kind.candidate(statistic, schema, index)});
  }
  return out;
}

}  // namespace postern::release
