// A draw on a grid through the whole gate: the audit of two neighbours of which one record moves to another
// row of the child's table and to the other level of the parent, so that every split it passes is another.
// Real randomness: an honest gate fails with probability at most alpha = 1e-6.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "postern/assess/audit_stat.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/grid_split.hpp"
#include "postern/owner/gate.hpp"

#include "network_studies.hpp"

namespace postern::owner {
namespace {

constexpr double kAlpha = 1e-6;
constexpr std::size_t kRuns = 6000;

using Scores = std::vector<std::vector<Int128>>;

/// The scores of one record, by their definitions: at the first level of the parent and of the child, or at
/// the last of both. With others beside it the loss would come nearer the claim, in ever rarer outcomes.
Scores scores(const model::Study& study, const model::NoisePlan& plan, bool moved) {
  Scores out;
  for (const model::Block& block : plan.measurement.blocks) {
    const model::StatisticKind& kind = block.statistic.kind();
    const auto tally = kind.tally(block.statistic, study.schema);
    const std::size_t columns = kind.columns(block.statistic).size();
    tally->add(std::vector<std::uint32_t>(columns, moved ? 1 : 0), 1);
    out.push_back(tally->values());
  }
  return out;
}

std::vector<double> log_law(const std::vector<Int128>& values, double scale) {
  const Int128 best = *std::max_element(values.begin(), values.end());
  std::vector<double> law;
  double sum = 0;
  for (const Int128 value : values) {
    law.push_back(scale * static_cast<double>(value - best));
    sum += std::exp(law.back());
  }
  for (double& one : law) one -= std::log(sum);
  return law;
}

/// The log likelihood ratio of what the gate chose, run after run: the sharpest thing to look at.
std::vector<double> runs(const model::Study& study, const model::NoisePlan& plan, bool moved,
                         Entropy& entropy) {
  const Scores here = scores(study, plan, false);
  const Scores there = scores(study, plan, true);
  std::vector<std::vector<double>> ratio;
  for (std::size_t b = 0; b < here.size(); ++b) {
    const double scale = plan.measurement.blocks[b].noise.parameter.get_d();
    ratio.push_back(log_law(here[b], scale));
    const std::vector<double> other = log_law(there[b], scale);
    for (std::size_t g = 0; g < other.size(); ++g) ratio.back()[g] -= other[g];
  }
  const Measure measure = [&](const model::Measurement&) { return Measured{1, moved ? there : here}; };
  std::vector<double> out;
  constexpr std::size_t kBatch = 250;  // a ledger adds up its rows at every charge
  while (out.size() < kRuns) {
    Ledger ledger = Ledger::rehearsal(
        {study.dataset, study.privacy, Spend(study.privacy.currency, std::int64_t{1} << 62)});
    for (std::size_t i = 0; i < kBatch; ++i) {
      const release::Release made = pass_gate({study, plan, false}, ledger, entropy, measure);
      double value = 0;
      for (std::size_t b = 0; b < ratio.size(); ++b)
        value += ratio[b][static_cast<std::size_t>(made.blocks[b].values[0])];
      out.push_back(value);
    }
  }
  return out;
}

/// The two ends alone, so that thousands of runs are quick: the cost does not depend on how many there are.
model::NoisePlan coarse_plan(const model::Study& study, model::Mechanism mechanism, const char* amount) {
  model::NoisePlan plan = make_noise_plan(study, mechanism, Spend::parse(study.privacy.currency, amount));
  for (model::Block& block : plan.measurement.blocks) {
    auto split = block.statistic.get<model::GridSplit>();
    split.points = 2;
    block.statistic = split;
  }
  return plan;
}

TEST(GridAudit, ShowsNoMoreThanTheClaim) {
  const model::Study study = model::network_study({2, 2}, {{}, {0}});
  Entropy entropy;
  for (const model::Mechanism mechanism : {model::Mechanism::posterior_draw, model::Mechanism::map}) {
    const model::NoisePlan plan = coarse_plan(study, mechanism, "4");
    const auto found = assess::audit_lower_bound(runs(study, plan, false, entropy),
                                                 runs(study, plan, true, entropy), Currency::pure, kAlpha);
    EXPECT_LE(found.lower, 4);
    EXPECT_GT(found.lower, 0.8)
        << "the audit has lost its sight";  // of about 2: noise is drawn anew each run
  }
}

}  // namespace
}  // namespace postern::owner
