#include "checked_block.hpp"

#include "postern/core/printable.hpp"
#include "postern/infer/noise/published_values.hpp"
#include "postern/model/statistic.hpp"
#include "postern/release/foreign.hpp"

namespace postern::infer {
namespace {

/// The margins of a table of counts.
void add_margins(CheckedBlock& out, const model::Statistic& statistic, const model::Schema& schema) {
  const model::StatisticKind& kind = statistic.kind();
  if (kind.total_text().empty()) return;
  const std::vector<std::string> columns = kind.columns(statistic);
  const std::vector<std::uint32_t> shape = kind.shape(statistic, schema);
  if (columns.size() < 2 || shape.size() != columns.size()) return;
  std::size_t inner = out.size;  // cells that a step of the column goes over
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto first = static_cast<std::uint32_t>(out.levels.size());
    inner /= shape[c];
    for (std::uint32_t level = 0; level < shape[c]; ++level)
      out.levels.push_back({columns[c] + " = " + schema.at(columns[c]).label(level), out.size / shape[c]});
    std::vector<std::uint32_t>& of = out.level_of.emplace_back(out.size);
    for (std::size_t cell = 0; cell < out.size; ++cell)
      of[cell] = first + static_cast<std::uint32_t>(cell / inner % shape[c]);
  }
}

CheckedBlock block_of(const model::Statistic& statistic, const model::Schema& schema,
                      const std::string& whose, const std::vector<NoisyValue>& values) {
  CheckedBlock out;
  out.what = printable(whose + statistic.kind().text(statistic, schema));
  out.size = values.size();
  if (values.empty() || any_band(values)) return out;
  out.law = values.front().law;
  for (const NoisyValue& value : values) out.released.push_back(value.y);
  add_margins(out, statistic, schema);
  return out;
}

}  // namespace

std::vector<CheckedBlock> checked_blocks(const std::vector<release::RecordSet>& sets) {
  std::vector<CheckedBlock> out;
  std::size_t first = 0;
  const auto add = [&](CheckedBlock block) {
    block.first = first;
    first += block.size;
    out.push_back(std::move(block));
  };
  for (const release::RecordSet& set : sets) {
    for (const release::Release* release : set) {
      const model::Schema& schema = release->study.schema;
      const std::string whose = sets.size() > 1 ? "dataset " + release->study.dataset + ": " : "";
      for (const release::MeasuredBlock& block : release->blocks) {
        const model::Statistic& statistic = block.block.statistic;
        if (statistic.kind().is_choice()) continue;
        add(block_of(statistic, schema, whose, noisy_values(block)));
      }
      if (!release->foreign) continue;
      for (const model::ForeignBlock& block : release->foreign->blocks)
        add(block_of(block.statistic, schema, whose, noisy_values(block)));
    }
  }
  return out;
}

}  // namespace postern::infer
