// What an owner asks for beside the amount: it stands in the document, and verify plans by it again.

#include <gtest/gtest.h>

#include "postern/core/error.hpp"
#include "postern/model/budget.hpp"
#include "postern/model/plan.hpp"
#include "postern/release/document.hpp"
#include "postern/release/verify.hpp"

#include "refusal.hpp"
#include "releases.hpp"

namespace postern::release {
namespace {

using testing::lengths_study;
using testing::losses_study;

model::NoisePlan plan_of(const model::Study& study, const std::vector<std::string>& shares) {
  const bool pure = study.privacy.currency == Currency::pure;
  return model::plan_for({pure ? std::optional<std::string>("1") : std::nullopt,
                          pure ? std::nullopt : std::optional<std::string>("1"), std::nullopt, shares},
                         study);
}

Release release_of(const model::Study& study, const std::vector<std::string>& shares) {
  const model::NoisePlan plan = plan_of(study, shares);
  Release out = testing::make_release(study, "1", {0, 0});
  out.request = plan.request;
  for (std::size_t b = 0; b < out.blocks.size(); ++b) out.blocks[b].block = plan.measurement.blocks[b];
  return out;
}

TEST(Request, SharesChangeTheProportionsAndNotTheCost) {
  const model::Study study = lengths_study();
  const auto before = plan_of(study, {}).measurement.blocks;
  const model::NoisePlan plan = plan_of(study, {"squares=2.5"});
  EXPECT_EQ(plan.cost, Spend::parse(Currency::pure, "1"));
  const auto& after = plan.measurement.blocks;
  const Rational ratio = (after[1].noise.parameter / after[0].noise.parameter) /
                         (before[1].noise.parameter / before[0].noise.parameter);
  EXPECT_EQ(ratio, Rational(5, 2));
  EXPECT_LT(after[0].noise.parameter, before[0].noise.parameter);
}

TEST(Request, TheCountHasAShareOfItsOwn) {
  const model::Study study = losses_study();
  const model::NoisePlan plan = plan_of(study, {"count=2"});
  EXPECT_EQ(plan.cost, Spend::parse(Currency::zcdp, "1"));
  // rho = 2^2 / (2 sigma2) for a unit of two records: a fifth of the budget instead of a tenth.
  EXPECT_EQ(plan.measurement.blocks.back().noise.parameter, 10);
  EXPECT_EQ(plan_of(study, {}).measurement.blocks.back().noise.parameter, 20);
}

TEST(Request, StandsInTheDocumentAndIsReplayed) {
  const Release release = release_of(lengths_study(), {"sum=3"});
  const std::string document = to_document(release);
  EXPECT_NE(document.find(R"("request":{"shares":{"sum":"3"}})"), std::string::npos) << document;
  const Release read = parse_document(document);
  EXPECT_EQ(to_document(read), document);
  EXPECT_TRUE(all_passed(verify(read)));
  Release other = read;
  other.request.shares["sum"] = 4;
  EXPECT_FALSE(all_passed(verify(other)));
  other.request.shares.clear();
  EXPECT_FALSE(all_passed(verify(other)));
}

TEST(Request, WithoutSharesADocumentIsAsItWas) {
  const std::string document = to_document(release_of(lengths_study(), {}));
  EXPECT_EQ(document.find("request"), std::string::npos);
}

TEST(Request, RefusesWhatIsNoShare) {
  const model::Study study = lengths_study();
  for (const char* text :
       {"sum", "=2", "sum=", "sum=two", "sum=0", "sum=-1", "sum=0.0000001", "other=1", "count=1"})
    EXPECT_REFUSAL(plan_of(study, {text}), ErrorCode::bad_option);
  EXPECT_REFUSAL(plan_of(study, {"sum=1", "sum=2"}), ErrorCode::bad_option);
  EXPECT_REFUSAL(plan_of(losses_study(), {"count=10"}), ErrorCode::bad_option);
}

}  // namespace
}  // namespace postern::release
