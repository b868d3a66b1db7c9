#include "postern/assess/simulate.hpp"

#include <algorithm>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::assess {
namespace {

/// The exact statistics of all blocks, by their definitions.
std::vector<std::vector<Int128>> measure(const model::SimulatedRecords& records, const model::Study& study,
                                         const model::Measurement& measurement) {
  const std::vector<std::string> columns = model::columns_of(study.model);
  std::vector<std::unique_ptr<model::Tally>> tallies;
  std::vector<std::vector<std::size_t>> places;  // of each statistic's columns among the model's
  std::vector<std::vector<std::uint32_t>> levels_of;
  for (const model::Block& block : measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    tallies.push_back(kind.tally(block.statistic, study.schema));
    std::vector<std::size_t>& at = places.emplace_back();
    for (const std::string& name : kind.columns(block.statistic))
      at.push_back(
          static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin()));
    levels_of.emplace_back(at.size());
  }
  records.for_each([&](std::span<const std::uint32_t> levels, std::int64_t count) {
    for (std::size_t b = 0; b < tallies.size(); ++b) {
      for (std::size_t c = 0; c < places[b].size(); ++c) levels_of[b][c] = levels[places[b][c]];
      tallies[b]->add(levels_of[b], count);
    }
  });
  std::vector<std::vector<Int128>> out;
  out.reserve(tallies.size());
  for (const auto& tally : tallies) out.push_back(tally->values());
  return out;
}

}  // namespace

SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                              std::optional<std::int64_t> n, Rng& rng) {
  return simulate_study(study, plan, n, std::nullopt, rng);
}

SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                              std::optional<std::int64_t> n, const model::Assumed& theta, Rng& rng) {
  const bool hidden = study.privacy.adjacency == model::Adjacency::add_remove;
  if (!hidden && !n) throw Error(ErrorCode::usage, {"with public n a simulated study needs n"});
  SimulatedStudy out;
  out.n = n ? *n
            : static_cast<std::int64_t>(
                  draw_below(static_cast<std::uint64_t>(*study.privacy.n_at_most) + 1, rng));
  out.records = study.model.kind().simulate(study, out.n, theta, rng);

  out.release.release_id = std::string(32, '0');
  out.release.created = "2000-01-01";
  out.release.software = "simulation";
  out.release.study = study;
  out.release.request = plan.request;
  out.release.cost = plan.cost;
  out.release.ledger = {1, std::string(64, '0'), std::string(32, '0')};
  if (hidden) {
    out.release.n = release::PrivateCount{*study.privacy.n_at_most};
  } else {
    out.release.n = release::PublicCount{out.n};
  }
  std::vector<std::vector<Int128>> exact = measure(*out.records, study, plan.measurement);
  for (std::size_t b = 0; b < exact.size(); ++b) {
    const model::Block& block = plan.measurement.blocks[b];
    const release::NoiseLaw law = release::noise_law(block.noise);
    for (Int128& value : exact[b]) value += release::simulate(law, rng);
    out.release.blocks.push_back({block, std::move(exact[b])});
  }
  return out;
}

}  // namespace postern::assess
