#include "postern/owner/ledger.hpp"

#include <set>
#include <thread>
#include <vector>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "postern/model/plan.hpp"

#include "ledger_fixture.hpp"

namespace postern::owner {
namespace {

const std::string kHash(64, 'a');
const std::string kOtherHash(64, 'b');

unsigned mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777U;
}

TEST_F(LedgerTest, IsPrivateAndEmptyAtFirst) {
  const model::Study study = make_study();
  const Ledger ledger = Ledger::create(path_, make_terms(study, "10"));
  EXPECT_EQ(mode_of(path_), 0600U);
  EXPECT_EQ(mode_of(path_ + ".key"), 0600U);
  const Balance balance = ledger.balance();
  EXPECT_EQ(balance.terms.dataset, "survey-2026");
  EXPECT_EQ(balance.terms.budget.text(), "10");
  EXPECT_EQ(balance.spent.nano(), 0);
  EXPECT_EQ(balance.left.text(), "10");
  EXPECT_EQ(balance.record_set.size(), 32U);
  EXPECT_EQ(ledger.verify_chain(), 1U);
}

TEST_F(LedgerTest, KeepsItsTerms) {
  model::Study study = make_study(Currency::zcdp, model::Adjacency::add_remove);
  study.privacy.unit = model::PersonUnit{"person_id", 3};
  Ledger::create(path_, make_terms(study, "0.25"));
  const DatasetTerms terms = Ledger::open(path_).terms();
  EXPECT_EQ(terms.dataset, study.dataset);
  EXPECT_EQ(terms.privacy.adjacency, model::Adjacency::add_remove);
  EXPECT_EQ(terms.privacy.currency, Currency::zcdp);
  EXPECT_EQ(terms.privacy.n_at_most, 1000);
  EXPECT_EQ(std::get<model::PersonUnit>(terms.privacy.unit).column, "person_id");
  EXPECT_EQ(std::get<model::PersonUnit>(terms.privacy.unit).at_most, 3);
  EXPECT_EQ(terms.budget, Spend(Currency::zcdp, 250'000'000));
}

TEST_F(LedgerTest, ChargeIsInTheBookBeforeItsTokenExists) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
  const ChargeToken token = ledger.charge(study, make_plan(study, "0.3"), entropy_);
  const Ledger other = Ledger::open(path_);
  const auto row = other.find_charge(token.release_id());
  ASSERT_TRUE(row);
  EXPECT_EQ(row->seq, token.seq());
  EXPECT_EQ(row->mac, token.head());
  EXPECT_EQ(row->cost.text(), "0.3");
  EXPECT_EQ(row->mechanism, "laplace");
  EXPECT_EQ(row->record_set, token.record_set());
  EXPECT_FALSE(row->published);
  EXPECT_EQ(other.balance().spent.text(), "0.3");
  EXPECT_EQ(other.balance().left.text(), "0.7");
  EXPECT_EQ(token.plan().cost.text(), "0.3");
}

TEST_F(LedgerTest, TenTenthsAreExactlyOneAndThenNothingIsLeft) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
  std::set<std::string> ids;
  for (int i = 0; i < 10; ++i)
    ids.insert(ledger.charge(study, make_plan(study, "0.1"), entropy_).release_id());
  EXPECT_EQ(ids.size(), 10U);
  EXPECT_EQ(ledger.balance().spent, ledger.balance().terms.budget);
  EXPECT_EQ(refusal([&] { (void)ledger.charge(study, make_plan(study, "0.000000001"), entropy_); }),
            ErrorCode::budget_exhausted);
  EXPECT_EQ(ledger.balance().charges, 10U);
  EXPECT_EQ(ledger.verify_chain(), 11U);
}

TEST_F(LedgerTest, OneNanoTooMuchIsRefused) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::create(path_, make_terms(study, "0.5"));
  EXPECT_EQ(refusal([&] { (void)ledger.charge(study, make_plan(study, "0.500000001"), entropy_); }),
            ErrorCode::budget_exhausted);
  EXPECT_EQ(ledger.balance().spent.nano(), 0);
  (void)ledger.charge(study, make_plan(study, "0.5"), entropy_);
  EXPECT_EQ(ledger.balance().left.nano(), 0);
}

TEST_F(LedgerTest, FractionsOfANanoAreRoundedUp) {
  const model::Study study = make_study();
  model::NoisePlan plan = make_plan(study, "1");
  plan.measurement.blocks[0].noise.parameter = Rational(1, 3);  // replace-one: the cost is 2/3
  const Rational exact = model::cost(plan.measurement, study.schema, study.privacy);
  plan.cost = Spend::ceil(Currency::pure, exact);
  Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
  (void)ledger.charge(study, plan, entropy_);
  EXPECT_GE(ledger.balance().spent.exact(), exact);
  EXPECT_EQ(ledger.balance().spent.nano(), 666'666'667);
}

