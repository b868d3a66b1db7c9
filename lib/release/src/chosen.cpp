#include "postern/release/chosen.hpp"

#include "postern/model/statistic_text.hpp"

namespace postern::release {

std::vector<ChosenValue> chosen_values(const Release& release) {
  std::vector<ChosenValue> out;
  const model::Schema& schema = release.study.schema;
  for (const MeasuredBlock& measured : release.blocks) {
    const auto* scores = std::get_if<model::RankScores>(&measured.block.statistic);
    if (scores == nullptr) continue;
    const auto level = static_cast<std::uint32_t>(measured.values.at(0));
    out.push_back({model::statistic_text(*scores, schema), schema.at(scores->column).label(level)});
  }
  return out;
}

}  // namespace postern::release
