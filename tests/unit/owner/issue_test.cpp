#include "postern/owner/issue.hpp"

#include "postern/model/plan.hpp"

#include "ledger_fixture.hpp"

namespace postern::owner {
namespace {

class IssueTest : public LedgerTest {
 protected:
  [[nodiscard]] Issued issue_of(std::int64_t n) {
    const model::Study study = make_study();
    const model::NoisePlan plan = make_plan(study, "1");
    return issue({study, plan, true}, std::nullopt, ledger_, [n](const model::Measurement& /*plan*/) {
      return Measured{n, {{n, 0, 0}}};
    });
  }
  Ledger ledger_ = Ledger::create(path_, make_terms(make_study(), "10"));
};

TEST_F(IssueTest, WhatItMakesIsRead) {
  const Issued issued = issue_of(1'000'000'000'000);
  EXPECT_EQ(published_fact(issued.document).release_id, issued.release.release_id);
}

TEST_F(IssueTest, ADocumentThatItsReadersRefuseIsNotGivenOut) {
  EXPECT_EQ(refusal([&] { (void)issue_of(1'000'000'000'001); }), ErrorCode::internal);
  EXPECT_EQ(ledger_.balance().spent.text(), "1");  // the noise was drawn
}

}  // namespace
}  // namespace postern::owner