TEST_F(LedgerTest, PlanCannotUnderstateItsCost) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
  model::NoisePlan plan = make_plan(study, "0.5");
  plan.cost = Spend(Currency::pure, plan.cost.nano() - 1);
  EXPECT_EQ(refusal([&] { (void)ledger.charge(study, plan, entropy_); }), ErrorCode::internal);
  plan.cost = Spend(Currency::zcdp, 500'000'000);
  EXPECT_EQ(refusal([&] { (void)ledger.charge(study, plan, entropy_); }), ErrorCode::currency_mismatch);
  EXPECT_EQ(ledger.balance().charges, 0U);
}

TEST_F(LedgerTest, RefusesAStudyOnOtherTerms) {
  const model::Study study = make_study();
  const Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
  ledger.check_terms(study);
  model::Study other = study;
  other.dataset = "survey-2027";
  EXPECT_EQ(refusal([&] { ledger.check_terms(other); }), ErrorCode::ledger_mismatch);
  other = make_study(Currency::zcdp);
  EXPECT_EQ(refusal([&] { ledger.check_terms(other); }), ErrorCode::ledger_mismatch);
  other = make_study(Currency::pure, model::Adjacency::add_remove);
  EXPECT_EQ(refusal([&] { ledger.check_terms(other); }), ErrorCode::ledger_mismatch);
  other = study;
  other.privacy.unit = model::PersonUnit{"person_id", 1};
  EXPECT_EQ(refusal([&] { ledger.check_terms(other); }), ErrorCode::ledger_mismatch);
}

TEST_F(LedgerTest, RefusesTermsThatMakeNoSense) {
  const model::Study study = make_study();
  DatasetTerms terms = make_terms(study, "1");
  terms.budget = Spend(Currency::zcdp, 5);
  EXPECT_EQ(refusal([&] { Ledger::create(path_, terms); }), ErrorCode::currency_mismatch);
  terms.budget = Spend(Currency::pure, 0);
  EXPECT_EQ(refusal([&] { Ledger::create(path_, terms); }), ErrorCode::bad_budget);
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

TEST_F(LedgerTest, NewRecordsGetANewIdAndTheSameBudget) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
  const std::string before = ledger.balance().record_set;
  const ChargeToken first = ledger.charge(study, make_plan(study, "0.4"), entropy_);
  EXPECT_EQ(first.record_set(), before);
  ledger.new_records(entropy_);
  const Balance balance = Ledger::open(path_).balance();
  EXPECT_NE(balance.record_set, before);
  EXPECT_EQ(balance.left.text(), "0.6");
  EXPECT_EQ(ledger.charge(study, make_plan(study, "0.4"), entropy_).record_set(), balance.record_set);
  EXPECT_EQ(ledger.verify_chain(), 4U);
}

TEST_F(LedgerTest, NotesPublicationsOnce) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
  const ChargeToken token = ledger.charge(study, make_plan(study, "0.4"), entropy_);
  ledger.record_published(token.release_id(), kHash);
  ledger.record_published(token.release_id(), kHash);
  EXPECT_EQ(ledger.balance().published, 1U);
  EXPECT_EQ(ledger.find_charge(token.release_id())->document_sha256, kHash);
  EXPECT_EQ(refusal([&] { ledger.record_published(token.release_id(), kOtherHash); }),
            ErrorCode::ledger_mismatch);
  EXPECT_EQ(refusal([&] { ledger.record_published(std::string(32, '0'), kHash); }),
            ErrorCode::ledger_mismatch);
  EXPECT_EQ(ledger.verify_chain(), 3U);
}

TEST_F(LedgerTest, ReconcilesDocumentsWhoseEventIsMissing) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
  const ChargeToken noted = ledger.charge(study, make_plan(study, "0.2"), entropy_);
  const ChargeToken missed = ledger.charge(study, make_plan(study, "0.2"), entropy_);
  ledger.record_published(noted.release_id(), kHash);
  const PublishedFact here{missed.release_id(), missed.seq(), missed.head(), kOtherHash};
  const PublishedFact forged{missed.release_id(), missed.seq(), noted.head(), kOtherHash};
  const PublishedFact stranger{std::string(32, '7'), 2, noted.head(), kHash};
  EXPECT_TRUE(holds(ledger, here));
  EXPECT_FALSE(holds(ledger, forged));
  EXPECT_FALSE(holds(ledger, stranger));
  EXPECT_FALSE(holds(ledger, {noted.release_id(), noted.seq(), noted.head(), kOtherHash}));
  EXPECT_EQ(
      reconcile(ledger, {here, forged, stranger, {noted.release_id(), noted.seq(), noted.head(), kHash}}),
      1U);
  EXPECT_EQ(reconcile(ledger, {here}), 0U);
  EXPECT_EQ(ledger.balance().published, 2U);
  EXPECT_EQ(ledger.verify_chain(), 5U);
}

