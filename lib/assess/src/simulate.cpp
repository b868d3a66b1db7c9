#include "postern/assess/simulate.hpp"

#include <algorithm>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/sequences.hpp"
#include "postern/release/choice.hpp"
#include "postern/release/noise_law.hpp"

namespace postern::assess {
namespace {

/// A statistic that is being made up, and where its columns are among the model's.
struct TallyAtWork {
  std::unique_ptr<model::Tally> tally;
  std::vector<std::size_t> places;
  std::vector<std::uint32_t> levels = {};

  /// Its own columns of rows of the model's.
  void choose(std::span<const std::uint32_t> rows, std::size_t columns) {
    levels.clear();
    for (; !rows.empty(); rows = rows.subspan(columns)) {
      for (const std::size_t place : places) levels.push_back(rows[place]);
    }
  }
};

void add_records(const model::SimulatedRecords& records, std::size_t columns,
                 std::vector<TallyAtWork>& tallies) {
  if (const auto* people = dynamic_cast<const model::SimulatedPeople*>(&records)) {
    people->for_each_person([&](std::span<const std::uint32_t> rows) {
      for (TallyAtWork& one : tallies) {
        one.choose(rows, columns);
        dynamic_cast<model::PeopleTally&>(*one.tally).add_person(one.levels);
      }
    });
    return;
  }
  records.for_each([&](std::span<const std::uint32_t> levels, std::int64_t count) {
    for (TallyAtWork& one : tallies) {
      one.choose(levels, columns);
      one.tally->add(one.levels, count);
    }
  });
}

/// The exact statistics of all blocks, by their definitions.
std::vector<std::vector<Int128>> measure(const model::SimulatedRecords& records, const model::Study& study,
                                         const model::Measurement& measurement) {
  const std::vector<std::string> columns = model::columns_of(study.model);
  std::vector<TallyAtWork> tallies;
  for (const model::Block& block : measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    TallyAtWork& one = tallies.emplace_back(TallyAtWork{kind.tally(block.statistic, study.schema), {}});
    for (const std::string& name : kind.columns(block.statistic))
      one.places.push_back(
          static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin()));
  }
  add_records(records, columns.size(), tallies);
  std::vector<std::vector<Int128>> out;
  out.reserve(tallies.size());
  for (const TallyAtWork& one : tallies) out.push_back(one.tally->values());
  return out;
}

/// The blocks as they would be published.
std::vector<release::MeasuredBlock> noised(const model::Measurement& measurement,
                                           std::vector<std::vector<Int128>> exact, Rng& rng) {
  std::vector<release::MeasuredBlock> out;
  for (std::size_t b = 0; b < exact.size(); ++b) {
    const model::Block& block = measurement.blocks[b];
    if (block.noise.kind == model::NoiseKind::exponential) {
      const std::size_t chosen = release::simulate_choice(exact[b], block.noise.parameter.get_d(), rng);
      out.push_back({block, {static_cast<Int128>(chosen)}});
      continue;
    }
    const release::NoiseLaw law = release::noise_law(block.noise);
    for (Int128& value : exact[b]) value += release::simulate(law, rng);
    out.push_back({block, std::move(exact[b])});
  }
  return out;
}

/// All rounds of a plan that has some, as the gate makes them.
void add_rounds(const model::SimulatedRecords& records, const model::NoisePlan& plan, const release::Fit& fit,
                release::Release& out, Rng& rng) {
  const model::RoundRule* rule = out.study.model.kind().round_rule(out.study, plan.request);
  if (rule == nullptr || (rule->takes_table() && !fit))
    throw Error(ErrorCode::internal, {"these rounds depend on a table, and nothing was given to make it"});
  out.rounds = release::Rounds{*plan.rounds, {}};
  std::optional<model::Measurement> next = plan.measurement;
  while (next) {
    release::add_round(out, noised(*next, measure(records, out.study, *next), rng));
    const bool last = out.rounds->made.size() == plan.rounds->at_most;
    if (rule->takes_table() && !last) out.rounds->made.back().table = fit(out);
    next = model::next_round(out.study, out.request, out.cost, release::published_rounds(out));
  }
}

/// What is assumed of the parameters of the model that records are drawn from.
SimulatedStudy simulate_from(const model::Study& truth, const model::Assumed& theta,
                             const model::Study& study, const model::NoisePlan& plan,
                             std::optional<std::int64_t> n, Rng& rng, const release::Fit& fit) {
  const bool hidden = study.privacy.adjacency == model::Adjacency::add_remove;
  if (!hidden && !n) throw Error(ErrorCode::usage, {"with public n a simulated study needs n"});
  SimulatedStudy out;
  out.n = n ? *n
            : static_cast<std::int64_t>(
                  draw_below(static_cast<std::uint64_t>(*study.privacy.n_at_most) + 1, rng));
  out.records = truth.model.kind().simulate(truth, out.n, theta, rng);

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
  if (plan.rounds) {
    add_rounds(*out.records, plan, fit, out.release, rng);
  } else {
    out.release.blocks = noised(plan.measurement, measure(*out.records, study, plan.measurement), rng);
  }
  return out;
}

}  // namespace

SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                              std::optional<std::int64_t> n, Rng& rng, const release::Fit& fit) {
  return simulate_study(study, plan, n, std::nullopt, rng, fit);
}

SimulatedStudy simulate_study(const model::Study& study, const model::NoisePlan& plan,
                              std::optional<std::int64_t> n, const model::Assumed& theta, Rng& rng,
                              const release::Fit& fit) {
  return simulate_from(study, theta, study, plan, n, rng, fit);
}

SimulatedStudy simulate_choosing(const model::Study& study, const model::Study& truth,
                                 const model::NoisePlan& plan, std::optional<std::int64_t> n, Rng& rng,
                                 const release::Fit& fit) {
  return simulate_from(truth, std::nullopt, study, plan, n, rng, fit);
}

}  // namespace postern::assess
