// A black-box audit of whole releases in three rounds through the gate: noise, a choice that depends on it,
// noise on what was chosen. The event is the log likelihood ratio of all rounds under the laws that the
// document states. Real randomness: an honest gate fails with probability at most alpha = 1e-6.

#include <gtest/gtest.h>

#include "postern/assess/audit_stat.hpp"
#include "postern/release/choice.hpp"
#include "postern/release/noise_law.hpp"

#include "made_rounds.hpp"

namespace postern::owner {
namespace {

constexpr double kAlpha = 1e-6;
constexpr std::size_t kRuns = 3000;

/// log P(all that was published | these records), up to what does not depend on them.
double log_likelihood(const release::Release& made, const JointCounts& counts) {
  double out = 0;
  const auto exact = values_of(made.measurement(), made.study, counts);
  for (std::size_t b = 0; b < exact.size(); ++b) {
    const release::MeasuredBlock& measured = made.blocks[b];
    if (measured.block.noise.kind == model::NoiseKind::exponential) {
      const auto logs = release::choice_log_probabilities(exact[b], measured.block.noise.parameter.get_d());
      out += logs[static_cast<std::size_t>(measured.values[0])];
      continue;
    }
    const release::NoiseLaw law = release::noise_law(measured.block.noise);
    for (std::size_t j = 0; j < exact[b].size(); ++j)
      out += release::log_pmf(law, static_cast<double>(measured.values[j] - exact[b][j]));
  }
  return out;
}

struct Pair {
  JointCounts here;
  JointCounts there;
};

std::vector<double> ratios(const model::Study& study, const model::NoisePlan& plan, const Pair& pair,
                           bool neighbour, Entropy& entropy) {
  const Measure measure = measure_counts(study, neighbour ? pair.there : pair.here);
  std::vector<double> out;
  constexpr std::size_t kBatch = 250;  // a ledger adds up its rows at every charge
  while (out.size() < kRuns) {
    Ledger ledger = rehearsal_for(study);
    for (std::size_t i = 0; i < kBatch; ++i) {
      const release::Release made = make_rounds(study, plan, ledger, entropy, measure);
      out.push_back(log_likelihood(made, pair.there) - log_likelihood(made, pair.here));
    }
  }
  return out;
}

/// One record of yes, no, yes joins, or takes the place of no, yes, no: the table of every column changes,
/// and the scores of b and c move apart.
Pair neighbours(model::Adjacency adjacency) {
  Pair pair{{0, 0, 5, 0, 0, 0, 0, 0}, {0, 0, 5, 0, 0, 1, 0, 0}};
  if (adjacency == model::Adjacency::replace_one) pair.there[2] = 4;
  return pair;
}

class RoundsAudit : public testing::TestWithParam<std::tuple<model::Adjacency, Currency, const char*>> {};

TEST_P(RoundsAudit, AllRoundsShowNoMoreThanTheOneCharge) {
  const auto& [adjacency, currency, rule] = GetParam();
  const model::Study study =
      model::chooser_study({.rule = rule, .adjacency = adjacency, .currency = currency});
  const model::NoisePlan plan = plan_of(study, currency == Currency::pure ? "3" : "1");
  Entropy entropy;
  const Pair pair = neighbours(adjacency);
  const auto found = assess::audit_lower_bound(ratios(study, plan, pair, false, entropy),
                                               ratios(study, plan, pair, true, entropy), currency, kAlpha);
  EXPECT_LE(found.lower, plan.cost.exact().get_d());
  if (std::string(rule) != "steady") return;  // which spends it all
  EXPECT_GT(found.lower, 0.15 * plan.cost.exact().get_d()) << "the audit has lost its sight";
}

std::string name_of(const testing::TestParamInfo<RoundsAudit::ParamType>& info) {
  const auto& [adjacency, currency, rule] = info.param;
  const bool add_remove = adjacency == model::Adjacency::add_remove;
  return std::string(rule) + (add_remove ? "_add_remove_" : "_replace_one_") + std::string(to_text(currency));
}

constexpr auto kAdd = model::Adjacency::add_remove;
constexpr auto kReplace = model::Adjacency::replace_one;
INSTANTIATE_TEST_SUITE_P(All, RoundsAudit,
                         testing::Values(RoundsAudit::ParamType{kAdd, Currency::pure, "steady"},
                                         RoundsAudit::ParamType{kReplace, Currency::pure, "steady"},
                                         RoundsAudit::ParamType{kAdd, Currency::zcdp, "steady"},
                                         RoundsAudit::ParamType{kReplace, Currency::zcdp, "steady"},
                                         RoundsAudit::ParamType{kReplace, Currency::pure, "thrifty"},
                                         RoundsAudit::ParamType{kAdd, Currency::zcdp, "thrifty"}),
                         name_of);

}  // namespace
}  // namespace postern::owner
