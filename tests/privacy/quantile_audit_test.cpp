#include <gtest/gtest.h>

#include "postern/assess/audit_stat.hpp"
#include "postern/model/kinds/quantiles.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/statistic/rank_scores.hpp"
#include "postern/owner/gate.hpp"

// A black-box audit of private quantiles through the whole gate. The neighbours make one record move past ten
// early and forty late candidates at once, so that the loss comes near the claim: at epsilon 1 the event "an
// early level was chosen" has probability 0.194 and 0.082, a loss of 0.86. Real randomness: an honest gate
// fails with probability at most alpha = 1e-6.

namespace postern::owner {
namespace {

constexpr double kAlpha = 1e-6;
constexpr std::int64_t kEarly = 10;
constexpr std::int64_t kLate = 40;
constexpr std::size_t kRuns = 8000;

model::Study median_study() {
  model::Column column;
  column.name = "x";
  column.values = model::IntegerRange{0, kEarly + kLate, {}};
  model::Study study;
  study.name = study.dataset = "quantiles";
  study.schema = model::Schema({column});
  study.model = model::Quantiles{"x", {Rational(1, 2)}};
  return study;
}

/// Two records in the middle, five at each end; the neighbour has one of the first at the last level.
std::vector<std::int64_t> counts(bool moved) {
  std::vector<std::int64_t> out(kEarly + kLate + 1, 0);
  out.front() = moved ? 4 : 5;
  out[kEarly] = 2;
  out.back() = moved ? 6 : 5;
  return out;
}

std::vector<double> chosen_levels(const model::Study& study, const model::NoisePlan& plan, bool moved,
                                  Entropy& entropy) {
  const std::vector<std::int64_t> records = counts(moved);
  const Measure measure = [&](const model::Measurement& measurement) {
    Measured measured;
    measured.n = 12;
    for (const model::Block& block : measurement.blocks) {
      const auto scores = model::rank_scores(block.statistic.get<model::RankScores>(), records);
      measured.blocks.emplace_back(scores.begin(), scores.end());
    }
    return measured;
  };
  std::vector<double> out;
  constexpr std::size_t kBatch = 250;  // a ledger adds up its rows at every charge
  while (out.size() < kRuns) {
    Ledger ledger =
        Ledger::rehearsal({study.dataset, study.privacy, Spend(Currency::pure, std::int64_t{1} << 62)});
    for (std::size_t i = 0; i < kBatch; ++i) {
      const release::Release made = pass_gate({study, plan, false}, ledger, entropy, measure);
      out.push_back(static_cast<double>(made.blocks[0].values[0]));
    }
  }
  return out;
}

TEST(QuantileAudit, ShowsNoMoreThanTheClaim) {
  const model::Study study = median_study();
  const auto plan =
      model::make_noise_plan(study, model::default_mechanism(study), Spend::parse(Currency::pure, "1"));
  Entropy entropy;
  const auto here = chosen_levels(study, plan, false, entropy);
  const auto there = chosen_levels(study, plan, true, entropy);
  const auto found = assess::audit_lower_bound(here, there, Currency::pure, kAlpha);
  EXPECT_LE(found.lower, 1);
  EXPECT_GT(found.lower, 0.3) << "the audit has lost its sight";
}

}  // namespace
}  // namespace postern::owner