TEST_F(LedgerTest, TwoOpenLedgersSeeEachOther) {
  const model::Study study = make_study();
  Ledger one = Ledger::create(path_, make_terms(study, "1"));
  Ledger two = Ledger::open(path_);
  for (int i = 0; i < 5; ++i) {
    (void)one.charge(study, make_plan(study, "0.1"), entropy_);
    (void)two.charge(study, make_plan(study, "0.1"), entropy_);
  }
  EXPECT_EQ(refusal([&] { (void)one.charge(study, make_plan(study, "0.1"), entropy_); }),
            ErrorCode::budget_exhausted);
  EXPECT_EQ(one.verify_chain(), 11U);
}

TEST_F(LedgerTest, ThreadsCannotSpendTheLastOfItTwice) {
  const model::Study study = make_study();
  Ledger::create(path_, make_terms(study, "1"));
  std::vector<std::thread> spenders;
  for (int t = 0; t < 4; ++t) {
    spenders.emplace_back([&] {
      Entropy entropy;
      Ledger ledger = Ledger::open(path_);
      for (int i = 0; i < 10; ++i) {
        try {
          (void)ledger.charge(study, make_plan(study, "0.1"), entropy);
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::budget_exhausted);
        }
      }
    });
  }
  for (std::thread& spender : spenders) spender.join();
  EXPECT_EQ(Ledger::open(path_).balance().charges, 10U);
}

TEST_F(LedgerTest, WaitsForOthersOnlySoLong) {
  const model::Study study = make_study();
  Ledger::create(path_, make_terms(study, "1"));
  Ledger ledger = Ledger::open(path_, std::chrono::milliseconds(20));
  {
    Stranger stranger(path_);
    ASSERT_TRUE(stranger.run("BEGIN IMMEDIATE"));
    EXPECT_EQ(refusal([&] { (void)ledger.charge(study, make_plan(study, "0.1"), entropy_); }),
              ErrorCode::ledger_busy);
  }
  (void)ledger.charge(study, make_plan(study, "0.1"), entropy_);
  EXPECT_EQ(ledger.balance().charges, 1U);
}

TEST_F(LedgerTest, IsNotCarriedAcrossFork) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
  const pid_t child = ::fork();
  if (child == 0) {
    int status = 1;
    try {
      (void)ledger.charge(study, make_plan(study, "0.1"), entropy_);
    } catch (const Error& error) {
      status = error.code() == ErrorCode::internal ? 0 : 2;
    }
    ::_exit(status);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(ledger.balance().charges, 0U);
}

TEST_F(LedgerTest, RehearsalObeysTheSameRulesAndLeavesNoFile) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::rehearsal(make_terms(study, "0.2"));
  const ChargeToken token = ledger.charge(study, make_plan(study, "0.2"), entropy_);
  ledger.record_published(token.release_id(), kHash);
  EXPECT_EQ(refusal([&] { (void)ledger.charge(study, make_plan(study, "0.1"), entropy_); }),
            ErrorCode::budget_exhausted);
  EXPECT_EQ(ledger.verify_chain(), 3U);
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

TEST_F(LedgerTest, ExportsEveryRowAndTheTotalsButNotTheKey) {
  const model::Study study = make_study();
  Ledger ledger = Ledger::create(path_, make_terms(study, "1"));
  const ChargeToken token = ledger.charge(study, make_plan(study, "0.25"), entropy_);
  ledger.record_published(token.release_id(), kHash);
  ledger.new_records(entropy_);
  const std::string lines = ledger.export_lines();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 5);
  EXPECT_EQ(lines.substr(0, 29), R"({"adjacency":"replace-one","a)");
  EXPECT_NE(lines.find(R"("cost_nano":250000000)"), std::string::npos);
  EXPECT_NE(lines.find(R"("kind":"new-records")"), std::string::npos);
  EXPECT_NE(
      lines.find(R"({"budget":"1","charges":1,"left":"0.75","published":1,"row":"total","spent":"0.25"})"),
      std::string::npos);
  EXPECT_NE(lines.find(token.head()), std::string::npos);
  std::string key;
  std::ifstream(path_ + ".key") >> key;
  ASSERT_EQ(key.size(), 64U);
  EXPECT_EQ(lines.find(key), std::string::npos);
}

}  // namespace
}  // namespace postern::owner
