#include <cmath>

#include <gtest/gtest.h>

#include "postern/assess/audit_stat.hpp"
#include "postern/owner/gate.hpp"

#include "choice_studies.hpp"

// A black-box audit of a choice among candidates through the whole gate. One candidate has a record less
// for it and all others one more: at epsilon 1 it is chosen with probability 0.25 and 0.109, a loss of 0.83.
// Real randomness: an honest gate fails with probability at most alpha = 1e-6. That it sees enough is shown
// by a planted bug.

namespace postern::owner {
namespace {

constexpr double kAlpha = 1e-6;
constexpr std::size_t kRuns = 4000;

/// Three candidates beside the one that the neighbours disagree about, so that it is chosen less often.
model::Study study_of(model::Adjacency adjacency, Currency currency) {
  model::Choice choice;
  choice.records = model::Categorical{{"x"}, {1, 1}};
  for (int z = 0; z < 4; ++z) {
    choice.names.push_back("candidate " + std::to_string(z));
    choice.scores.insert(choice.scores.end(), {z == 0 ? 1 : 0, z == 0 ? 0 : 1});
  }
  return model::choice_study(model::categories(2), std::move(choice),
                             {.adjacency = adjacency, .currency = currency});
}

std::vector<double> chosen(const model::Study& study, const model::NoisePlan& plan,
                           const std::vector<std::int64_t>& records, Entropy& entropy) {
  const Measure measure = [&](const model::Measurement& measurement) {
    Measured measured;
    measured.n = records[0] + records[1];
    for (const model::Block& block : measurement.blocks) {
      const auto& kind = block.statistic.kind();
      measured.blocks.push_back(kind.is_choice() ? kind.from_counts(block.statistic, study.schema, records)
                                                 : std::vector<Int128>{measured.n});
    }
    return measured;
  };
  std::vector<double> out;
  constexpr std::size_t kBatch = 250;  // a ledger adds up its rows at every charge
  while (out.size() < kRuns) {
    Ledger ledger = Ledger::rehearsal(
        {study.dataset, study.privacy, Spend(study.privacy.currency, std::int64_t{1} << 62)});
    for (std::size_t i = 0; i < kBatch; ++i) {
      const release::Release made = pass_gate({study, plan, false}, ledger, entropy, measure);
      out.push_back(made.blocks[0].values[0] == 0 ? 1 : 0);
    }
  }
  return out;
}

void expect_no_more_than(model::Adjacency adjacency, Currency currency, const std::string& amount,
                         double epsilon, const std::vector<std::int64_t>& neighbour) {
  const model::Study study = study_of(adjacency, currency);
  const auto plan = model::choice_plan(study, amount);
  Entropy entropy;
  const auto here = chosen(study, plan, {5, 5}, entropy);
  const auto there = chosen(study, plan, neighbour, entropy);
  const auto found = assess::audit_lower_bound(here, there, Currency::pure, kAlpha);
  EXPECT_LE(found.lower, epsilon);
}

TEST(ChoiceAudit, ShowsNoMoreThanTheClaim) {
  expect_no_more_than(model::Adjacency::replace_one, Currency::pure, "1", 1, {4, 6});
  // rho = epsilon^2 / 8
  expect_no_more_than(model::Adjacency::replace_one, Currency::zcdp, "0.125", 1, {4, 6});
  // nine tenths of the budget are the choice's, and the count is not looked at
  expect_no_more_than(model::Adjacency::add_remove, Currency::pure, "1", 0.9, {4, 5});
}

}  // namespace
}  // namespace postern::owner
