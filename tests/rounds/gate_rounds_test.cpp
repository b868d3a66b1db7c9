// What the gate does with a plan of several rounds.

#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/owner/issue.hpp"
#include "postern/owner/source.hpp"
#include "postern/release/document.hpp"
#include "postern/release/verify.hpp"

#include "made_rounds.hpp"

namespace postern::owner {
namespace {

const JointCounts kCounts{5, 3, 11, 0, 2, 7, 1, 9};

std::string faults(const release::Release& release) {
  std::string out;
  for (const release::Check& check : release::verify(release))
    if (!check.passed) out += check.name + ": " + check.detail + "\n";
  return out;
}

template <class Action>
ErrorCode refusal(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was refused";
  return ErrorCode::usage;
}

TEST(GateRounds, OneChargePaysForAllAndTheDocumentShowsThem) {
  for (const Currency currency : {Currency::pure, Currency::zcdp}) {
    for (const model::Adjacency adjacency : {model::Adjacency::add_remove, model::Adjacency::replace_one}) {
      const model::Study study =
          model::chooser_study({.rule = "steady", .adjacency = adjacency, .currency = currency});
      const model::NoisePlan plan = plan_of(study, "0.3");
      Ledger ledger = rehearsal_for(study);
      Entropy entropy;
      const release::Release made = make_rounds(study, plan, ledger, entropy, measure_counts(study, kCounts));
      ASSERT_EQ(made.rounds->made.size(), 3u);
      EXPECT_EQ(made.rounds->plan, (model::RoundsPlan{"chooser-steady", 3}));
      EXPECT_EQ(ledger.balance().charges, 1u);
      EXPECT_EQ(ledger.balance().spent.text(), "0.3");
      EXPECT_EQ(made.rounds->made[0].table, model::found_counts(made));
      EXPECT_TRUE(made.rounds->made[2].table.empty());
      const std::string document = release::to_document(made);
      const release::Release read = release::parse_document(document);
      EXPECT_EQ(release::to_document(read), document);
      EXPECT_EQ(faults(read), "");
    }
  }
}

/// What the third round costs depends on the choice, and there may be none.
TEST(GateRounds, CostsFollowWhatWasPublishedAndStayBelowTheCharge) {
  const model::Study study = model::chooser_study({.rule = "thrifty", .candidates = 4});
  const model::NoisePlan plan = plan_of(study, "1");
  Ledger ledger = rehearsal_for(study);
  Entropy entropy;
  const JointCounts even(32, 4);
  std::vector<int> seen(4, 0);
  for (int i = 0; i < 200; ++i) {
    const release::Release made = make_rounds(study, plan, ledger, entropy, measure_counts(study, even));
    const auto chosen = static_cast<long>(made.blocks[1].values[0]);
    ++seen.at(static_cast<std::size_t>(chosen));
    ASSERT_EQ(made.rounds->made.size(), chosen == 0 ? 2u : 3u);
    ASSERT_FALSE(made.rounds->made[1].table.empty());
    if (chosen > 0) {
      EXPECT_EQ(made.rounds->made[2].cost, Spend::ceil(Currency::pure, Rational(1, 3 + chosen)));
    }
    ASSERT_EQ(faults(release::parse_document(release::to_document(made))), "");
  }
  for (const int times : seen) EXPECT_GT(times, 0);  // each is nearly even, so none is missed but by 1e-24
}

TEST(GateRounds, ARoundThatExceedsWhatIsLeftIsRefusedAndNothingLeaves) {
  const model::Study study = model::chooser_study({.rule = "greedy"});
  const model::NoisePlan plan = plan_of(study, "1");
  Ledger ledger = rehearsal_for(study);
  Entropy entropy;
  EXPECT_EQ(refusal([&] { (void)make_rounds(study, plan, ledger, entropy, measure_counts(study, kCounts)); }),
            ErrorCode::internal);
  EXPECT_EQ(ledger.balance().spent.text(), "1");  // two rounds were drawn: the charge stands
}

TEST(GateRounds, ATableThatNobodyMakesIsMissedBeforeTheCharge) {
  const model::Study study = model::chooser_study({});
  const model::NoisePlan plan = plan_of(study, "1");
  Ledger ledger = rehearsal_for(study);
  Entropy entropy;
  EXPECT_EQ(refusal([&] {
              (void)pass_gate({study, plan}, ledger, entropy, measure_counts(study, kCounts));
            }),
            ErrorCode::internal);
  EXPECT_EQ(ledger.balance().charges, 0u);
}

TEST(GateRounds, AFitThatFailsLeavesTheChargeAndNothingElse) {
  const model::Study study = model::chooser_study({});
  const model::NoisePlan plan = plan_of(study, "1");
  Ledger ledger = rehearsal_for(study);
  for (const release::Fit& fit :
       {release::Fit([](const release::Release&) -> std::vector<Int128> {
          throw Error(ErrorCode::engine_limit, {"no fit"});
        }),
        release::Fit([](const release::Release&) { return std::vector<Int128>{1}; }),
        release::Fit([](const release::Release&) {
          return std::vector<Int128>{-1, 2};
        })}) {
    EXPECT_NE(refusal([&] {
                (void)issue({study, plan, false, fit}, std::nullopt, ledger, measure_counts(study, kCounts));
              }),
              ErrorCode::budget_exhausted);
  }
  EXPECT_EQ(ledger.balance().charges, 3u);
  EXPECT_EQ(ledger.balance().published, 0u);
}

TEST(GateRounds, RecordsAreOpenedOnce) {
  const model::Study study = model::chooser_study({});
  const model::NoisePlan plan = plan_of(study, "1");
  Ledger ledger = rehearsal_for(study);
  Entropy entropy;
  int opened = 0;
  const Measure measure = [&](const model::Measurement& measurement) {
    ++opened;
    return measure_counts(study, kCounts)(measurement);
  };
  (void)make_rounds(study, plan, ledger, entropy, measure);
  EXPECT_EQ(opened, 1);
}

/// Every person has a record of three times no and one of three times yes, of which one counts. Chosen anew
/// for the third round, they would agree with the first once in 2^48 (the noise is nothing).
TEST(GateRounds, EachPersonsRecordsAreChosenOnce) {
  const model::Study study = model::chooser_study({.per_person = 1});
  const std::string path = ::testing::TempDir() + "rounds_people.csv";
  {
    std::ofstream file(path);
    file << "person,a,b,c\n";
    for (int i = 0; i < 200; ++i) file << i << ",no,no,no\n" << i << ",yes,yes,yes\n";
  }
  const model::NoisePlan plan = plan_of(study, "10000");
  Ledger ledger = rehearsal_for(study);
  Entropy entropy;
  const release::Release made = make_rounds(study, plan, ledger, entropy, open_csv(path, study, 1));
  std::remove(path.c_str());
  ASSERT_EQ(made.blocks.size(), 3u);
  EXPECT_EQ(made.blocks[0].values[0] + made.blocks[0].values[1], 200);
  EXPECT_EQ(made.blocks[0].values, made.blocks[2].values);
}

TEST(GateRounds, ATableOfCountsHasRoundsToo) {
  const model::Study study = model::chooser_study({.adjacency = model::Adjacency::replace_one});
  const std::string path = ::testing::TempDir() + "rounds_counts.csv";
  std::ofstream(path) << "a,b,c,count\nno,no,no,10\nno,no,yes,20\nyes,no,yes,30\n";
  const model::NoisePlan plan = plan_of(study, "10000");
  Ledger ledger = rehearsal_for(study);
  Entropy entropy;
  const release::Release made = make_rounds(study, plan, ledger, entropy, open_counts(path, study));
  std::remove(path.c_str());
  EXPECT_EQ(made.blocks[0].values, (std::vector<Int128>{30, 30}));
  EXPECT_EQ(made.blocks[1].values, (std::vector<Int128>{0}));  // b is 60 away from (30, 30), c 40
  EXPECT_EQ(made.blocks[2].values, (std::vector<Int128>{60, 0}));
}

}  // namespace
}  // namespace postern::owner
