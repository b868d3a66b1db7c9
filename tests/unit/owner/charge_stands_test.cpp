#include <new>
#include <system_error>

#include <sys/stat.h>

#include "postern/model/plan.hpp"
#include "postern/owner/issue.hpp"
#include "postern/owner/signing_key.hpp"

#include "ledger_fixture.hpp"

namespace postern::owner {
namespace {

using ChargeStandsTest = LedgerTest;

TEST_F(ChargeStandsTest, AFaultOfAnyKindAfterTheChargeLeavesItKnown) {
  const model::Study study = make_study();
  const model::NoisePlan plan = make_plan(study, "1");
  Ledger ledger = Ledger::create(path_, make_terms(study, "3"));
  EXPECT_EQ(ledger.charges_made(), 0U);
  const auto issue_and_fail = [&](const Measure& measure) {
    return static_cast<void>(issue({study, plan}, std::nullopt, ledger, measure));
  };
  EXPECT_THROW(issue_and_fail([](const auto&) -> Measured { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_EQ(ledger.charges_made(), 1U);
  EXPECT_THROW(issue_and_fail([](const auto&) -> Measured {
                 throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
               }),
               std::system_error);
  EXPECT_EQ(ledger.charges_made(), 2U);
  EXPECT_EQ(Ledger::open(path_).balance().left.text(), "1");
}

TEST_F(ChargeStandsTest, AChargeThatIsRefusedWasNotMade) {
  const model::Study study = make_study();
  const model::NoisePlan plan = make_plan(study, "4");
  Ledger ledger = Ledger::create(path_, make_terms(study, "3"));
  EXPECT_EQ(
      refusal([&] {
        static_cast<void>(issue({study, plan}, std::nullopt, ledger, [](const auto&) { return Measured{}; }));
      }),
      ErrorCode::budget_exhausted);
  EXPECT_EQ(ledger.charges_made(), 0U);
}

TEST_F(ChargeStandsTest, ASigningKeyIsPrivate) {
  const std::string key = directory_ + "/key.pem";
  const model::Study study = make_study();
  EXPECT_EQ(refusal([&] { static_cast<void>(read_signing_key(key, study)); }), ErrorCode::input_missing);
  EXPECT_EQ(refusal([&] { static_cast<void>(read_signing_key(directory_, study)); }),
            ErrorCode::input_unreadable);
  std::ofstream(key) << "no key";
  for (const mode_t mode : {0644U, 0640U, 0602U, 0600U}) {
    ASSERT_EQ(::chmod(key.c_str(), mode), 0);
    try {
      static_cast<void>(read_signing_key(key, study));
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::signature_invalid);
      EXPECT_EQ(std::string(error.what()).find("chmod 600") != std::string::npos, mode != 0600U);
    }
  }
}

}  // namespace
}  // namespace postern::owner
