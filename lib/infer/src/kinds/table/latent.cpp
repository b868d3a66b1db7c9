#include "latent.hpp"

#include "postern/model/statistic/table.hpp"

namespace postern::infer {

std::size_t tell_latent(const release::RecordSet& set, std::span<const std::int64_t> counts,
                        std::span<double> latent) {
  auto at = latent.begin();
  const auto tell = [&](const model::Statistic& statistic, std::size_t size) {
    const auto* level = statistic.as<model::LevelCount>();
    for (std::size_t i = 0; i < size; ++i)
      *at++ = static_cast<double>(counts[level != nullptr ? level->level : i]);
  };
  for (const release::Release* release : set) {
    for (const release::MeasuredBlock& block : release->blocks)
      tell(block.block.statistic, block.values.size());
    if (!release->foreign) continue;
    for (const model::ForeignBlock& block : release->foreign->blocks)
      tell(block.statistic, block.values.size());
  }
  return static_cast<std::size_t>(at - latent.begin());
}

}  // namespace postern::infer
